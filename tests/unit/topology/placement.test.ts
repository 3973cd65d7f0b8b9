import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCpuList } from '../../../src/core/config/cpu-list.ts';
import { type CpuTopology, placementOf, placementWarnings } from '../../../src/core/topology/placement.ts';

/** `threads` CPUs for each of `cores` cores, numbered as Linux does on most machines: all first threads, then all second. */
function machine(cores: number, threads: number, packages = 1): CpuTopology {
  const cpus = Array.from({ length: cores * threads }, (_, id) => ({
    id,
    core: id % cores,
    package: Math.floor(((id % cores) * packages) / cores),
  }));
  return { cpus };
}

describe('placement auto', () => {
  it.each([
    ['1 CPU: everything on it', machine(1, 1), { service: '0', database: '0', generator: '0' }],
    ['2 CPUs: server and database on one', machine(2, 1), { service: '0', database: '0', generator: '1' }],
    ['2 threads of one core', machine(1, 2), { service: '0', database: '0', generator: '1' }],
    ['2 cores of 2 threads: a pair each', machine(2, 2), { service: '0,2', database: '0,2', generator: '1,3' }],
    ['4 cores: two each', machine(4, 1), { service: '0-1', database: '0-1', generator: '2-3' }],
    ['3 cores: one each', machine(3, 1), { service: '0', database: '1', generator: '2' }],
    [
      '4 cores of 2 threads: what is left to the generator',
      machine(4, 2),
      { service: '0,4', database: '1,5', generator: '2-3,6-7' },
    ],
    ['5 cores: then to the service', machine(5, 1), { service: '0-1', database: '2', generator: '3-4' }],
    ['8 cores of 2 threads', machine(8, 2), { service: '0-2,8-10', database: '3-4,11-12', generator: '5-7,13-15' }],
    [
      '2 cores of 4 threads: a core each',
      machine(2, 4),
      { service: '0,2,4,6', database: '0,2,4,6', generator: '1,3,5,7' },
    ],
  ])('%s', (_, topology, placement) => {
    expect(placementOf(topology, 'auto')).toEqual(placement);
    const single = topology.cpus.length === 1 || (topology.cpus.length === 2 && topology.cpus[1]?.core === 0);
    expect(placementWarnings(topology, placement)).toHaveLength(single ? 1 : 0);
  });

  it('keeps cores of different packages apart that have the same number', () => {
    const cpus = [0, 1, 2, 3, 4, 5].map((id) => ({ id, core: id % 3, package: Math.floor(id / 3) }));
    expect(placementOf({ cpus }, 'auto')).toEqual({ service: '0-1', database: '2-3', generator: '4-5' });
  });

  it('uses allowed CPUs only, whatever their numbers', () => {
    const cpus = [5, 9].map((id) => ({ id, core: id, package: 0 }));
    expect(placementOf({ cpus }, 'auto')).toEqual({ service: '5', database: '5', generator: '9' });
  });

  it('cannot place anything on nothing', () => {
    expect(() => placementOf({ cpus: [] }, 'auto')).toThrow(new RangeError('There is no CPU to place anything on.'));
  });

  it('never lets the generator share a CPU, or with more than one core a core, and leaves no CPU idle', () => {
    const topologies = fc
      .tuple(fc.integer({ min: 1, max: 24 }), fc.constantFrom(1, 2, 4))
      .filter(([c, t]) => c * t > 1);
    fc.assert(
      fc.property(topologies, ([cores, threads]) => {
        const topology = machine(cores, threads);
        const placement = placementOf(topology, 'auto');
        const [service, database, generator] = [placement.service, placement.database, placement.generator].map(
          (list) => parseCpuList(list) ?? [],
        ) as [number[], number[], number[]];
        const server = new Set([...service, ...database]);
        expect(generator.filter((cpu) => server.has(cpu))).toEqual([]);
        expect(new Set([...server, ...generator]).size).toBe(cores * threads);
        const coresOf = (cpus: Iterable<number>) => new Set([...cpus].map((cpu) => cpu % cores));
        if (cores > 1) expect([...coresOf(generator)].filter((core) => coresOf(server).has(core))).toEqual([]);
        for (const part of [service, database, generator]) expect(part.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a placement of one’s own', () => {
  it('is taken as it is', () => {
    const choice = { service: '1', database: '0', generator: '2-3' };
    expect(placementOf(machine(4, 1), choice)).toBe(choice);
    expect(placementWarnings(machine(4, 1), choice)).toEqual([]);
  });

  it('is warned about where it cannot work or spoils what it measures', () => {
    const warnings = placementWarnings(machine(2, 2), { service: 'all', database: '0,9', generator: '0-1' });
    expect(warnings).toEqual([
      "placement.service is 'all', which is not a list of CPUs: write it as 0, 0-1 or 0,2-3.",
      'placement.database names CPU 9, which this machine does not have or may not use; it has 0-3.',
      'The generator shares CPU 0 with what it measures: throughput and latency show both. Use a machine with 2 CPUs or more, or a placement with parts of their own.',
    ]);
  });

  it('is warned about where it parts siblings', () => {
    expect(placementWarnings(machine(2, 2), { service: '0', database: '1', generator: '2-3' })).toEqual([
      'CPU 0,2 and 1,3 are siblings of one physical core, one under the generator and one under the server: they slow each other down.',
    ]);
  });
});
