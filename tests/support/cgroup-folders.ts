import { readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = '/sys/fs/cgroup';

/**
 * Paths of all cgroups whose path holds `wrkbench`, in every hierarchy there is. Other tests' runs come and go meanwhile:
 * a folder that vanishes while it is read is not there, where find(1) would fail.
 */
export function ourCgroups(below: string = ROOT): string[] {
  let entries: string[];
  try {
    entries = readdirSync(below, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(below, entry.name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENODEV') return [];
    throw error;
  }
  return entries.flatMap((folder) => [...(folder.includes('wrkbench') ? [folder] : []), ...ourCgroups(folder)]);
}

/** Those that carry a run's id in their own name. */
export function cgroupsOfRun(runId: string): string[] {
  return ourCgroups().filter((folder) => {
    const name = path.basename(folder);
    return name.startsWith('wrkbench') && name.includes(runId);
  });
}
