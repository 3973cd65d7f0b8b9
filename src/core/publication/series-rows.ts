import { VERDICT_LETTERS } from '../record/published-form-schema.ts';
import type { AcceptedChange, ComparedFigure } from '../record/run-record.ts';
import { pagesSchemaVersion } from './manifest.ts';
import type { Series, SeriesPiece } from './series-piece.ts';

/** A run of a piece, by itself. */
export interface RunRow {
  id: string;
  sha: string | null;
  workflowRun: number | null;
  pullRequest: number | null;
  release: string | null;
  cpu: string;
  passed: boolean | null;
  mode: 'duet' | 'interleaved' | 'stored' | null;
  /** Name of the anchor that it was compared with as well. */
  anchor: string | null;
  imported: boolean;
  accepted: readonly AcceptedChange[];
  /** By the name of the series, `CASE.METRIC`. */
  points: ReadonlyMap<string, SeriesPoint>;
}

/** What a run came to in a series. */
export interface SeriesPoint {
  /** Null where nothing was measured. */
  value: number | null;
  /** Null where it is valid. */
  status: 'invalid' | 'generator-bound' | null;
  /** candidate/baseline - 1, with the interval that the verdict rests on; null where it was not compared. */
  change: number | null;
  low: number | null;
  high: number | null;
  verdict: ComparedFigure['verdict'];
}

const STATUS_LETTERS = { invalid: 'x', 'generator-bound': 'g' } as const;
const MODE_LETTERS = { duet: 'd', interleaved: 'i', stored: 's' } as const;
const STATUSES = meanings(STATUS_LETTERS);
const MODES = meanings(MODE_LETTERS);
const VERDICTS = meanings(VERDICT_LETTERS);

function meanings<N extends string>(letters: Readonly<Record<N, string>>): ReadonlyMap<string, N> {
  return new Map(Object.entries<string>(letters).map(([name, letter]) => [letter, name as N]));
}

/** Null where the run has no such case or metric. `place` is that of the run in its piece. */
function pointAt(series: Series, place: number): SeriesPoint | null {
  const share = (column: readonly (number | null)[] | undefined) => {
    const points = column?.[place] ?? null;
    return points === null ? null : points / BASIS_POINTS;
  };
  const point: SeriesPoint = {
    value: series.value[place] ?? null,
    status: STATUSES.get(series.status?.[place] ?? '') ?? null,
    change: share(series.changeBp),
    low: share(series.lowBp),
    high: share(series.highBp),
    verdict: VERDICTS.get(series.verdict?.[place] ?? '') ?? null,
  };
  return Object.values(point).every((each) => each === null) ? null : point;
}

const BASIS_POINTS = 10_000;

export function rowsOf({ runs, cpus, accepted, series }: SeriesPiece): RunRow[] {
  const columns = Object.entries(series);
  return runs.id.map((id, place) => ({
    id,
    sha: runs.sha[place]!,
    workflowRun: runs.workflowRun[place]!,
    pullRequest: runs.pullRequest[place]!,
    release: runs.release[place]!,
    cpu: cpus[runs.cpu[place]!]!,
    passed: runs.passed[place]!,
    mode: MODES.get(runs.mode[place]!) ?? null,
    anchor: runs.anchor?.[place] ?? null,
    imported: runs.imported[place]!,
    accepted: accepted
      .filter(({ run }) => run === place)
      .map(({ cases, metric, reason }) => ({ cases, metric, reason })),
    points: new Map(
      columns.flatMap(([name, column]) => {
        const point = pointAt(column, place);
        return point === null ? [] : [[name, point] as const];
      }),
    ),
  }));
}

/** In the order of their ids. */
export function pieceOf(unordered: readonly RunRow[]): SeriesPiece {
  const rows = [...unordered].sort((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));
  const cpus = [...new Set(rows.map(({ cpu }) => cpu))];
  const names = [...new Set(rows.flatMap(({ points }) => [...points.keys()]))];
  return {
    schemaVersion: pagesSchemaVersion,
    runs: {
      id: rows.map(({ id }) => id),
      sha: rows.map(({ sha }) => sha),
      workflowRun: rows.map(({ workflowRun }) => workflowRun),
      pullRequest: rows.map(({ pullRequest }) => pullRequest),
      release: rows.map(({ release }) => release),
      cpu: rows.map(({ cpu }) => cpus.indexOf(cpu)),
      passed: rows.map(({ passed }) => passed),
      mode: rows.map(({ mode }) => (mode === null ? ' ' : MODE_LETTERS[mode])).join(''),
      ...(rows.some(({ anchor }) => anchor !== null) ? { anchor: rows.map(({ anchor }) => anchor) } : {}),
      imported: rows.map(({ imported }) => imported),
    },
    cpus,
    accepted: rows.flatMap(({ accepted }, run) => accepted.map((each) => ({ run, ...each }))),
    series: Object.fromEntries(
      names.map((name) => [name, columnsOf(rows.map(({ points }) => points.get(name) ?? null))]),
    ),
  };
}

function columnsOf(points: readonly (SeriesPoint | null)[]): Series {
  const letters = <N extends string>(of: (point: SeriesPoint) => N | null, from: Readonly<Record<N, string>>) => {
    const names = points.map((point) => (point === null ? null : of(point)));
    return names.every((name) => name === null)
      ? null
      : names.map((name) => (name === null ? ' ' : from[name])).join('');
  };
  const shares = (of: (point: SeriesPoint) => number | null) => {
    const column = points.map((point) => (point === null ? null : of(point)));
    return column.every((each) => each === null)
      ? null
      : column.map((each) => (each === null ? null : Math.round(each * BASIS_POINTS) + 0));
  };
  const status = letters(({ status }) => status, STATUS_LETTERS);
  const verdict = letters(({ verdict }) => verdict, VERDICT_LETTERS);
  const [changeBp, lowBp, highBp] = [shares((of) => of.change), shares((of) => of.low), shares((of) => of.high)];
  return {
    value: points.map((point) => (point?.value == null ? null : Number(point.value.toPrecision(5)))),
    ...(status === null ? {} : { status }),
    ...(changeBp === null ? {} : { changeBp }),
    ...(lowBp === null ? {} : { lowBp }),
    ...(highBp === null ? {} : { highBp }),
    ...(verdict === null ? {} : { verdict }),
  };
}
