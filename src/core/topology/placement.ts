import { formatCpuList, parseCpuList } from '../config/cpu-list.ts';
import { isPartial } from '../config/cpu-quota.ts';
import type { Placement, PlacementChoice, Service } from '../config/resolved.ts';

/** The CPUs that this program may use; one entry for each hardware thread. */
export interface CpuTopology {
  cpus: LogicalCpu[];
}

interface LogicalCpu {
  id: number;
  /** Number of the physical core inside its package: threads with the same one are siblings. */
  core: number;
  package: number;
}

/**
 * Who runs where. `auto`: up to 2 CPUs server and database on one, generator on the other; up to 4 CPUs, or 2 physical
 * cores, one half each; more: a part of its own for each. Siblings are never parted where there is a second physical core.
 * Throws a `RangeError` for a topology without CPUs.
 */
export function placementOf(topology: CpuTopology, choice: PlacementChoice): Placement {
  if (choice !== 'auto') return choice;
  const count = topology.cpus.length;
  if (count === 0) throw new RangeError('There is no CPU to place anything on.');
  if (count === 1) return together(topology.cpus);
  const cores = physicalCores(topology);
  const units = cores.length > 1 ? cores : topology.cpus.map((cpu) => [cpu.id]);
  if (units.length === 2 || count === 2 || count === 4) return halves(units);
  return thirds(units);
}

/**
 * Who runs where while this service is measured: on so many of the CPUs for services as its spec says, the first ones; with
 * a part of a CPU on the whole of it.
 */
export function placementFor({ cpus }: Pick<Service, 'cpus'>, placement: Placement): Placement {
  const list = parseCpuList(placement.service);
  if (cpus === undefined || list === null || cpus >= list.length) return placement;
  const service = formatCpuList(list.slice(0, Math.ceil(cpus)));
  // What shares the service's CPUs goes with it: the server's part is then full when these are.
  const isShared = formatCpuList(parseCpuList(placement.database) ?? []) === formatCpuList(list);
  return { ...placement, service, database: isShared ? service : placement.database };
}

/** Services that are to have more CPUs than there are for services; a sentence for each. */
export function cpuWarnings(services: readonly Service[], placement: Placement): string[] {
  const count = parseCpuList(placement.service)?.length;
  return services.flatMap(({ name, cpus }) =>
    cpus === undefined || count === undefined || cpus <= count
      ? []
      : [
          `${name} is to run on ${cpus} CPUs, and services have ${count} here (${placement.service}): it runs on ${count === 1 ? 'that one' : 'those'}${isPartial(cpus) ? ', without a limit of CPU time' : ''}.`,
        ],
  );
}

/** What a reader of the numbers must know about a placement; one sentence for each matter. */
export function placementWarnings(topology: CpuTopology, placement: Placement): string[] {
  const warnings: string[] = [];
  const known = new Set(topology.cpus.map((cpu) => cpu.id));
  const sets = { service: new Set<number>(), database: new Set<number>(), generator: new Set<number>() };
  for (const part of ['service', 'database', 'generator'] as const) {
    const cpus = parseCpuList(placement[part]);
    if (cpus === null) {
      warnings.push(
        `placement.${part} is '${placement[part]}', which is not a list of CPUs: write it as 0, 0-1 or 0,2-3.`,
      );
      continue;
    }
    const missing = cpus.filter((cpu) => !known.has(cpu));
    if (missing.length > 0) {
      const all = formatCpuList([...known]);
      warnings.push(
        `placement.${part} names CPU ${formatCpuList(missing)}, which this machine does not have or may not use; it has ${all}.`,
      );
    }
    sets[part] = new Set(cpus);
  }
  const shared = [...sets.generator].filter((cpu) => sets.service.has(cpu) || sets.database.has(cpu));
  if (shared.length > 0) {
    warnings.push(
      `The generator shares CPU ${formatCpuList(shared)} with what it measures: throughput and latency show both. ` +
        'Use a machine with 2 CPUs or more, or a placement with parts of their own.',
    );
    return warnings;
  }
  const split = splitCores(topology, sets.generator, new Set([...sets.service, ...sets.database]));
  if (split.length > 0) {
    warnings.push(
      `CPU ${split.join(' and ')} are siblings of one physical core, one under the generator and one under the server: ` +
        'they slow each other down.',
    );
  }
  return warnings;
}

/** CPU numbers by physical core, in the order of package and core. */
function physicalCores(topology: CpuTopology): number[][] {
  const sorted = [...topology.cpus].sort((a, b) => a.package - b.package || a.core - b.core || a.id - b.id);
  const cores = new Map<string, number[]>();
  for (const cpu of sorted) {
    const key = `${cpu.package}/${cpu.core}`;
    cores.set(key, [...(cores.get(key) ?? []), cpu.id]);
  }
  return [...cores.values()];
}

function together(cpus: LogicalCpu[]): Placement {
  const all = formatCpuList(cpus.map((cpu) => cpu.id));
  return { service: all, database: all, generator: all };
}

function halves(units: number[][]): Placement {
  const half = Math.floor(units.length / 2);
  const server = formatCpuList(units.slice(0, half).flat());
  return { service: server, database: server, generator: formatCpuList(units.slice(half).flat()) };
}

/** What is left over goes to the generator first, which must never be the narrow place, then to the service. */
function thirds(units: number[][]): Placement {
  const third = Math.floor(units.length / 3);
  const rest = units.length % 3;
  const service = third + (rest === 2 ? 1 : 0);
  return {
    service: formatCpuList(units.slice(0, service).flat()),
    database: formatCpuList(units.slice(service, service + third).flat()),
    generator: formatCpuList(units.slice(service + third).flat()),
  };
}

function splitCores(topology: CpuTopology, generator: Set<number>, server: Set<number>): string[] {
  return physicalCores(topology)
    .filter((core) => core.some((cpu) => generator.has(cpu)) && core.some((cpu) => server.has(cpu)))
    .map((core) => formatCpuList(core));
}
