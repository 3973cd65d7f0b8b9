import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beginningOfOwn } from '../project/regular-file.ts';
import { endAbandoned, processesIn } from './ending.ts';
import { isProvenDead, ownIdentity } from './owner.ts';
import { temporaryFolderFailure } from './temporary-folder-failure.ts';

/** What a folder is for: `wrkbench-load-` and some letters. */
export type FolderKind =
  | 'branch'
  | 'build'
  | 'runner-container'
  | 'files'
  | 'history'
  | 'load'
  | 'logins'
  | 'pages'
  | 'worktree';

const OURS = /^wrkbench-(?:branch|build|runner-container|files|history|load|logins|pages|worktree)-/;
const OF_GENERATOR = 'wrkbench-load-';
/** In every folder: who owns it. */
export const OWNER_FILE = 'owner';
const OWNER_BYTES = 1024;

/**
 * A folder that nobody else may read. It says whose it is, so that it can be told from that of a run that was killed.
 * Rejects with `TemporaryFolderFailure`.
 */
export async function makeTemporaryFolder(kind: FolderKind, parent = tmpdir()): Promise<string> {
  try {
    const path = await mkdtemp(join(parent, `wrkbench-${kind}-`));
    try {
      await writeFile(join(path, OWNER_FILE), `${ownIdentity()}\n`);
      return path;
    } catch (error) {
      await rm(path, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    throw temporaryFolderFailure(error, parent);
  }
}

/** Rejects with `TemporaryFolderFailure` where nothing temporary can be written, before a run has begun that would need it. */
export async function checkTemporaryFolder(parent = tmpdir()): Promise<void> {
  await rm(await makeTemporaryFolder('files', parent), { recursive: true, force: true });
}

/**
 * Whether the owner of a folder, of a testbed's as well, is proven dead. Not where the folder is just being made, or where another
 * user says so: that one's runs take it away. Never rejects.
 */
export async function isAbandoned(folder: string): Promise<boolean> {
  const owner = await beginningOfOwn(join(folder, OWNER_FILE), OWNER_BYTES);
  return owner !== null && isProvenDead(owner);
}

/**
 * Removes those whose owner is proven dead, and ends the generators that still work in them; resolves to a sentence for
 * each. Never rejects.
 */
export async function sweepTemporaryFolders(parent = tmpdir()): Promise<string[]> {
  const names = (await readdir(parent).catch(() => [])).filter((name) => OURS.test(name));
  const abandoned: string[] = [];
  for (const path of names.map((name) => join(parent, name))) if (await isAbandoned(path)) abandoned.push(path);
  const sentences = await endAbandoned(
    processesIn(abandoned.filter((path) => basename(path).startsWith(OF_GENERATOR))),
  );
  for (const path of abandoned) {
    const gone = rm(path, { recursive: true, force: true, maxRetries: 3 }).then(() => true);
    if (!(await gone.catch(() => false))) continue;
    sentences.push(`Removed the folder ${path}, left behind by a run that has ended.`);
  }
  return sentences;
}
