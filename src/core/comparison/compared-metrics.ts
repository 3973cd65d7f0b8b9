import { metricsOf } from '../metrics/registry.ts';
import type { Comparing, RunRecord } from '../record/run-record.ts';
import { backgroundsOf } from './background-threads.ts';
import { comparedCases } from './compared-case.ts';
import { type ComparedMetric, comparedMetricOf } from './compared-metric.ts';
import { serviceErrorRate, withCountErrorRates } from './error-rates.ts';
import { endpointLoads, endpointOf } from './gating.ts';
import { withLevels } from './levels.ts';

/**
 * Every metric that either side has, of every case, in the order of the registry, and after them what is judged for endpoints and
 * services; all that a comparison rests on.
 */
export function comparedMetricsOf(record: RunRecord & { comparing: Comparing }): ComparedMetric[] {
  const metrics = metricsOf(record.spec);
  const loads = endpointLoads(record.cases);
  const compared = comparedCases(record);
  const backgrounds = new Map(
    metrics.map((metric) => [metric, backgroundsOf(metric, compared, loads, record.comparing.mode)]),
  );
  const ofCases = compared.flatMap((each) => {
    const load = loads.get(endpointOf((each.candidate ?? each.baseline)!))!;
    return metrics.flatMap(
      (metric) =>
        comparedMetricOf(metric, each, load, record.comparing, backgrounds.get(metric)!.get(each.key) ?? null) ?? [],
    );
  });
  return withCountErrorRates(withLevels(ofCases), serviceErrorRate(record));
}
