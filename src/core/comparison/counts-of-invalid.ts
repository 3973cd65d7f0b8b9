import type { ComparedMetric } from './compared-metric.ts';
import { isExact } from './gating.ts';
import { isGated } from './metric-comparison.ts';
import { limitsLevel } from './thresholds.ts';
import { endpointKey } from './unit-key.ts';

/**
 * Counts that cases have which are invalid under load: they were taken without load, and one more query is one more query. One of each
 * endpoint, whose cases all have the counts of the same passes; none where a valid case has them.
 */
export function countsOfInvalid(comparedMetrics: readonly ComparedMetric[]): ReadonlySet<ComparedMetric> {
  const counts = comparedMetrics.filter(
    (one) => isExact(one.metric) && isLimited(one) && one.baseline !== null && one.candidate !== null,
  );
  const told = new Set(counts.filter(isValid).map(placeOf));
  return new Set(
    counts.filter((one) => {
      if (told.has(placeOf(one))) return false;
      told.add(placeOf(one));
      return true;
    }),
  );
}

function isLimited(one: ComparedMetric): boolean {
  return isGated(one) || limitsLevel(one.limit);
}

function isValid({ case: { baseline, candidate } }: ComparedMetric): boolean {
  return baseline?.status === 'valid' && candidate?.status === 'valid';
}

function placeOf({ case: { service, endpoint }, metric }: ComparedMetric): string {
  return `${endpointKey(service, endpoint)} ${metric.name}`;
}
