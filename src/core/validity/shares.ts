import type { CpuReadings } from '../record/measurement.ts';
import type { Utilisation } from '../record/run-record.ts';

/** How full the CPUs of server (service, database, gateway; and others) and generator were; 1 is all of them, all the time. */
export function loadShares(cpu: CpuReadings): { generator: number; server: number; foreign: number } {
  const { service, database, gateway, generator, foreign } = utilisationOf(cpu);
  const serverCpus = Math.max(1, cpu.serverCpuCount);
  return {
    generator: generator / Math.max(1, cpu.generatorCpuCount),
    server: (service + database + gateway) / serverCpus,
    foreign: foreign / serverCpus,
  };
}

/** Shares of one core. */
export function utilisationOf(cpu: CpuReadings): Utilisation {
  const ours = cpu.serviceNs + cpu.databaseNs + cpu.gatewayNs;
  return {
    service: cpu.serviceNs / cpu.windowNs,
    database: cpu.databaseNs / cpu.windowNs,
    gateway: cpu.gatewayNs / cpu.windowNs,
    generator: cpu.generatorNs / cpu.windowNs,
    own: cpu.ownNs / cpu.windowNs,
    // The kernel counts busy time in ticks of 10 ms and ours exactly: a little less than nothing is nothing.
    foreign: Math.max(0, cpu.busyNs - ours) / cpu.windowNs,
    steal: cpu.stealNs / cpu.windowNs,
  };
}
