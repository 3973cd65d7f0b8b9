import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { TemplateSource } from '../../app/ports/template-source.ts';
import { TEMPLATES_FOLDER } from '../../core/pages/template-files.ts';
import { readProjectFile } from '../project/project-file.ts';

/** More than any of them may have. */
const MOST_BYTES = 1024 ** 2;

/** Those of a checkout, by its top. A link is no file of the project's own, and is not followed. */
export function templateFolder(top: string): TemplateSource {
  const folder = join(top, TEMPLATES_FOLDER);
  const inside = async (path: string): Promise<boolean> => {
    const [own, target] = await Promise.all([realpath(top), realpath(path)]);
    return target === join(own, path.slice(top.length)) || target === join(own, ...path.slice(top.length).split(sep));
  };
  const listed = async (below: string) => {
    const names = await readdir(join(folder, below)).catch(() => []);
    const found: { path: string; bytes: number }[] = [];
    for (const name of names.sort()) {
      const file = join(folder, below, name);
      const facts = await lstat(file);
      if (facts.isFile() && (await inside(file))) {
        found.push({ path: below === '' ? name : `${below}/${name}`, bytes: facts.size });
      }
    }
    return found;
  };
  return {
    list: async () => [...(await listed('')), ...(await listed('pages'))],
    async content(path) {
      const read = await readProjectFile(top, `${TEMPLATES_FOLDER}/${path}`, MOST_BYTES);
      return 'content' in read ? read.content : null;
    },
  };
}
