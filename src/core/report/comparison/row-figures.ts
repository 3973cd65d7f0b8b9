import { candidateFigure } from '../../comparison/candidate-figure.ts';
import type { CaseComparison, MetricComparison } from '../../comparison/comparison.ts';
import { metricNamed } from '../../metrics/registry.ts';
import { inReportOrder } from './metric-words.ts';

/**
 * The candidate's figure of a metric in a row that shows others of the same case. Each percentile of a latency is its own baseline times its
 * own change, and p50 may come out above p99: then all of them are as they were published, which are of the same trials.
 */
export function rowFigure({ metrics }: Pick<CaseComparison, 'metrics'>, metric: string): number | null {
  const compared = metrics[metric]!;
  return isPercentile(metric) && !areOrdered(metrics) ? compared.candidate : candidateFigure(compared);
}

/** Whether no percentile that a row shows is above a higher one, as a candidate's figures stand beside changes. */
export function areOrdered(metrics: Readonly<Record<string, MetricComparison>>): boolean {
  const names = inReportOrder(
    Object.keys(metrics).filter((name) => isPercentile(name) && isShown(name, metrics[name]!)),
  );
  const values = names.flatMap((name) => candidateFigure(metrics[name]!) ?? []);
  return values.every((value, at) => at === 0 || values[at - 1]! <= value);
}

/** No mean: it may well be above p50, and above p99 too. */
function isPercentile(metric: string): boolean {
  return /^latency-p\d+$/.test(metric);
}

function isShown(metric: string, { verdict, brokenLimit }: MetricComparison): boolean {
  return metricNamed(metric)?.alwaysCompared === true || verdict !== null || brokenLimit !== null;
}
