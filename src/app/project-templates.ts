import { mostBytesOf, TEMPLATES_FOLDER, type TemplateFiles } from '../core/pages/template-files.ts';
import type { Forge } from './ports/forge.ts';
import type { TemplateSource } from './ports/template-source.ts';

/** More than that are not even listed. */
const MOST_FILES = 100;

/** The files of a project's own, none longer than it may be. Rejects as the source does. */
export async function templateFiles(source: TemplateSource): Promise<TemplateFiles> {
  const found = new Map<string, Uint8Array | null>();
  for (const { path, bytes } of (await source.list()).slice(0, MOST_FILES)) {
    const most = mostBytesOf(path);
    if (most === null) {
      found.set(path, null);
      continue;
    }
    const content = bytes > most ? null : await source.content(path);
    found.set(path, content === null || content.byteLength > most ? null : content);
  }
  return found;
}

/** As a commit has them: the checkout of a job may have been changed by what was measured in it. Rejects with `ForgeFailure`. */
export function templatesAt(sha: string, forge: Pick<Forge, 'folderAt' | 'contentAt'>): TemplateSource {
  const below = (path: string) => path.slice(TEMPLATES_FOLDER.length + 1);
  return {
    async list() {
      const top = await forge.folderAt(TEMPLATES_FOLDER, sha);
      // Few projects have any, and most of these no pages.
      const pages = await forge.folderAt(`${TEMPLATES_FOLDER}/pages`, sha);
      return [...top, ...pages].map(({ path, bytes }) => ({ path: below(path), bytes }));
    },
    content: (path) => forge.contentAt(`${TEMPLATES_FOLDER}/${path}`, sha),
  };
}
