import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CgroupMeter } from './cgroup-meter.ts';
import { KeptFile } from './kept-file.ts';
import { value } from './key-values.ts';

/** Folders of one container in the hierarchies of cgroup v1, absolute. */
export interface CgroupV1Folders {
  cpuacct: string;
  memory: string;
}

/**
 * Memory: `total_rss` (anonymous memory) and kernel memory, where sockets are counted by themselves. Page cache, shared
 * memory and tmpfs stay out. Throws where the files cannot be opened.
 */
export function cgroupV1Meter(folders: CgroupV1Folders): CgroupMeter {
  const usage = new KeptFile(join(folders.cpuacct, 'cpuacct.usage'), 64);
  const stat = new KeptFile(join(folders.memory, 'memory.stat'));
  const oom = new KeptFile(join(folders.memory, 'memory.oom_control'), 256);
  // Absent on kernels without kernel memory accounting.
  const kernel = ['memory.kmem.usage_in_bytes', 'memory.kmem.tcp.usage_in_bytes']
    .map((name) => join(folders.memory, name))
    .filter((path) => existsSync(path))
    .map((path) => new KeptFile(path, 64));
  return {
    cpuNs: () => Number(usage.read()),
    memoryBytes: () => value(stat.read(), 'total_rss') + kernel.reduce((sum, file) => sum + Number(file.read()), 0),
    oomKills: () => value(oom.read(), 'oom_kill'),
    close: () => {
      for (const file of [usage, stat, oom, ...kernel]) file.close();
    },
  };
}
