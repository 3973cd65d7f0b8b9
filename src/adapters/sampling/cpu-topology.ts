import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import type { CpuTopology } from '../../core/topology/placement.ts';

/** The CPUs that this process may use, with core and package as the kernel numbers them. */
export function readCpuTopology(sys = '/sys/devices/system/cpu', status = '/proc/self/status'): CpuTopology {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(status, 'utf8'))?.[1] ?? '0';
  const number = (cpu: number, name: string, fallback: number): number => {
    try {
      return Number(readFileSync(join(sys, `cpu${cpu}`, 'topology', name), 'utf8'));
    } catch {
      // Some virtual machines show no topology: each CPU then counts as a core of its own.
      return fallback;
    }
  };
  const cpus = parseCpuList(allowed) ?? [0];
  return {
    cpus: cpus.map((id) => ({
      id,
      core: number(id, 'core_id', id),
      package: number(id, 'physical_package_id', 0),
    })),
  };
}
