import type { CpuReadings } from '../record/measurement.ts';
import type { Utilisation } from '../record/run-record.ts';

/** How full the CPUs of server (service, database and gateway) and generator were; 1 is all of them all the time. */
export function loadShares(cpu: CpuReadings, durationNs: number): { generator: number; server: number } {
  return {
    generator: cpu.generatorNs / durationNs / Math.max(1, cpu.generatorCpuCount),
    server: (cpu.serviceNs + cpu.databaseNs + cpu.gatewayNs) / durationNs / Math.max(1, cpu.serverCpuCount),
  };
}

/** Shares of one core. */
export function utilisationOf(cpu: CpuReadings, durationNs: number): Utilisation {
  const ours = cpu.serviceNs + cpu.databaseNs + cpu.gatewayNs;
  return {
    service: cpu.serviceNs / durationNs,
    database: cpu.databaseNs / durationNs,
    gateway: cpu.gatewayNs / durationNs,
    generator: cpu.generatorNs / durationNs,
    // The kernel counts busy time in ticks of 10 ms and ours exactly: a little less than nothing is nothing.
    foreign: Math.max(0, cpu.busyNs - ours) / durationNs,
    steal: cpu.stealNs / durationNs,
  };
}
