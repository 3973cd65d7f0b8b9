import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { ScriptFolder } from '../../core/generators/script-files.ts';
import { projectKind, readProjectFile } from './project-file.ts';

/** More than a script and all its companions may have. */
const MOST_BYTES = 64 * 1024 ** 2;

/** The folder of a spec, absolute. */
export function scriptFolder(directory: string): ScriptFolder {
  return {
    async content(path) {
      const read = await readProjectFile(directory, path, MOST_BYTES);
      return 'content' in read ? read.content : null;
    },
    isFile: async (path) => (await projectKind(directory, path)) === 'file',
    async list(folder, most) {
      const found: string[] = [];
      const waiting = [folder];
      for (let own = waiting.pop(); own !== undefined; own = waiting.pop()) {
        const entries = await readdir(join(directory, own), { withFileTypes: true }).catch(() => []);
        for (const entry of entries) {
          if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
          const path = posix.join(own, entry.name);
          if (entry.isDirectory()) waiting.push(path);
          else if (entry.isFile() && found.push(path) > most) return null;
        }
      }
      return found;
    },
  };
}
