import type { Series, VERDICT_LETTERS } from '../../../../core/publication/series-piece.ts';
import type { RunEntry } from '../../view.ts';

type Verdict = keyof typeof VERDICT_LETTERS;

/** A series over several pieces, one place a run; NaN where there is no figure. */
export interface Columns {
  value: number[];
  /** Why the figure is marked, and no part of line or band. */
  doubt: ('invalid' | 'generator-bound' | null)[];
  change: number[];
  low: number[];
  high: number[];
  verdict: (Verdict | null)[];
}

/** `VERDICT_LETTERS` with what it stands on would be most of what a reader loads. */
const LETTERS: typeof VERDICT_LETTERS = {
  regression: 'r',
  improvement: 'i',
  'no-change': 'n',
  inconclusive: '?',
  'not-measured': '-',
  invalid: 'x',
  new: '+',
};
const verdicts = new Map<string, Verdict>(
  Object.entries(LETTERS).map(([verdict, letter]) => [letter, verdict as Verdict]),
);

const BASIS_POINTS = 10_000;

/** `key` is `CASE.METRIC`, both as places in the manifest. */
export function columnsOf(runs: readonly RunEntry[], key: string): Columns {
  const columns: Columns = { value: [], doubt: [], change: [], low: [], high: [], verdict: [] };
  for (const { piece, place } of runs) {
    const series = Object.hasOwn(piece.series, key) ? piece.series[key] : undefined;
    columns.value.push(figureAt(series?.value, place));
    columns.doubt.push(doubtAt(series, place));
    columns.change.push(figureAt(series?.changeBp, place) / BASIS_POINTS);
    columns.low.push(figureAt(series?.lowBp, place) / BASIS_POINTS);
    columns.high.push(figureAt(series?.highBp, place) / BASIS_POINTS);
    columns.verdict.push(verdicts.get(series?.verdict?.[place] ?? '') ?? null);
  }
  return columns;
}

function figureAt(column: readonly (number | null)[] | undefined, place: number): number {
  return column?.[place] ?? Number.NaN;
}

function doubtAt(series: Series | undefined, place: number): Columns['doubt'][number] {
  const letter = series?.status?.[place];
  if (letter === 'x') return 'invalid';
  return letter === 'g' ? 'generator-bound' : null;
}

/** The figures that a line and a band may rest on. */
export function soundValues({ value, doubt }: Pick<Columns, 'value' | 'doubt'>): number[] {
  return value.map((each, place) => (doubt[place] === null ? each : Number.NaN));
}
