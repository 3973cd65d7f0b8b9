import { pagesOf } from '../../../src/core/pages/pages.ts';
import { DATA_FOLDER } from '../../../src/core/publication/place.ts';
import { builtPages } from '../../page-script.mjs';
import { type ManyPages, SPEC } from '../pages-data.ts';

/** Files of a site, by their paths. */
export type SiteContent = ReadonlyMap<string, string | Uint8Array>;

/** As they lie on the data branch: the static files that a publication writes there, and the data of the spec. */
export async function pageFiles({ manifest, pieces }: ManyPages): Promise<SiteContent> {
  const { files: assets } = await builtPages();
  const { pages } = pagesOf({ version: '0.1.0', assets, templates: new Map() });
  const site = pages.site([SPEC]).map(({ path, content }) => [path, content] as const);
  const data = [...pieces, manifest].map(({ file, content }) => [`${DATA_FOLDER}/${SPEC}/${file}`, content] as const);
  return new Map([...site, ...data]);
}
