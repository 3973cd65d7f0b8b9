import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** In how many periods the kernel has stopped our cgroups that have this quota, cgroup v1 or v2. */
export function throttledPeriods(quotaUs: number): number {
  const names = ['-path', '*wrkbench*', '(', '-name', 'cpu.cfs_quota_us', '-o', '-name', 'cpu.max', ')'];
  const files = execFileSync('find', ['-L', '/sys/fs/cgroup', '-maxdepth', '6', ...names], { encoding: 'utf8' });
  return files
    .split('\n')
    .filter((file) => file !== '' && Number.parseInt(readFileSync(file, 'utf8'), 10) === quotaUs)
    .map((file) => readFileSync(join(dirname(file), 'cpu.stat'), 'utf8'))
    .reduce((sum, stat) => sum + Number(/^nr_throttled (\d+)$/m.exec(stat)?.[1]), 0);
}
