import type { GateRules } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import { cpuPerRequest } from '../metrics/cpu.ts';
import { throughput } from '../metrics/throughput.ts';
import type { ComparedCase } from './compared-case.ts';
import { limitsFor } from './thresholds.ts';
import type { HeldMetric } from './unused-limits.ts';

/** What tells whether a request costs more; either of them is enough. */
export const COSTS = [throughput.name, cpuPerRequest.name];

/**
 * Services that are compared by cases of which none gates what a request costs, although that is limited: such a gate is green
 * for a candidate that costs twice as much, and default limits must not hide it.
 */
export function unjudgedServices(
  gate: GateRules,
  cases: readonly ComparedCase[],
  all: readonly HeldMetric[],
): Reason[] {
  const judged = new Set(
    all.flatMap(({ metric, service, gates }) => (gates && COSTS.includes(metric.name) ? [service] : [])),
  );
  const limited = cases.filter(
    ({ limitNames, baseline, candidate }) =>
      baseline?.status === 'valid' &&
      candidate?.status === 'valid' &&
      COSTS.some((metric) => Object.keys(limitsFor(gate, limitNames, metric)).length > 0),
  );
  const services = [...new Set(limited.map(({ service }) => service))].filter((service) => !judged.has(service));
  if (services.length === 0) return [];
  const message =
    `Neither throughput nor CPU per request of ${services.join(', ')} is judged, since no case of this run can be held to ` +
    'a limit of them: use `load: {preset: standard}`, or add cases of wrk (load.wrk).';
  return [{ code: 'limit-unused', message }];
}
