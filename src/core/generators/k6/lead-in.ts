import { type K6Metrics, taggedMetrics } from './metrics.ts';

/**
 * An open model begins with arrivals that are not counted. Otherwise the first tens of milliseconds, in which k6 opens its
 * connections and has no virtual user free, are dropped iterations: 6 % of a trial of 1 s.
 *
 *     ├── lead-in, 1 s ──┤ 0.25 s ├──────── load ────────┤
 *       same rate, same    answers   what is counted
 *       virtual users      come in
 */
export const LEAD_IN = { scenario: 'lead-in', durationSeconds: 1, pauseSeconds: 0.25 } as const;
export const LOAD = 'load';

export const leadInSeconds = LEAD_IN.durationSeconds + LEAD_IN.pauseSeconds;

/** In a duet it is the first part of one scenario, and may be shorter than the second that k6 asks of a scenario. */
export const duetLeadInSeconds = 0.3;

const counted = (metric: string) => `${metric}{scenario:${LOAD}}`;

/** k6 keeps a metric of one scenario apart only where a threshold is put on it; an empty one does. */
export function countedApart(metrics: readonly string[]): Record<string, []> {
  return Object.fromEntries(metrics.map((metric) => [counted(metric), []]));
}

/**
 * The metrics of the load alone, without rates (k6 takes them over the lead-in as well); null where nothing was counted
 * apart. `leadInRequests` is how many there were before.
 */
export function metricsOfLoad(metrics: K6Metrics): { metrics: K6Metrics; leadInRequests: number } | null {
  const requests = metrics.get(counted('http_reqs'))?.count;
  if (requests === undefined) return null;
  const apart = taggedMetrics(metrics, counted(''));
  const users = metrics.get('vus_max');
  return {
    metrics: new Map(users === undefined ? apart : [...apart, ['vus_max', users]]),
    leadInRequests: (metrics.get('http_reqs')?.count ?? requests) - requests,
  };
}
