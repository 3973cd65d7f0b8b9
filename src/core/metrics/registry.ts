import { counts } from './counts.ts';
import { cpuPerRequest, databaseCpuPerRequest } from './cpu.ts';
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
  ...memories,
  ...counts,
];
