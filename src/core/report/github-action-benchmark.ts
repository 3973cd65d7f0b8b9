import { visible } from '../format/text.ts';
import type { RunRecord } from '../record/run-record.ts';
import { type PublishedMetric, publishedMetrics } from './published-metrics.ts';

/**
 * The list that github-action-benchmark reads with `tool: customSmallerIsBetter`: latencies, CPU, memory, counts.
 * It knows one direction a file, so that throughput has a format of its own. Described under "Examples", custom
 * benchmarks, in https://github.com/benchmark-action/github-action-benchmark#readme: name, unit, value, and optionally
 * range and extra.
 */
export function githubActionBenchmark(record: RunRecord): string {
  return listed(record, 'lower');
}

/** The same for `tool: customBiggerIsBetter`: throughput. */
export function githubActionBenchmarkBigger(record: RunRecord): string {
  return listed(record, 'higher');
}

function listed(run: RunRecord, better: PublishedMetric['better']): string {
  const entries = publishedMetrics(run)
    .filter((metric) => metric.better === better)
    .map(({ record, name, metric, extent }) => ({
      name: visible(`${record.key} ${name}`),
      unit: metric.unit,
      value: metric.value,
      ...(extent === null ? {} : { range: `± ${Number(((extent.max - extent.min) / 2).toPrecision(3))}` }),
      extra: `wrkbench ${run.tool.version}, run ${run.id}\n${run.environment.cpuModel}`,
    }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}
