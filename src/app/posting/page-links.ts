import { pageAddress, pagesAdvice } from '../../core/publication/page-address.ts';
import { DATA_FOLDER } from '../../core/publication/place.ts';
import type { Inline } from '../../core/report/document.ts';
import type { Forge, RepositorySite } from '../ports/forge.ts';
import { withFallback } from './degrade.ts';

/** Where the published pages can be seen. Nothing of it rejects. */
export interface PageLinks {
  /** Of a spec; null where there is none that anybody could open. */
  url(specName: string): Promise<string | null>;
  /** One sentence on how to have them shown; null where they are shown, and where this forge shows none. */
  advice(): Promise<Inline | null>;
}

interface PagesOptions {
  serverUrl: string;
  repository: string;
  branch: string;
  /** The forge is GitHub itself, which shows pages once somebody has switched them on. */
  hosted: boolean;
  warn(text: string): void;
}

/** The forge is asked when somebody wants to know, and once. */
export function pageLinksOf(forge: Forge, { hosted, warn, ...published }: PagesOptions): PageLinks {
  let asked: Promise<RepositorySite | null | 'unknown'> | null = null;
  const site = () => {
    asked ??= withFallback('unknown', 'Whether this repository has a site is not known', warn, () => forge.site());
    return asked;
  };
  const found = new Map<string, Promise<string | null>>();
  const urlOf = async (specName: string): Promise<string | null> => {
    const known = await site();
    const address = known === 'unknown' ? null : pageAddress(known, published, specName);
    if (address === null) return null;
    // A spec has no page before its first run is published.
    const page = `${DATA_FOLDER}/${specName}/index.html`;
    const consequence = `Whether there is a page of ${specName} is not known`;
    const text = await withFallback(null, consequence, warn, () => forge.textAt(page, published.branch));
    return text === null ? null : address;
  };
  return {
    url(specName) {
      const url = found.get(specName) ?? urlOf(specName);
      found.set(specName, url);
      return url;
    },
    async advice() {
      const known = hosted ? await site() : 'unknown';
      return known === 'unknown' ? null : pagesAdvice(known, published);
    },
  };
}
