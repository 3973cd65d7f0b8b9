import type { CaseComparison, Comparison, MetricComparison } from '../../comparison/comparison.ts';
import { signedPercent } from '../../format/percent.ts';
import type { IntervalChart, IntervalRow, Mark } from '../document.ts';
import type { CaseLabels } from './case-labels.ts';
import { judgedIn, metricOf } from './endpoint-groups.ts';
import { inReportOrder } from './metric-words.ts';

/**
 * A picture for each metric that is judged by its changes: each endpoint and service with its interval, its band
 * and its verdict, and cases where they have one by themselves. `isShown` leaves some out.
 */
export function intervalCharts(
  comparison: Comparison,
  labels: CaseLabels,
  isShown: (each: CaseComparison, metric: string) => boolean = () => true,
): IntervalChart[] {
  const cases = judgedIn(comparison);
  const names = inReportOrder(cases.flatMap(({ metrics }) => Object.keys(metrics)));
  return names.flatMap((metric): IntervalChart[] => {
    const shown = cases.flatMap((each) => {
      const compared = metricOf(each, metric);
      return compared !== null && isDrawn(compared) && isShown(each, metric) ? [{ key: each.key, compared }] : [];
    });
    if (shown.length === 0) return [];
    const rows = shown.map(({ key, compared }) => rowOf(labels.of(key), compared));
    const extent = extentOf(rows);
    const worse = shown[0]!.compared.better === 'lower' ? 'right' : 'left';
    const note = `${worse} is worse: a regression lies wholly ${worse} of its band`;
    return [{ title: labels.metric(metric), note, rows, extent, ticks: ticksOf(extent) }];
  });
}

function isDrawn({ change, interval, verdict, evidence }: MetricComparison): boolean {
  return change !== null && interval !== null && verdict !== null && evidence.mode !== 'exact';
}

function rowOf(label: string, { change, interval, adjusted, threshold, verdict }: MetricComparison): IntervalRow {
  const { mark, word } = signs[verdict!];
  return {
    label,
    change: change!,
    interval,
    adjusted,
    threshold: threshold?.kind === 'ratio' ? threshold.value : null,
    mark,
    word,
    figure: `${signedPercent(change!)} ${word}`,
  };
}

const signs: Record<NonNullable<MetricComparison['verdict']>, { mark: Mark; word: string }> = {
  regression: { mark: 'fail', word: 'worse' },
  improvement: { mark: 'pass', word: 'better' },
  'no-change': { mark: 'none', word: 'no change' },
  inconclusive: { mark: 'undecided', word: 'undecided' },
  'not-measured': { mark: 'invalid', word: 'not measured' },
  invalid: { mark: 'invalid', word: 'invalid' },
  new: { mark: 'none', word: 'new' },
};

/** All changes and bands, and the intervals as far as they do not make all else small. */
export function extentOf(rows: readonly IntervalRow[]): [number, number] {
  const most = 3 * Math.max(0.01, ...rows.flatMap(({ change, threshold }) => [Math.abs(change), threshold ?? 0]));
  const ends = rows
    .flatMap(({ threshold, interval, adjusted }) => [
      threshold ?? 0,
      -(threshold ?? 0),
      ...(interval ?? []),
      ...(adjusted ?? []),
    ])
    .map((end) => Math.max(-most, Math.min(most, end)));
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const margin = (high - low) * 0.04;
  return [low - margin, high + margin];
}

/** At round figures, five to nine of them. */
export function ticksOf([low, high]: [number, number]): IntervalChart['ticks'] {
  const rough = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => {
    const value = Number(((first + index) * step).toPrecision(12));
    return { value, figure: value === 0 ? '0' : `${value > 0 ? '+' : ''}${Number((value * 100).toPrecision(6))} %` };
  });
}
