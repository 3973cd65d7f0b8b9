import { join } from 'node:path';
import type { CgroupMeter } from './cgroup-meter.ts';
import { KeptFile } from './kept-file.ts';
import { value } from './key-values.ts';

/** What `kernel` holds on kernels that do not add it up themselves (before 5.18). */
const KERNEL_PARTS = ['kernel_stack', 'pagetables', 'percpu', 'vmalloc', 'slab'];

/** `folder`: that of one container, absolute. Memory: `anon`, `sock` and `kernel`. Throws where a file cannot be opened. */
export function cgroupV2Meter(folder: string): CgroupMeter {
  const cpu = new KeptFile(join(folder, 'cpu.stat'));
  const stat = new KeptFile(join(folder, 'memory.stat'), 8192);
  const events = new KeptFile(join(folder, 'memory.events'), 512);
  return {
    cpuNs: () => value(cpu.read(), 'usage_usec') * 1000,
    memoryBytes: () => {
      const text = stat.read();
      const kernel = /^kernel \d/m.test(text)
        ? value(text, 'kernel')
        : KERNEL_PARTS.reduce((sum, part) => sum + value(text, part), 0);
      return value(text, 'anon') + value(text, 'sock') + kernel;
    },
    oomKills: () => value(events.read(), 'oom_kill'),
    close: () => {
      for (const file of [cpu, stat, events]) file.close();
    },
  };
}
