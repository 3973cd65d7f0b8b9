import type { Case } from '../../core/config/case.ts';
import type { Placement } from '../../core/config/resolved.ts';
import type { CpuOfParts, CpuReadings } from '../../core/measurement/measurement.ts';
import type { Testbed } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { areApart, cpusOfServer } from './placement.ts';

/** All meters of one side at one moment. Synchronous: a few small files. */
export interface Readings {
  serviceNs: number;
  databaseNs: number;
  gatewayNs: number;
  /** By name; empty where there are none. */
  dependenciesNs: Record<string, number>;
  /** Of the service's main threads; null where the system does not show it. */
  mainThreadsNs: number | null;
  busyNs: number;
  stealNs: number;
  /** Of the generator's CPUs. */
  generatorBusyNs: number;
  ownNs: number;
  accepted: number;
  wallMs: number;
  monotonicNs: number;
}

export function readings(
  testbed: Testbed,
  testCase: Case,
  placement: Placement,
  { clock, cpus }: Pick<MeasuringAdapters, 'clock' | 'cpus'>,
): Readings {
  const { busyNs, stealNs } = cpus.read(cpusOfServer(placement));
  return {
    ...partReadings(testbed),
    busyNs,
    stealNs,
    generatorBusyNs: cpus.read(placement.generator).busyNs,
    ownNs: cpus.ownNs(),
    accepted: testbed.acceptedConnections(testCase.route),
    wallMs: clock.now().getTime(),
    monotonicNs: clock.monotonicNs(),
  };
}

/** CPU time of each part of a testbed. */
export type PartReadings = Pick<
  Readings,
  'serviceNs' | 'databaseNs' | 'gatewayNs' | 'dependenciesNs' | 'mainThreadsNs'
>;

/** What each part has used between two readings. */
export function partsBetween(before: PartReadings, after: PartReadings): CpuOfParts {
  const { mainThreadsNs: from } = before;
  const { mainThreadsNs: to } = after;
  const beside = Object.entries(after.dependenciesNs);
  return {
    serviceNs: after.serviceNs - before.serviceNs,
    databaseNs: after.databaseNs - before.databaseNs,
    gatewayNs: after.gatewayNs - before.gatewayNs,
    ...(beside.length === 0
      ? {}
      : {
          dependenciesNs: Object.fromEntries(
            beside.map(([name, ns]) => [name, ns - (before.dependenciesNs[name] ?? 0)]),
          ),
        }),
    ...(from === null || to === null ? {} : { mainThreadsNs: to - from }),
  };
}

export function partReadings(testbed: Testbed): PartReadings {
  const { service, database, gateway, dependencies } = testbed.meters;
  return {
    serviceNs: service.cpuNs(),
    databaseNs: database?.cpuNs() ?? 0,
    gatewayNs: gateway?.cpuNs() ?? 0,
    dependenciesNs: Object.fromEntries(Object.entries(dependencies).map(([name, meter]) => [name, meter.cpuNs()])),
    mainThreadsNs: testbed.mainThreadsNs(),
  };
}

/** CPU time of all parts of a testbed. */
export function testbedCpuNs({ meters: { service, database, gateway, dependencies } }: Testbed): number {
  const beside = Object.values(dependencies).reduce((sum, meter) => sum + meter.cpuNs(), 0);
  return service.cpuNs() + (database?.cpuNs() ?? 0) + (gateway?.cpuNs() ?? 0) + beside;
}

/** What the thread that used the most has used between two readings; null where none was shown. */
export function busiestOf(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number | null {
  if (before.size === 0 || after.size === 0) return null;
  return Math.max(...[...after].map(([thread, ns]) => ns - (before.get(thread) ?? 0)));
}

/** What was used between two readings. */
export function cpuBetween(
  before: Readings,
  after: Readings,
  generatorNs: number,
  placement: Placement,
  { cpus }: Pick<MeasuringAdapters, 'cpus'>,
): CpuReadings {
  return {
    windowNs: after.monotonicNs - before.monotonicNs,
    ...partsBetween(before, after),
    generatorNs,
    ownNs: after.ownNs - before.ownNs,
    busyNs: after.busyNs - before.busyNs,
    stealNs: after.stealNs - before.stealNs,
    ...(areApart(placement) ? { generatorBusyNs: after.generatorBusyNs - before.generatorBusyNs } : {}),
    serverCpuCount: cpus.count(cpusOfServer(placement)),
    generatorCpuCount: cpus.count(placement.generator),
  };
}
