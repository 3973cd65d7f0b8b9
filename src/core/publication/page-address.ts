import type { Inline } from '../report/document.ts';
import { DATA_FOLDER } from './place.ts';

/** What a forge tells of a repository's web site. */
export interface SiteFacts {
  /** With `/` at its end; null where it is not told. */
  url: string | null;
  source: { branch: string; folder: string } | 'another' | null;
}

interface Published {
  serverUrl: string;
  repository: string;
  /** That the pages are on. */
  branch: string;
}

/** Where the page of a spec is shown; null where it is nowhere, or where nobody can tell. */
export function pageAddress(site: SiteFacts | null, published: Published, specName: string): string | null {
  if (site === null || !isShown(site, published.branch)) return null;
  const url = site.url ?? usualAddress(published);
  return url === null ? null : `${url}${DATA_FOLDER}/${specName}/`;
}

/** A site of a branch shows it whole, or a folder of it that is not ours. */
function isShown({ source }: SiteFacts, branch: string): boolean {
  if (source === null) return true;
  return source !== 'another' && source.branch === branch && source.folder === '/';
}

/**
 * A repository named like its owner's site lies at the top of it. From here GitHub leads on to a domain of the project's own.
 * https://docs.github.com/pages/getting-started-with-github-pages
 */
function usualAddress({ serverUrl, repository }: Published): string | null {
  const [owner = '', name = ''] = repository.split('/');
  if (serverUrl !== 'https://github.com' || owner === '' || name === '') return null;
  const site = `${owner.toLowerCase()}.github.io`;
  return `https://${site}/${name.toLowerCase() === site ? '' : `${name}/`}`;
}

/** How to have the pages shown, one sentence; null where they are. */
export function pagesAdvice(site: SiteFacts | null, { serverUrl, repository, branch }: Published): Inline[] | null {
  if (site !== null && isShown(site, branch)) return null;
  const url = `${serverUrl}/${repository}/settings/pages`;
  const [settings, ours] = [{ url, text: url }, { code: branch }];
  const where = ['The charts of these runs are on the branch ', ours];
  return site === null
    ? [
        ...where,
        ', and nothing shows them yet: at ',
        settings,
        ' choose "Deploy from a branch", ',
        ours,
        ' and / (root).',
      ]
    : [
        ...where,
        ', which the site of this repository does not show: have it deployed from ',
        ours,
        ' and / (root) at ',
        settings,
        ', or copy the folder ',
        { code: DATA_FOLDER },
        ' of that branch into what deploys the site.',
      ];
}

/** `https://github.com` of `https://github.com/acme/api.git` and `git@github.com:acme/api.git`; null where it has no pages. */
export function serverOf(remote: string): string | null {
  const [, ofSsh] = /^(?:ssh:\/\/)?git@([a-z0-9.-]+)[:/]/i.exec(remote) ?? [];
  if (ofSsh !== undefined) return `https://${ofSsh.toLowerCase()}`;
  const [, scheme, host] = /^(https?):\/\/(?:[^/@\s]*@)?([a-z0-9.-]+(?::\d{1,5})?)\//i.exec(remote) ?? [];
  return scheme === undefined ? null : `${scheme.toLowerCase()}://${host!.toLowerCase()}`;
}
