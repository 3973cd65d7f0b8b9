import type { MetricDefinition } from '../metrics/definition.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { type ComparedCase, referencesOf } from './compared-case.ts';
import { definitionOf } from './stored-history.ts';

/** A reference's case in the second record, and its figure in both. */
export interface ReferenceSeries {
  head: CaseRecord;
  values: { base: number; head: number };
}

/**
 * The same kind of case of a reference service, where both records have a valid one: what made it faster or slower was the
 * machine. Null where there is none, and for memory, which is no matter of speed.
 */
export function referenceSeriesOf(
  metric: MetricDefinition,
  { candidate }: ComparedCase,
  base: RunRecord,
  head: RunRecord,
): ReferenceSeries | null {
  if (!metric.followsTheMachine) return null;
  for (const service of referencesOf(head.spec)) {
    const key = [service, ...candidate!.key.split('/').slice(1)].join('/');
    const [was, is] = [base, head].map((record) =>
      record.cases.find(
        (each) =>
          each.key === key && each.variant === 'candidate' && each.status === 'valid' && figureOf(each, metric) > 0,
      ),
    );
    if (was && is && definitionOf(base, was) === definitionOf(head, is)) {
      return { head: is, values: { base: figureOf(was, metric), head: figureOf(is, metric) } };
    }
  }
  return null;
}

/** 0 where the case lacks it. */
function figureOf({ metrics }: CaseRecord, { name }: MetricDefinition): number {
  return Object.hasOwn(metrics, name) ? metrics[name]!.value : 0;
}
