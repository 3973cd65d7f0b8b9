import { candidateFigure } from '../../comparison/candidate-figure.ts';
import type { MetricComparison } from '../../comparison/comparison.ts';
import type { ResolvedSpec } from '../../config/resolved.ts';
import { percent } from '../../format/percent.ts';
import { metricNamed, metrics } from '../../metrics/registry.ts';
import { changeFigure, metricFigure } from './change-figures.ts';

/** The metric's title, as every report of a run of this spec has it; its name where this wrkbench does not know it. */
export function metricTitle(metric: string, spec: Pick<ResolvedSpec, 'dependencies'>): string {
  return metricNamed(metric, spec)?.title ?? metric;
}

/** The same where there is little room, as in a table that a phone shows. */
export function narrowTitle(metric: string): string {
  const known = metricNamed(metric);
  return known?.words.title ?? known?.title ?? metric;
}

/** Names in the order that reports show metrics, those that are not known at the end. */
export function inReportOrder(names: Iterable<string>): string[] {
  const place = (name: string) => {
    const index = metrics.findIndex((metric) => metric.name === name);
    return index === -1 ? metrics.length : index;
  };
  return [...new Set(names)].sort((one, other) => place(one) - place(other));
}

/** Within a line of figures: `1.4 % CPU`. */
export function shortName(metric: string): string {
  return metricNamed(metric)?.words.short ?? metric;
}

/** `1.4 % higher CPU`, `2.9 % lower throughput` */
export function worseBy(metric: string, change: number): string {
  return `${percent(change)} ${metricNamed(metric)?.better === 'higher' ? 'lower' : 'higher'} ${shortName(metric)}`;
}

/** What a case does with a metric that changed: `costs 6.1 % more CPU per request`. */
export function changePhrase(metric: string, compared: MetricComparison): string {
  const { brokenLimit, change, baseline, candidate, verdict } = compared;
  if (brokenLimit !== null && verdict !== 'regression') {
    const [is, limit] = [candidate, brokenLimit.value].map((value) => metricFigure(metric, compared, value));
    const side = brokenLimit.kind === 'max' ? 'over' : 'under';
    return `has ${shortName(metric)} at ${is}, ${side} its limit of ${limit}`;
  }
  const sides = [baseline, candidateFigure(compared)];
  const figures = sides.map((value) => metricFigure(metric, compared, value)) as [string, string];
  const known = metricNamed(metric)?.words;
  if (known?.counts !== undefined) {
    // 5.003 of something looks like 5 of it.
    const isSmall = Number(figures[0]) === Number(figures[1]);
    return `${known.counts(...figures)}${isSmall ? ` (${changeFigure(metric, compared)})` : ''}`;
  }
  if (change === null || known === undefined) {
    return `has ${shortName(metric)} ${figures[1]} instead of ${figures[0]} (${changeFigure(metric, compared)})`;
  }
  return (change > 0 ? known.up : known.down).replace('%', percent(change));
}
