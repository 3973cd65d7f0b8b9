import { bytesPerResponse, queriesPerRequest, rowsPerRequest, syscallsPerRequest } from './counts.ts';
import { cpuPerRequest, databaseCpuPerRequest, dependenciesCpuPerRequest } from './cpu.ts';
import type { MetricDefinition } from './definition.ts';
import { latencies } from './latency.ts';
import { memories } from './memory.ts';
import { errors, throughput } from './throughput.ts';

/** In the order that reports show them. */
export const metrics: readonly MetricDefinition[] = [
  throughput,
  ...latencies,
  errors,
  cpuPerRequest,
  databaseCpuPerRequest,
  dependenciesCpuPerRequest,
  ...memories,
  queriesPerRequest,
  rowsPerRequest,
  bytesPerResponse,
  syscallsPerRequest,
];

const byName = new Map(metrics.map((metric) => [metric.name, metric]));

/** Undefined where this wrkbench does not know it: a record may be of a later one. */
export function metricNamed(name: string): MetricDefinition | undefined {
  return byName.get(name);
}

/** Whether two metrics tell the same: they are one, or of the same data (`sameDataAs`). */
export function tellTheSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [data, others] = [one, other].map((name) => metricNamed(name)?.sameDataAs ?? null);
  return data !== null && data === others;
}
