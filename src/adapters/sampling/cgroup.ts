import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceMeter } from '../../app/ports/testbed.ts';
import type { CgroupMeter } from './cgroup-meter.ts';
import { KeptFile } from './kept-file.ts';
import { value } from './key-values.ts';

/** Where processes show their cgroups and mounts; another place in tests. */
export interface CgroupRoots {
  proc: string;
  /** Put before every mount point. */
  mountPrefix: string;
}
const MACHINE: CgroupRoots = { proc: '/proc', mountPrefix: '' };

/** Meter over the cgroup that a process is in, v1 or v2. Throws where it is not to be found or may not be read. */
export function cgroupMeterOf(pid: number, roots: CgroupRoots = MACHINE): CgroupMeter {
  const memberships = readFileSync(join(roots.proc, String(pid), 'cgroup'), 'utf8')
    .trim()
    .split('\n');
  const mounts = readMounts(readFileSync(join(roots.proc, 'self', 'mountinfo'), 'utf8'));
  const folderOf = (controller: string | null): string | null => {
    const path = membership(memberships, controller);
    const mount = mounts.find((entry) =>
      controller === null ? entry.type === 'cgroup2' : entry.options.has(controller),
    );
    if (path === null || mount === undefined) return null;
    // A mount may show a part of the hierarchy only: inside a container its own.
    const below = mount.root === '/' ? path : path.startsWith(mount.root) ? path.slice(mount.root.length) : path;
    return join(roots.mountPrefix, mount.point, below);
  };
  const cpuacct = folderOf('cpuacct');
  const memory = folderOf('memory');
  if (cpuacct !== null && memory !== null) return neverBack(cgroupV1Meter({ cpuacct, memory }));
  const unified = folderOf(null);
  if (unified !== null) return neverBack(cgroupV2Meter(unified));
  throw new Error(`The cgroup of process ${pid} is not to be found under the mounts of this machine.`);
}

/** Adds up several meters: a database and the pooler before it. */
export function sumOfMeters(meters: ResourceMeter[]): ResourceMeter {
  return {
    cpuNs: () => meters.reduce((sum, meter) => sum + meter.cpuNs(), 0),
    memoryBytes: () => meters.reduce((sum, meter) => sum + meter.memoryBytes(), 0),
  };
}

function neverBack(meter: CgroupMeter): CgroupMeter {
  let highest = 0;
  return {
    ...meter,
    cpuNs() {
      highest = Math.max(highest, meter.cpuNs());
      return highest;
    },
  };
}

function membership(lines: string[], controller: string | null): string | null {
  for (const line of lines) {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controller === null ? line.startsWith('0::') : controllers.split(',').includes(controller)) return path;
  }
  return null;
}

interface Mount {
  root: string;
  point: string;
  type: string;
  options: Set<string>;
}

/** Lines of `mountinfo`: id parent device ROOT POINT options [optional …] - TYPE source SUPER-OPTIONS. */
function readMounts(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split('\n')) {
    const [left = '', right = ''] = line.split(' - ');
    const [, , , root, point] = left.split(' ');
    const [type, , options = ''] = right.split(' ');
    if (root === undefined || point === undefined || (type !== 'cgroup' && type !== 'cgroup2')) continue;
    const names = type === 'cgroup2' ? [] : options.split(',');
    mounts.push({ root, point: unescapePath(point), type, options: new Set(names) });
  }
  return mounts;
}

function unescapePath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Folders of one container in the hierarchies of cgroup v1, absolute. */
interface CgroupV1Folders {
  cpuacct: string;
  memory: string;
}

/**
 * Memory: `total_rss` (anonymous memory) and kernel memory, where sockets are counted by themselves. Page cache, shared
 * memory and tmpfs stay out. Throws where the files cannot be opened.
 */
function cgroupV1Meter(folders: CgroupV1Folders): CgroupMeter {
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
    pids: () => pidsIn(folders.cpuacct),
    close: () => {
      for (const file of [usage, stat, oom, ...kernel]) file.close();
    },
  };
}

/** What `kernel` holds on kernels that do not add it up themselves (before 5.18). */
const KERNEL_PARTS = ['kernel_stack', 'pagetables', 'percpu', 'vmalloc', 'slab'];

/** `folder`: that of one container, absolute. Memory: `anon`, `sock` and `kernel`. Throws where a file cannot be opened. */
function cgroupV2Meter(folder: string): CgroupMeter {
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
    pids: () => pidsIn(folder),
    close: () => {
      for (const file of [cpu, stat, events]) file.close();
    },
  };
}

/** Those in cgroups below it are left out: a container's program seldom makes any. */
function pidsIn(folder: string): number[] {
  try {
    const lines = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n');
    // 0: a process that this namespace does not show.
    return lines.map(Number).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}
