import type { SliceMeasurement } from '../record/measurement.ts';
import type { MetricDefinition } from './definition.ts';

/** Microseconds of CPU time for each request that was answered, as expected or not: an error costs as well. */
function perRequestUs(slice: SliceMeasurement, ns: number): number | null {
  const { requests, leadInRequests = 0 } = slice.outcome ?? {};
  return requests === undefined || requests === 0 ? null : ns / 1000 / (requests + leadInRequests);
}

export const cpuPerRequest: MetricDefinition = {
  name: 'cpu-per-request',
  title: 'CPU per request, service and database',
  unit: 'us',
  better: 'lower',
  ofSlice: (slice) => perRequestUs(slice, slice.cpu.serviceNs + slice.cpu.databaseNs),
};

export const databaseCpuPerRequest: MetricDefinition = {
  name: 'database-cpu-per-request',
  title: 'CPU per request, database',
  unit: 'us',
  better: 'lower',
  ofSlice: (slice) => (slice.statements === null ? null : perRequestUs(slice, slice.cpu.databaseNs)),
};
