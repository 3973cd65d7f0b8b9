import { accessSync, appendFileSync, constants, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CPU_PERIOD_US, quotaUs } from '../../core/config/cpu-quota.ts';
import { CGROUPS, isUnified, makeCgroup, removeFolder } from './cgroup-tree.ts';

/** A cgroup that holds the CPU time of the processes of one part to a limit. */
export interface CpuLimit {
  /** File that a process writes its id to before it becomes the part. */
  joinFile: string;
  /** Removes it, once its processes are gone; never throws. */
  remove(): void;
}

/** `cpus`: how many CPUs' worth of time. Throws where this user may not make one, or the kernel has none. */
export function createCpuLimit(name: string, cpus: number): CpuLimit {
  const path = isUnified() ? limitedV2(name, cpus) : limitedV1(name, cpus);
  return { joinFile: join(path, 'cgroup.procs'), remove: () => removeFolder(path) };
}

/** Why CPU time cannot be limited here; null where it can: by root, or in a cgroup tree that this user may write to. */
export function cpuLimitObstacle(): string | null {
  if (process.platform !== 'linux') return `${process.platform} has no cgroups`;
  try {
    createCpuLimit(`probe-cpu-${process.pid}`, 0.5).remove();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether one could be made, as far as that can be seen without making one. */
export function mayLimitCpuTime(): boolean {
  if (process.platform !== 'linux') return false;
  const files = isUnified()
    ? [CGROUPS.unified, join(CGROUPS.unified, 'cgroup.subtree_control')]
    : [CGROUPS.cpu, join(CGROUPS.cpu, 'cpu.cfs_quota_us')];
  try {
    for (const file of files) accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function limitedV1(name: string, cpus: number): string {
  const path = makeCgroup(CGROUPS.cpu, name);
  return limited(path, () => {
    writeFileSync(join(path, 'cpu.cfs_period_us'), String(CPU_PERIOD_US));
    writeFileSync(join(path, 'cpu.cfs_quota_us'), String(quotaUs(cpus)));
  });
}

/** The folder is that of the limit of memory as well: in one tree a process is in one cgroup. */
function limitedV2(name: string, cpus: number): string {
  const base = makeCgroup(CGROUPS.unified);
  for (const folder of [CGROUPS.unified, base]) appendFileSync(join(folder, 'cgroup.subtree_control'), '+cpu');
  const path = makeCgroup(CGROUPS.unified, name);
  return limited(path, () => writeFileSync(join(path, 'cpu.max'), `${quotaUs(cpus)} ${CPU_PERIOD_US}`));
}

function limited(path: string, limit: () => void): string {
  try {
    limit();
    return path;
  } catch (error) {
    removeFolder(path);
    throw error;
  }
}
