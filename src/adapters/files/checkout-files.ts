import { readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { CheckoutFiles } from '../../app/ports/checkout-files.ts';
import { projectKind, readProjectFile } from '../project/project-file.ts';

const SKIPPED = new Set(['.git', 'node_modules']);
const MOST_FILES = 200_000;
/** A spec, a workflow or a script has far less. */
const MOST_BYTES = 16 * 1024 ** 2;

/** Files of a folder; `root` is absolute. */
export function checkoutFiles(root: string): CheckoutFiles {
  const staysInside = async (path: string): Promise<boolean> => {
    const [top, target] = await Promise.all([realpath(root), realpath(join(root, path)).catch(() => null)]);
    return target === null || target === top || target.startsWith(`${top}${sep}`);
  };
  return {
    async list() {
      const found: string[] = [];
      const folders = [root];
      for (let folder = folders.pop(); folder !== undefined && found.length < MOST_FILES; folder = folders.pop()) {
        for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
          if (SKIPPED.has(entry.name)) continue;
          const path = join(folder, entry.name);
          if (entry.isDirectory()) folders.push(path);
          else if (entry.isFile()) found.push(relative(root, path).replaceAll(sep, '/'));
        }
      }
      return found;
    },
    async text(path) {
      if (!(await staysInside(path))) return null;
      const read = await readProjectFile(root, path, MOST_BYTES);
      return 'content' in read ? read.content.toString('utf8') : null;
    },
    kind: (path) => projectKind(root, path),
    staysInside,
  };
}
