import { metrics } from '../metrics/registry.ts';
import { spreadOf } from '../record/published.ts';
import type { CaseRecord, MetricRecord, RunRecord } from '../record/run-record.ts';

/** A figure fit for a program that keeps a history and raises alarms. */
export interface PublishedMetric {
  record: CaseRecord;
  name: string;
  better: 'higher' | 'lower';
  metric: MetricRecord;
  /** Lowest and highest of the solo samples; null where there are fewer than two. */
  extent: { min: number; max: number } | null;
}

/**
 * What other programs are given: valid cases of candidates that are no reference. They know neither invalid cases nor
 * references, and would raise alarms on both. A metric of a later wrkbench, whose better direction is not known here,
 * is left out.
 */
export function publishedMetrics(run: RunRecord): PublishedMetric[] {
  const references = new Set(run.spec.services.filter(({ role }) => role === 'reference').map(({ name }) => name));
  const cases = run.cases.filter(
    ({ status, variant, service }) => status === 'valid' && variant === 'candidate' && !references.has(service),
  );
  return cases.flatMap((record) =>
    metrics.flatMap(({ name, better }): PublishedMetric[] => {
      const metric = Object.hasOwn(record.metrics, name) ? record.metrics[name] : undefined;
      return metric === undefined ? [] : [{ record, name, better, metric, extent: extentOf(metric) }];
    }),
  );
}

function extentOf(metric: MetricRecord): PublishedMetric['extent'] {
  const spread = spreadOf(metric);
  return spread === null || spread.samples < 2 ? null : { min: spread.low, max: spread.high };
}
