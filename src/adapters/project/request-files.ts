import { resolve } from 'node:path';
import type { RequestFiles } from '../../app/ports/request-files.ts';
import { UnusableRequests } from '../../core/requests/request-set.ts';
import { readProjectFile } from './project-file.ts';

/** By the one way to what a spec names. `folders`: absolute; the first that has a file is the one that counts. */
export function createRequestFiles(...folders: [string, ...string[]]): RequestFiles {
  return {
    async read(file, mostBytes) {
      for (const [at, folder] of folders.entries()) {
        const read = await readProjectFile(folder, file, mostBytes);
        if ('content' in read) return read.content;
        // What is there and cannot be read must not be taken for another one.
        if (read.problem === null && at < folders.length - 1) continue;
        throw new UnusableRequests(
          `The file ${resolve(folder, file)}, which requests are made of, ${read.problem ?? 'is not there'}: correct its path in the spec; it is relative to the spec file.`,
        );
      }
      throw new TypeError(`no folder to read ${file} in`);
    },
    firstIn: (folder) => createRequestFiles(folder, ...folders),
  };
}
