import { anyPresent, figure, percentileKey, present } from '../figures.ts';
import type { GeneratorErrors, GeneratorOutcome, LatencyMs } from '../outcome.ts';

/**
 * Metric name → value name → value; times in milliseconds. What every form of k6's summary is brought to: a counter
 * `{count, rate}`, a gauge `{value, min, max}`, a trend `{avg, min, med, max, p(90), …}`, a rate `{trues, falses}`.
 */
export type K6Metrics = Map<string, Record<string, number | undefined>>;

/** Counters of the script in `script.ts`: why a request failed, which `http_req_failed` does not say. */
export const FAILURE_KINDS = ['connect', 'read', 'write', 'timeout', 'status'] as const;
export const failureMetric = (kind: string) => `wrkbench_errors_${kind}`;

/**
 * The metrics that are tagged so, under their plain names and without rates, which k6 takes over the whole test.
 * `tags` as k6 writes them: `{scenario:load}`.
 */
export function taggedMetrics(metrics: K6Metrics, tags: string): K6Metrics {
  const apart = [...metrics].flatMap(([name, { rate: _, ...values }]) =>
    name.endsWith(tags) ? [[name.slice(0, -tags.length), values] as const] : [],
  );
  return new Map(apart);
}

/** The outcome that a summary's metrics amount to. A metric without samples is not in a summary, so its figure is absent. */
export function outcomeOfMetrics(metrics: K6Metrics, durationSeconds: number | undefined): GeneratorOutcome<'k6'> {
  const of = (metric: string, value: string) => figure(metrics.get(metric)?.[value]);
  const requests = of('http_reqs', 'count');
  return {
    tool: 'k6',
    ...present({
      requests,
      failedRequests: of('http_req_failed', 'trues'),
      durationSeconds,
      throughput: of('http_reqs', 'rate') ?? perSecond(requests, durationSeconds),
      bytes: of('data_received', 'count'),
      bytesPerSecond: of('data_received', 'rate'),
      connections: of('vus_max', 'max'),
      latencyMs: latencies(metrics.get('http_req_duration') ?? {}),
      phasesMs: phases(metrics),
      errors: errors(metrics),
      droppedIterations: of('dropped_iterations', 'count'),
    }),
  };
}

function perSecond(count: number | undefined, seconds: number | undefined): number | undefined {
  return count === undefined || seconds === undefined || seconds === 0 ? undefined : count / seconds;
}

function latencies(values: Record<string, number | undefined>): LatencyMs | undefined {
  const percentiles: LatencyMs = {};
  for (const [name, value] of Object.entries(values)) {
    const percentile = /^p\(?(\d+(?:\.\d+)?)\)?$/.exec(name)?.[1];
    const ms = figure(value);
    if (percentile !== undefined && ms !== undefined) percentiles[percentileKey(percentile)] = ms;
  }
  return anyPresent({
    mean: figure(values.avg),
    min: figure(values.min),
    max: figure(values.max),
    p50: figure(values.med),
    ...percentiles,
  });
}

/** Parts of a request; `http_req_duration` is sending, waiting and receiving, without connecting. */
function phases(metrics: K6Metrics): Record<string, LatencyMs> | undefined {
  const phase = (name: string) => latencies(metrics.get(`http_req_${name}`) ?? {});
  return anyPresent({
    connect: phase('connecting'),
    sending: phase('sending'),
    waiting: phase('waiting'),
    receiving: phase('receiving'),
  });
}

/** By kind where the script has counted kinds; what is left of k6's own total is `failed`. */
function errors(metrics: K6Metrics): GeneratorErrors | undefined {
  const kinds: GeneratorErrors = {};
  let explained = 0;
  for (const kind of FAILURE_KINDS) {
    const count = figure(metrics.get(failureMetric(kind))?.count);
    if (count === undefined) continue;
    kinds[kind] = count;
    explained += count;
  }
  const failed = figure(metrics.get('http_req_failed')?.trues);
  const rest = failed === undefined ? undefined : Math.max(0, failed - explained);
  return anyPresent({
    ...kinds,
    failed: rest === 0 && explained > 0 ? undefined : rest,
    // Since k6 1.0 text has a line for each sum of the checks.
    checks: figure(metrics.get('checks')?.falses ?? metrics.get('checks_failed')?.trues),
  });
}
