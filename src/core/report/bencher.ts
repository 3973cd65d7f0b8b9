import { visible } from '../format/text.ts';
import type { RunRecord } from '../record/run-record.ts';
import { type PublishedMetric, publishedMetrics } from './published-metrics.ts';

/**
 * Bencher Metric Format, for `bencher run --adapter json`: benchmark → measure → value, lower_value, upper_value.
 * https://bencher.dev/docs/reference/bencher-metric-format
 *
 * A benchmark is a case. Bencher brings two measures with it: `throughput`, operations a second, and `latency`, which
 * it takes to be in nanoseconds; the mean goes there. All others carry their unit in their name.
 */
export function bencher(record: RunRecord): string {
  const benchmarks = new Map<string, [string, Metric][]>();
  for (const published of publishedMetrics(record)) {
    const name = visible(published.record.key).slice(0, longestName);
    benchmarks.set(name, [...(benchmarks.get(name) ?? []), measure(published)]);
  }
  const format = Object.fromEntries([...benchmarks].map(([name, measures]) => [name, Object.fromEntries(measures)]));
  return `${JSON.stringify(format, null, 2)}\n`;
}

interface Metric {
  value: number;
  lower_value?: number;
  upper_value?: number;
}

/** Characters that Bencher keeps of a benchmark's name. */
const longestName = 1024;

function measure({ name, metric, extent }: PublishedMetric): [string, Metric] {
  const [measureName, scale] = name === 'latency-mean' ? ['latency', 1e6] : [nameWithUnit(name, metric.unit), 1];
  const scaled = (value: number) => (scale === 1 ? value : Math.round(value * scale));
  const bounds = extent === null ? {} : { lower_value: scaled(extent.min), upper_value: scaled(extent.max) };
  return [measureName, { value: scaled(metric.value), ...bounds }];
}

function nameWithUnit(name: string, unit: string): string {
  return unit === 'ms' || unit === 'us' || unit === 'bytes' ? `${name}-${unit}` : name;
}
