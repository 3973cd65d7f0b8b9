/** Of the repository that is measured; its files stand over ours, each by itself. Others than these are none of ours. */
export const TEMPLATES_FOLDER = '.wrkbench/templates';

export const PAGE_FILE = /^pages\/([a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)\.md$/;
export const LOGO_FILE = /^logo\.(svg|png|webp)$/;
/** Of the list of all specs, which no page takes the place of. */
export const LIST_PAGE = 'index';
export const MOST_PAGES = 20;

/** By path below the folder; the content is null where a file is longer than it may be. */
export type TemplateFiles = ReadonlyMap<string, Uint8Array | null>;

const KIB = 1024;

/** Bytes that a file may have; null for what is no file of ours. `path` is that below the folder. */
export function mostBytesOf(path: string): number | null {
  if (path === 'site.yml') return 16 * KIB;
  if (path === 'introduction.md' || PAGE_FILE.test(path)) return 64 * KIB;
  return LOGO_FILE.test(path) ? 256 * KIB : null;
}
