import { signedPercent } from '../../../../core/format/percent.ts';
import { axisFigure, metricFigure, timeText } from '../../metric-figure.ts';
import type { Drawing } from './chart.ts';
import type { Colours } from './colours.ts';
import { MARKS } from './marks.ts';
import { acceptedOf, cpuChanges, type Line, type Trend } from './model.ts';
import type { Question } from './question.ts';
import { distinctText, type MomentText, placeTicks, timeTicks } from './ticks.ts';

/** More breaks than this would be all that is seen; the line has its gaps all the same. */
const MOST_BREAKS = 30;

/** The figures themselves, with their bands. */
export function figuresDrawing(trend: Trend, question: Question, colours: Colours, width: number): Drawing {
  const common = commonOf(trend, question, width);
  return {
    ...common,
    lines: trend.lines.map((line) => ({ line, values: line.figures, sound: line.sound })),
    figure: (value) => metricFigure(trend.metric, value),
    tick: (value, step) => axisFigure(trend.metric, value, step),
    fromZero: question.fromZero,
    isJoined: true,
    marks: MARKS,
    heights: notBelowZero(
      heightsOf(
        trend.lines.flatMap(({ sound, band }) => (question.band ? [...sound, ...band.low, ...band.high] : sound)),
        trend.lines.flatMap(({ sound, figures }) => (sound.every(Number.isNaN) ? figures : sound)),
      ),
      trend.lines.flatMap(({ figures }) => figures),
    ),
    overlay: {
      ...common.overlay,
      bands: question.band
        ? trend.lines.map((line, index) => bandOf(line, trend.cpus, common.x, width, colours.lines[index]!))
        : [],
      levels: trend.lines.map(({ levels }, index) => ({
        colour: colours.lines[index]!,
        points: levels.map(({ first, last, figure }) => ({ from: common.x(first), to: common.x(last), figure })),
      })),
    },
    tooltip: {
      ...common.tooltip,
      label: (index, place) => {
        const line = trend.lines[index]!;
        const name = trend.lines.length > 1 ? `${line.title}: ` : '';
        return `${name}${metricFigure(trend.metric, line.figures[place]!)}`;
      },
    },
  };
}

/** What each run was found to have changed, or all of them together. */
export function changesDrawing(trend: Trend, question: Question, colours: Colours, width: number): Drawing {
  const common = commonOf(trend, question, width);
  const isSum = question.changes === 'sum';
  return {
    ...common,
    lines: trend.lines.map((line) => ({ line, values: line.changes, sound: line.changes })),
    // A change was measured on one machine, whatever the other runs were on.
    cpus: [],
    figure: signedPercent,
    tick: (value) => signedPercent(value).replace(/\.0+(?= )/, ''),
    fromZero: true,
    isJoined: isSum,
    marks: ['regression', 'improvement', 'inconclusive'],
    heights: heightsOf(
      trend.lines.flatMap(({ changes, columns: { low, high } }) => (isSum ? changes : [...low, ...high])),
      trend.lines.flatMap(({ changes }) => changes),
    ),
    overlay: {
      ...common.overlay,
      breaks: [],
      level: 0,
      bars: isSum
        ? []
        : trend.lines.map((line, index) => ({ colour: colours.lines[index]!, points: barsOf(line, common.x) })),
    },
    tooltip: {
      ...common.tooltip,
      label: (index, place) => {
        const line = trend.lines[index]!;
        const name = trend.lines.length > 1 ? `${line.title}: ` : '';
        return `${name}${isSum ? signedPercent(line.changes[place]!) : changeText(line, place)}`;
      },
    },
  };
}

/** Of all that is drawn, as far as it lies within one height more of what it is drawn for. */
function heightsOf(all: readonly number[], points: readonly number[]): [number, number] {
  const [low, high] = endsOf(points);
  const [lowest, highest] = endsOf(all);
  const height = high - low || Math.abs(high) || 1;
  return [Math.max(Math.min(low, lowest), low - height), Math.min(Math.max(high, highest), high + height)];
}

/** Where no figure is negative, no axis should seem to say so: a band may reach below. */
function notBelowZero([low, high]: [number, number], figures: readonly number[]): [number, number] {
  return figures.some((figure) => figure < 0) ? [low, high] : [Math.max(0, low), high];
}

function endsOf(values: readonly number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [0, 0] : [low, high];
}

/** `+6.1 % (+4.9 … +7.3)`; empty where the run was not compared. */
export function changeText({ columns }: Pick<Line, 'columns'>, place: number): string {
  const [change, low, high] = [columns.change[place]!, columns.low[place]!, columns.high[place]!];
  if (Number.isNaN(change)) return '';
  if (Number.isNaN(low) || Number.isNaN(high)) return signedPercent(change);
  return `${signedPercent(change)} (${signedPercent(low)} … ${signedPercent(high)})`;
}

/** `2026-11-20 09:28 UTC · 3f2c1ab · v1.4.0` */
export function runTitle(trend: Pick<Trend, 'runs'>, place: number): string {
  const run = trend.runs[place];
  if (run === undefined) return '';
  const { at, sha, release } = run;
  return [timeText(at), ...(sha === null ? [] : [sha.slice(0, 7)]), ...(release === null ? [] : [release])].join(' · ');
}

/** A change point of a line, in words. */
interface LevelChange {
  /** `-11.8 %` */
  said: string;
  /** What was committed since the run before, as git takes it: `9d8e7f6..3f2c1ab`; null where the commits are not known. */
  commits: { from: string; to: string; range: string } | null;
}

/** Null where the line came to no other level at that run. */
export function levelChange({ runs }: Trend, { levels }: Pick<Line, 'levels'>, place: number): LevelChange | null {
  const change = levels.find(({ first }) => first === place)?.from ?? null;
  if (change === null) return null;
  const [from, to] = [runs[change.before]?.sha ?? null, runs[place]?.sha ?? null];
  const commits = from === null || to === null ? null : { from, to, range: `${from.slice(0, 7)}..${to.slice(0, 7)}` };
  return { said: signedPercent(change.change), commits };
}

/** The axis below, and what stands at its runs. */
function commonOf(trend: Trend, { axis }: Question, width: number) {
  const { runs, cpus, metric } = trend;
  const x = axis === 'time' ? (place: number) => runs[place]!.at : (place: number) => place;
  const last = Math.max(0, runs.length - 1);
  const [from, to] = [x(0), x(last)];
  // A single run stands in the middle.
  const margin = to > from ? (to - from) * 0.01 : axis === 'time' ? 3_600_000 : 1;
  const ends: [number, number] = [from - margin, to + margin];
  const most = Math.max(2, Math.floor(width / (axis === 'time' ? 80 : 90)));
  const span = runs[last]!.at - runs[0]!.at;
  const ticks = axis === 'time' ? ticksOfTime(ends, most, span) : ticksOfRuns(runs, most, span);
  const flags = runs.flatMap((run, place) => {
    const texts = [
      ...(run.release === null ? [] : [run.release]),
      ...(acceptedOf(run, metric).length === 0 ? [] : ['✓ accepted']),
    ];
    return texts.length === 0 ? [] : [{ x: x(place), text: texts.join(' ') }];
  });
  const changes = cpuChanges(cpus);
  const breaks = changes.length > MOST_BREAKS ? [] : changes.map((place) => (x(place - 1) + x(place)) / 2);
  return {
    cpus,
    x,
    ends,
    ticks,
    overlay: { flags, breaks, bands: [], levels: [], bars: [], level: null },
    tooltip: { title: (place: number) => runTitle(trend, place) },
  };
}

function ticksOfTime([from, to]: readonly [number, number], most: number, span: number) {
  const moments = timeTicks(from, to, most);
  const text = distinctText(span, (each) => moments.map(each));
  return moments.map((value) => ({ value, label: text(value) }));
}

/** Commit and day of each; a run without a commit has the day alone. */
function ticksOfRuns(runs: Trend['runs'], most: number, span: number) {
  const places = placeTicks(runs.length, most);
  const labelOf = (place: number, text: MomentText) => {
    const { sha, at } = runs[place]!;
    return sha === null ? [text(at)] : [sha.slice(0, 7), text(at)];
  };
  const text = distinctText(span, (each) => places.map((place) => labelOf(place, each).join(' ')));
  return places.map((value) => ({ value, label: labelOf(value, text) }));
}

/** As many points as there are pixels; a gap where the CPU is another one, as in the line. */
function bandOf({ band }: Line, cpus: readonly string[], x: (place: number) => number, width: number, colour: string) {
  const gap = { low: Number.NaN, high: Number.NaN, middle: Number.NaN };
  const every = Math.max(1, Math.floor(band.middle.length / (width * 2)));
  const points = band.middle.flatMap((middle, place) => {
    const isBreak = place > 0 && cpus[place] !== cpus[place - 1];
    if (!isBreak && place % every !== 0) return [];
    const point = { x: x(place), low: band.low[place]!, high: band.high[place]!, middle };
    return isBreak ? [{ x: point.x, ...gap }, point] : [point];
  });
  return { colour, points };
}

function barsOf({ columns }: Line, x: (place: number) => number) {
  return columns.low.flatMap((low, place) => {
    const high = columns.high[place]!;
    return Number.isNaN(low) || Number.isNaN(high) ? [] : [{ x: x(place), low, high }];
  });
}
