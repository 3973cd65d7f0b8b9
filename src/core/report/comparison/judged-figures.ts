import type { CaseComparison, Comparison } from '../../comparison/comparison.ts';
import { median } from '../../statistics/quantile.ts';
import { judgedIn, metricOf, unitFinder } from './endpoint-groups.ts';
import { inReportOrder } from './metric-words.ts';

/**
 * Metric → the median, over the endpoints that it gates, of the smallest change that would have been seen; over services where only
 * they are judged.
 */
export function detectable(comparison: Comparison): { metric: string; change: number }[] {
  const { cases, endpoints, services } = comparison;
  const unitFor = unitFinder(comparison);
  const names = inReportOrder(judgedIn(comparison).flatMap(({ metrics }) => Object.keys(metrics)));
  return names.flatMap((metric) => {
    const alone = cases.filter((each) => unitFor(each, metric) === null);
    const ofEndpoints = seen([...endpoints, ...alone], metric);
    const found = ofEndpoints.length > 0 ? ofEndpoints : seen(services, metric);
    return found.length === 0 ? [] : [{ metric, change: median(found) }];
  });
}

function seen(judged: readonly CaseComparison[], metric: string): number[] {
  return judged.flatMap((each) => {
    const compared = metricOf(each, metric);
    return compared === null || compared.verdict === null ? [] : (compared.minimumDetectable ?? []);
  });
}

/** Of what was judged by repetition: the fewest and the most rounds (or past runs); null without any. */
export function roundsOf(comparison: Comparison): [number, number] | null {
  const counts = judgedIn(comparison).flatMap(({ metrics }) =>
    Object.values(metrics).flatMap(({ verdict, evidence }) =>
      verdict === null || evidence.mode === 'exact' || evidence.instances === 0 ? [] : evidence.instances,
    ),
  );
  return counts.length === 0 ? null : [Math.min(...counts), Math.max(...counts)];
}
