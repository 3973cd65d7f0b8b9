import type { LatencyMs } from '../generators/outcome.ts';
import type { MetricDefinition } from './definition.ts';

/** As the generator defines latency: never compared across generators. */
function latency(name: string, title: string, key: keyof LatencyMs): MetricDefinition {
  return {
    name: `latency-${name}`,
    title,
    unit: 'ms',
    better: 'lower',
    ofSlice: (slice) => slice.outcome?.latencyMs?.[key] ?? null,
  };
}

export const latencies: MetricDefinition[] = [
  latency('mean', 'Latency, mean', 'mean'),
  latency('p50', 'Latency, p50', 'p50'),
  latency('p75', 'Latency, p75', 'p75'),
  latency('p90', 'Latency, p90', 'p90'),
  latency('p99', 'Latency, p99', 'p99'),
  latency('max', 'Latency, max', 'max'),
];
