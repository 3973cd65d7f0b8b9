import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { GeneratorNotStarted } from '../../app/ports/generators.ts';
import type { SystemUser } from '../process/system-user.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { beginningOf } from '../project/regular-file.ts';

/** Few generators leave more than this on purpose; a script of the user's may log without end. */
const MOST_BYTES = 4 << 20;

/** A folder of one execution's own, readable by nobody else. */
export interface WorkFolder {
  path: string;
  /** Names may be paths: their folders are made. */
  write(files: Record<string, string | Uint8Array>): Promise<void>;
  /** Those of the names that are files there, each from its beginning, 4 MiB at most unless told otherwise. */
  read(names: string[], mostBytes?: number): Promise<Record<string, string>>;
  remove(): Promise<void>;
}

/** It and its `write` reject with `GeneratorNotStarted`. What is written belongs to `user`, where one is named. */
export async function makeWorkFolder(parent = tmpdir(), user: SystemUser | null = null): Promise<WorkFolder> {
  if (user !== null) await refuseUnlessOpen(parent, user);
  const path = await makeTemporaryFolder('load', parent).catch((error) => refuse(parent, error));
  const give = async (file: string) => {
    if (user !== null) await chown(file, user.uid, user.gid);
  };
  await give(path);
  const made = new Set<string>();
  return {
    path,
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        for (const parent of parentsOf(name)) {
          if (made.has(parent)) continue;
          made.add(parent);
          await mkdir(join(path, parent), { mode: 0o700 }).catch((error) => refuse(path, error));
          await give(join(path, parent));
        }
        const file = join(path, name);
        await writeFile(file, content, { mode: 0o600 }).catch((error) => refuse(path, error));
        await give(file);
      }
    },
    async read(names, mostBytes = MOST_BYTES) {
      const found: Record<string, string> = {};
      for (const name of names) {
        const content = await beginningOf(join(path, name), mostBytes);
        if (content !== null) found[name] = content;
      }
      return found;
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** `a/b/c.js`: `a`, then `a/b`. */
function parentsOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

const SEARCH_BY_OTHERS = 0o001;

/** A folder of its own is of no use to somebody who may not enter the ones above it. */
async function refuseUnlessOpen(parent: string, user: SystemUser): Promise<void> {
  for (let folder = resolve(parent); ; folder = dirname(folder)) {
    const found = await stat(folder).catch((error) => refuse(parent, error));
    if ((found.mode & SEARCH_BY_OTHERS) === 0) {
      throw new GeneratorNotStarted(
        `A script of the spec's own is run as the user ${user.name}, who may not enter ${folder}. Name a folder in TMPDIR that everybody may enter, such as /tmp, or leave the script out.`,
      );
    }
    if (folder === dirname(folder)) return;
  }
}

function refuse(path: string, { code }: NodeJS.ErrnoException): never {
  throw new GeneratorNotStarted(
    `The generator's files cannot be written to ${path} (${code}). Make room there, or name another folder in TMPDIR.`,
  );
}
