import type { CaseComparison, Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { judgedIn, metricOf, unitFinder } from './endpoint-groups.ts';
import { inReportOrder } from './metric-words.ts';

/**
 * Metric → the largest change for the worse that is not excluded where nothing is found to have changed, over endpoints; over services
 * where only they are judged.
 */
export function mostChanges(comparison: Comparison): { metric: string; change: number }[] {
  const { cases, endpoints, services } = comparison;
  const unitFor = unitFinder(comparison);
  const names = inReportOrder(judgedIn(comparison).flatMap(({ metrics }) => Object.keys(metrics)));
  return names.flatMap((metric) => {
    const alone = cases.filter((each) => unitFor(each, metric) === null);
    const ofEndpoints = [...endpoints, ...alone];
    const isOfEndpoints = ofEndpoints.some((each) => (metricOf(each, metric)?.verdict ?? null) !== null);
    const found = worstEnds(isOfEndpoints ? ofEndpoints : services, metric);
    return found.length === 0 ? [] : [{ metric, change: Math.max(0, ...found) }];
  });
}

function worstEnds(judged: readonly CaseComparison[], metric: string): number[] {
  return judged.flatMap((each) => {
    const compared = metricOf(each, metric);
    return compared?.verdict === 'no-change' ? (worstEnd(compared) ?? []) : [];
  });
}

/** Of the interval that decides: how far for the worse a change can be, as a share; below 0 where it is better for sure. */
export function worstEnd({ adjusted, better }: MetricComparison): number | null {
  if (adjusted === null) return null;
  return better === 'lower' ? adjusted[1] : -adjusted[0];
}

/** Whether there is a figure of anything: there is none where no service started. */
export function isMeasured(comparison: Comparison): boolean {
  return judgedIn(comparison).some(({ metrics }) =>
    Object.values(metrics).some(({ baseline, candidate }) => baseline !== null || candidate !== null),
  );
}

/** Whether anything of it has a figure on both sides. */
export function isCompared(comparison: Comparison): boolean {
  return judgedIn(comparison).some(({ metrics }) =>
    Object.values(metrics).some(({ baseline, candidate }) => baseline !== null && candidate !== null),
  );
}

/** Of what was judged by repetition: the fewest and the most rounds (or past runs); null without any. */
export function roundsOf(comparison: Comparison): [number, number] | null {
  const counts = judgedIn(comparison).flatMap(({ metrics }) =>
    Object.values(metrics).flatMap(({ verdict, evidence }) =>
      verdict === null || evidence.mode === 'exact' || evidence.rounds === 0 ? [] : evidence.rounds,
    ),
  );
  return counts.length === 0 ? null : [Math.min(...counts), Math.max(...counts)];
}
