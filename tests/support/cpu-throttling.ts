import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ourCgroups } from './cgroup-folders.ts';

/** In how many periods the kernel has stopped our cgroups that have this quota, cgroup v1 or v2. */
export function throttledPeriods(quotaUs: number): number {
  return ourCgroups()
    .filter((folder) => quotas(folder).includes(quotaUs))
    .map((folder) => readFileSync(path.join(folder, 'cpu.stat'), 'utf8'))
    .reduce((sum, stat) => sum + Number(/^nr_throttled (\d+)$/m.exec(stat)?.[1]), 0);
}

function quotas(cgroup: string): number[] {
  return ['cpu.cfs_quota_us', 'cpu.max']
    .map((name) => path.join(cgroup, name))
    .filter((file) => existsSync(file))
    .map((file) => Number.parseInt(readFileSync(file, 'utf8'), 10));
}
