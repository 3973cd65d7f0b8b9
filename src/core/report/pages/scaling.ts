import { absent, barFigure, grouped, latency } from '../../format/figures.ts';
import { metricNamed } from '../../metrics/registry.ts';
import { linearAxis, logarithmicAxis } from '../analysis/axis.ts';
import type { Contest } from '../analysis/contest.ts';
import { type Scaling, scalingOf, validFigure } from '../analysis/scaling.ts';
import { left, right, type Section } from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import { toneOf } from '../panels.ts';
import type { LinesPicture } from '../pictures.ts';
import { scalingSentences } from '../sections/scaling-sentences.ts';
import type { ReportView } from '../view.ts';
import { atRate } from '../wording.ts';

/** Where one figure is more than this many times another, equal steps would hide all but the largest. */
const LOGARITHMIC_FROM = 20;

/** How throughput, or latency at a given rate, goes with the number of connections. Null where there is but one number. */
export function scalingSection(view: ReportView, contest: Contest): Section | null {
  const metric = contest.openModel ? 'latency-p50' : 'throughput';
  const scaled = (contest.of === 'services' ? [contest.rows[0]!] : contest.rows).flatMap(({ label, test }) => {
    const found = scalingOf(view.tests, test);
    if (found === null) return [];
    const rows = contest.of === 'services' ? found.rows : found.rows.map((row) => ({ ...row, label }));
    return [{ ...found, rows }];
  });
  const [first] = scaled;
  if (first === undefined) return null;
  const isSame = ({ connections }: Scaling) => connections.join() === first.connections.join();
  const scaling = { ...first, rows: scaled.filter(isSame).flatMap(({ rows }) => rows) };
  const definition = metricNamed(metric)!;
  const columns = scaling.connections.map((number) => right(`${grouped(number)} connections`));
  const rows = scaling.rows.map(({ label, entries }) => ({
    tone: entries[0] ? toneOf(entries[0], false) : ('plain' as const),
    cells: [
      label,
      ...entries.map((entry) => {
        if (entry === null) return absent;
        return `${entryFigure(entry, definition)}${atRate(entry)}${entry.valid ? '' : ' (invalid)'}`;
      }),
    ],
    looks: [null, ...entries.map((entry) => (entry === null || entry.valid ? null : ('invalid' as const)))],
  }));
  const sentences = contest.openModel ? [] : scalingSentences(scaling);
  const what = contest.openModel ? 'Latency, p50' : 'Requests per second';
  return {
    id: 'scaling',
    title: 'More connections',
    blocks: [
      {
        kind: 'paragraph',
        text: `${what}, with all else the same. Invalid cases are in the table and not in the picture.`,
      },
      { kind: 'picture', picture: pictureOf(scaling, metric, what) },
      {
        kind: 'table',
        table: {
          label: `${what} by connections`,
          columns: [left(contest.of === 'services' ? 'Service' : 'Endpoint'), ...columns],
          rows,
        },
      },
      ...(sentences.length === 0 ? [] : [{ kind: 'list' as const, items: sentences }]),
    ],
  };
}

function pictureOf({ connections, rows }: Scaling, metric: string, title: string): LinesPicture {
  const values = rows.flatMap(({ entries }) => entries.flatMap((entry) => validFigure(entry, metric) ?? []));
  const positive = values.filter((value) => value > 0);
  const isWide = positive.length > 0 && Math.max(...positive) / Math.min(...positive) > LOGARITHMIC_FROM;
  const axis = isWide ? logarithmicAxis(positive) : linearAxis(values);
  const most = Math.max(...axis.ticks);
  const tick = (value: number) => (metric === 'throughput' ? barFigure(value, most) : latency(value));
  return {
    form: 'lines',
    title: `${title} by connections`,
    note: `${isWide ? 'logarithmic, ' : ''}${metric === 'throughput' ? 'more is better' : 'less is better'}`,
    steps: connections.map(grouped),
    extent: axis.extent,
    logarithmic: axis.logarithmic,
    ticks: axis.ticks.map((value) => ({ value, figure: tick(value).replace(/\.0+(?=\D|$)/, '') })),
    lines: rows.flatMap(({ label, entries }) => {
      const points = entries.map((entry) => {
        const value = validFigure(entry, metric);
        if (entry === null || value === null || (isWide && value <= 0)) return null;
        return { value, figure: entryFigure(entry, metricNamed(metric)!) };
      });
      return points.every((point) => point === null) ? [] : [{ label, points }];
    }),
  };
}
