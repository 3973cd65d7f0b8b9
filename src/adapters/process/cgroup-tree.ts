import { existsSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/** v1 has a tree for each controller, v2 (unified) one for all. */
export const CGROUPS = {
  memory: '/sys/fs/cgroup/memory',
  cpu: '/sys/fs/cgroup/cpu',
  unified: '/sys/fs/cgroup',
} as const;

/** Each cgroup below it is named after its owner, so that a later start knows whose it was. */
const FOLDER = 'wrkbench-processes';

export function isUnified(): boolean {
  return existsSync(join(CGROUPS.unified, 'cgroup.controllers'));
}

/**
 * Makes the cgroup of our own in a tree, or one below it, and says its path. Throws where this user may not, or where no such tree is
 * mounted: Node.js tries for ever to make a folder and its parents in an empty sysfs folder, which answers ENOENT for one whose
 * parent is there (as an ordinary user; seen with Node.js 24 in a container without cgroups).
 */
export function makeCgroup(tree: string, ...names: string[]): string {
  const path = join(tree, FOLDER, ...names);
  const missing = names.length === 0 ? [path] : [join(tree, FOLDER), path];
  for (const folder of missing) if (!existsSync(folder)) mkdirSync(folder);
  return path;
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
