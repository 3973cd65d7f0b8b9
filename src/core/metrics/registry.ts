import { bytesPerResponse, queriesPerRequest, rowsPerRequest, syscallsPerRequest } from './counts.ts';
import { cpuPerRequest, databaseCpuPerRequest, dependenciesCpuPerRequest } from './cpu.ts';
import type { MetricDefinition } from './definition.ts';
import { latencies } from './latency.ts';
import { memories } from './memory.ts';
import { startUp } from './start-up.ts';
import { errors, soloThroughput, throughput } from './throughput.ts';

/** In the order that reports show them. */
export const metrics: readonly MetricDefinition[] = [
  throughput,
  soloThroughput,
  ...latencies,
  errors,
  cpuPerRequest,
  databaseCpuPerRequest,
  dependenciesCpuPerRequest,
  ...memories,
  startUp,
  queriesPerRequest,
  rowsPerRequest,
  bytesPerResponse,
  syscallsPerRequest,
];

const withDependencies = metrics.map((metric) => {
  const { titleWithDependencies: title, columns } = metric;
  if (title === undefined) return metric;
  return { ...metric, title, columns: { ...columns, resources: columns.resources === null ? null : title } };
});

/** What decides on what a metric counts, as a spec has it. */
interface Counted {
  dependencies?: readonly unknown[];
}

/** The same as they are called in a run of this spec. */
export function metricsOf({ dependencies = [] }: Counted): readonly MetricDefinition[] {
  return dependencies.length === 0 ? metrics : withDependencies;
}

const byName = new Map([metrics, withDependencies].map((all) => [all, new Map(all.map((each) => [each.name, each]))]));

/** Undefined where this wrkbench does not know it: a record may be of a later one. */
export function metricNamed(name: string, spec: Counted = {}): MetricDefinition | undefined {
  return byName.get(metricsOf(spec))!.get(name);
}

/** Whether two metrics tell the same: they are one, or of the same data (`sameDataAs`). */
export function tellTheSame(one: string, other: string): boolean {
  if (one === other) return true;
  const [data, others] = [one, other].map((name) => metricNamed(name)?.sameDataAs ?? null);
  return data !== null && data === others;
}
