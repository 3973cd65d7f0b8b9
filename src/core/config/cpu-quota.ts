import { parseCpuList } from './cpu-list.ts';

/**
 * In which the kernel counts. A service that has used its quota waits for the next period: with the kernel's usual 100 ms most
 * latencies would be multiples of that.
 */
export const CPU_PERIOD_US = 10_000;

/** The kernel takes no quota below 1 ms. */
export const LEAST_CPUS = 1000 / CPU_PERIOD_US;

/** Whether a spec's number of CPUs has a part of one. */
export function isPartial(cpus: number | undefined): cpus is number {
  return cpus !== undefined && !Number.isInteger(cpus);
}

/** How many CPUs' time the kernel is to let the service use; null where its CPUs are all that limits it. */
export function cpuQuotaOf({ cpus }: { cpus?: number }, placement: { service: string }): number | null {
  if (!isPartial(cpus)) return null;
  const count = parseCpuList(placement.service)?.length;
  return count !== undefined && cpus >= count ? null : cpus;
}

/** Of each period, in whole microseconds. */
export function quotaUs(cpus: number): number {
  return Math.round(cpus * CPU_PERIOD_US);
}
