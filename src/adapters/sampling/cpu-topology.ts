import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import type { CpuTopology } from '../../core/topology/placement.ts';

/** The CPUs that this process may use, with core and package as the kernel numbers them; without `/proc`, as many as there are. */
export function readCpuTopology(sys = '/sys/devices/system/cpu', status = '/proc/self/status'): CpuTopology {
  const number = (cpu: number, name: string, fallback: number): number => {
    try {
      return Number(readFileSync(join(sys, `cpu${cpu}`, 'topology', name), 'utf8'));
    } catch {
      // Some virtual machines show no topology: each CPU then counts as a core of its own.
      return fallback;
    }
  };
  const cpus = allowedCpus(status) ?? Array.from({ length: availableParallelism() }, (_, id) => id);
  return {
    cpus: cpus.map((id) => ({
      id,
      core: number(id, 'core_id', id),
      package: number(id, 'physical_package_id', 0),
    })),
  };
}

/** Null where there is no such file. */
function allowedCpus(status: string): number[] | null {
  let text: string;
  try {
    text = readFileSync(status, 'utf8');
  } catch {
    return null;
  }
  return parseCpuList(/^Cpus_allowed_list:\s*(\S+)/m.exec(text)?.[1] ?? '') ?? [0];
}
