import { chownSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchFolder } from './guard.ts';
import { ownIdentity } from './owner.ts';
import type { SystemUser } from './system-user.ts';
import { OWNER_FILE } from './temporary-folder.ts';
import { temporaryFolderFailure } from './temporary-folder-failure.ts';

export const FOLDER_PREFIX = 'wrkbench-testbed-';
const MEMORY_FOLDER = '/dev/shm';
const NEEDED_BYTES = 1024 ** 3;

/** A folder of this run's own, that is removed with it or, if it is killed, at the next start. */
export interface TestbedFolder {
  path: string;
  /** It lies in memory, not on a disk. */
  inMemory: boolean;
  /** Never throws. */
  remove(): void;
}

/** Folders that ours may lie in. */
export function folderParents(): string[] {
  return [...new Set([MEMORY_FOLDER, tmpdir()])];
}

/** In memory where a database has room there: a disk that others use too is noise. Throws `TemporaryFolderFailure`. */
export function makeTestbedFolder(preferMemory: boolean, user: SystemUser | null): TestbedFolder {
  const inMemory = preferMemory && hasRoom(MEMORY_FOLDER);
  const path = newFolderIn(inMemory ? MEMORY_FOLDER : tmpdir());
  watchFolder(path);
  writeFileSync(join(path, OWNER_FILE), `${ownIdentity()}\n`);
  if (user !== null) chownSync(path, user.uid, user.gid);
  return { path, inMemory, remove: () => removeFolder(path) };
}

function newFolderIn(parent: string): string {
  try {
    return mkdtempSync(join(parent, FOLDER_PREFIX));
  } catch (error) {
    throw temporaryFolderFailure(error, parent);
  }
}

export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // The next start tries again.
  }
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
