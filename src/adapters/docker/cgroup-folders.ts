import { readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { CGROUP_FOLDER } from '../../core/topology/names.ts';

const CGROUP_MOUNT = '/sys/fs/cgroup';

/**
 * With the cgroupfs driver a container's own cgroup goes with it and the parent stays behind, once in each hierarchy.
 * Removes the parent of `base`, and the folder above when it is empty. Only an empty cgroup can be removed at all, so
 * nothing that runs can be hit. Another user than root has parents that stay: see `cgroupParent`.
 */
export function removeParentFolders(base: string): void {
  for (const hierarchy of hierarchies(CGROUP_MOUNT)) {
    removeFolder(join(hierarchy, CGROUP_FOLDER, base));
    removeFolder(join(hierarchy, CGROUP_FOLDER));
  }
}

/** Removes the empty parents of all but those in `living`; returns the names of those that are gone. */
export function removeLeftoverFolders(living: ReadonlySet<string>, mount = CGROUP_MOUNT): string[] {
  const removed = new Set<string>();
  for (const hierarchy of hierarchies(mount)) {
    for (const base of foldersOf(join(hierarchy, CGROUP_FOLDER))) {
      if (!living.has(base) && removeFolder(join(hierarchy, CGROUP_FOLDER, base))) removed.add(base);
    }
    removeFolder(join(hierarchy, CGROUP_FOLDER));
  }
  return [...removed];
}

/** Each mount of cgroup v1; the one mount of v2. */
function hierarchies(mount: string): string[] {
  return [mount, ...foldersOf(mount).map((name) => join(mount, name))];
}

function foldersOf(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch {
    return [];
  }
}

function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
