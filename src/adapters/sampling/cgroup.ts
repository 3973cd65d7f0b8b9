import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceMeter } from '../../app/ports/testbed.ts';
import type { CgroupMeter } from './cgroup-meter.ts';
import { cgroupV1Meter } from './cgroup-v1.ts';
import { cgroupV2Meter } from './cgroup-v2.ts';

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
