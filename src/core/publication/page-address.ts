import { DATA_FOLDER } from './place.ts';

/**
 * Where GitHub Pages shows the runs of a spec, as long as the branch is published there; null where nobody can tell. A
 * repository named like its owner's site lies at the top of it. https://docs.github.com/pages/getting-started-with-github-pages
 */
export function pageAddress(serverUrl: string, repository: string, specName: string): string | null {
  const [owner = '', name = ''] = repository.split('/');
  if (serverUrl !== 'https://github.com' || owner === '' || name === '') return null;
  const site = `${owner.toLowerCase()}.github.io`;
  const folder = name.toLowerCase() === site ? '' : `/${name}`;
  return `https://${site}${folder}/${DATA_FOLDER}/${specName}/`;
}
