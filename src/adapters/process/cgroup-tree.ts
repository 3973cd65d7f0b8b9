import { existsSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/** v1 has a tree for each controller, v2 (unified) one for all. */
export const CGROUPS = {
  memory: '/sys/fs/cgroup/memory',
  cpu: '/sys/fs/cgroup/cpu',
  unified: '/sys/fs/cgroup',
} as const;

/** Each cgroup below it is named after its owner, so that a later start knows whose it was. */
export const FOLDER = 'wrkbench-processes';

export function isUnified(): boolean {
  return existsSync(join(CGROUPS.unified, 'cgroup.controllers'));
}

/** Removes the empty cgroups that fit. */
export function removeCgroups(fits: (name: string) => boolean): void {
  for (const tree of Object.values(CGROUPS)) {
    const base = join(tree, FOLDER);
    for (const name of foldersOf(base)) if (fits(name)) removeFolder(join(base, name));
  }
}

/** Never throws: one that is still in use stays. */
export function removeFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Still in use, or gone.
  }
}

function foldersOf(base: string): string[] {
  try {
    return readdirSync(base, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}
