import type { Manifest, SeriesMetric } from '../../../../core/publication/manifest.ts';
import { isOfSeveralModels } from '../../../../core/record/different-machines.ts';
import { shortTitles } from '../../case-title.ts';
import type { RunEntry, SeriesName } from '../../view.ts';
import { addedUp } from './added-up.ts';
import { type Band, bandOf } from './band.ts';
import { type Columns, columnsOf, soundValues } from './columns.ts';
import { type Level, levelsOf, levelsWithin } from './levels.ts';
import { normalised, referenceOf } from './normalising.ts';
import type { Question } from './question.ts';

/** One case over the runs of the range; every column has a place for each of them. */
export interface Line extends SeriesName {
  title: string;
  columns: Columns;
  /** What is drawn: as measured, or divided by the reference. */
  figures: number[];
  /** The same without what is marked invalid or generator-bound. */
  sound: number[];
  band: Band;
  /** Where it stayed for a while, and at what; empty where it was at one level all the time. */
  levels: Level[];
  /** Changes of each run, or added up. */
  changes: number[];
}

export interface Trend {
  runs: readonly RunEntry[];
  cpus: string[];
  metric: SeriesMetric;
  lines: Line[];
  /** Titles of lines that were to be normalised and have no reference to go by. */
  withoutReference: string[];
  hasFigures: boolean;
  hasChanges: boolean;
}

/** `all` are the runs that are known, and `start` to `end` those of the range: a band begins with what came before. */
export function trendOf(
  question: Question,
  { cases, metrics }: Manifest,
  all: readonly RunEntry[],
  [start, end]: readonly [number, number],
): Trend {
  const runs = all.slice(start, end);
  const cpus = all.map(machineOf);
  const metric = metrics[question.metric]!;
  const titles = shortTitles(question.cases.map((place) => cases[place]!));
  const withoutReference: string[] = [];
  const lines = question.cases.map((place, index): Line => {
    const whole = columnsOf(all, `${place}.${question.metric}`);
    const title = titles[index]!;
    const figures = question.normalised
      ? calibrated(whole, place, cases, all, question.metric, () => withoutReference.push(title))
      : whole.value;
    const sound = soundValues({ value: figures, doubt: whole.doubt });
    const band = bandOf(sound, cpus);
    const columns = sliced(whole, start, end);
    const changes = question.changes === 'sum' ? addedUp(columns.change) : columns.change;
    return {
      case: cases[place]!,
      metric,
      title,
      columns,
      figures: figures.slice(start, end),
      sound: sound.slice(start, end),
      band: sliced(band, start, end),
      levels: levelsWithin(levelsOf(sound, cpus), start, end),
      changes,
    };
  });
  return {
    runs,
    cpus: cpus.slice(start, end),
    metric,
    lines,
    withoutReference,
    hasFigures: lines.some(({ figures }) => figures.some((each) => !Number.isNaN(each))),
    hasChanges: lines.some(({ columns }) => columns.change.some((each) => !Number.isNaN(each))),
  };
}

function calibrated(
  { value }: Columns,
  place: number,
  cases: Manifest['cases'],
  runs: readonly RunEntry[],
  metric: number,
  missing: () => void,
): number[] {
  const reference = referenceOf(cases, place);
  const figures = reference === null ? null : soundValues(columnsOf(runs, `${reference}.${metric}`));
  if (figures === null || figures.every(Number.isNaN)) {
    missing();
    return value;
  }
  return normalised(value, figures);
}

/** All columns from one place to another. */
function sliced<Columned extends object>(columned: Columned, start: number, end: number): Columned {
  const entries = Object.entries(columned).map(([name, column]) => [name, (column as unknown[]).slice(start, end)]);
  return Object.fromEntries(entries) as Columned;
}

/** A run that was shared out over several CPU models may have each case on another one than the run before. */
function machineOf({ cpu, id }: RunEntry): string {
  return isOfSeveralModels(cpu) ? `${cpu}, shared out in run ${id}` : cpu;
}

/** Where the CPU model is another than of the run before; the places of the later ones. */
export function cpuChanges(cpus: readonly string[]): number[] {
  return cpus.flatMap((cpu, place) => (place > 0 && cpu !== cpus[place - 1] ? [place] : []));
}

/** What somebody accepted of a metric in a run. Which cases a pattern meant, only the run's own spec can tell. */
export function acceptedOf({ accepted }: RunEntry, metric: Pick<SeriesMetric, 'name'>): RunEntry['accepted'] {
  return accepted.filter((each) => each.metric === null || each.metric === metric.name);
}
