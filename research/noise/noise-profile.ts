import type { NoiseProfileRow } from '../../src/core/plan/noise-profile.ts';
import { mean, sampleVariance } from '../../src/core/statistics/moderated-variance.ts';
import { median } from '../../src/core/statistics/quantile.ts';
import { roundLogRatio } from '../../src/core/statistics/round-log-ratio.ts';
import { winsorised } from '../../src/core/statistics/winsorising.ts';
import { type NoiseHeader, readRecording } from './noise-line.ts';
import { type RecordedSeries, recordedSeriesOf } from './recorded-series.ts';

/**
 * What restarting makes up of a pair's variance, where a recording has one pair in each round and cannot tell: with
 * four, in 6 to 12 rounds, it was between nothing and a seventh. Of memory the median over cases tells it.
 */
const BETWEEN_SHARE = 0.1;
/** Fewer rounds tell too little of a scatter. */
const LEAST_ROUNDS = 10;
/** Loads whose deviations differ by less share a row. */
const ALIKE = 1.5;

export interface RecordingFile {
  name: string;
  text: string;
}

/**
 * The text of `src/core/plan/noise-profile.ts` with the source and the rows that these recordings give. Rows of a pairing that
 * none of them holds stay as they are.
 */
export function tableText(before: string, files: readonly RecordingFile[]): string {
  const recordings = files.map(({ name, text }) => ({ name, ...readRecording(text, name) }));
  const series = recordings.map(({ header, trials }) => recordedSeriesOf(header.pairing, trials));
  const pairings = new Set<string>(recordings.map(({ header }) => header.pairing));
  const kept = before.match(/^ {2}\[.*\],\n/gm)?.filter((row) => !pairings.has(pairingOf(row))) ?? [];
  const rows = [...rowsOf(series).map((row) => `  [${row.map(literal).join(', ')}],\n`), ...kept];
  const names = recordings.map(({ name, header, trials }) => sourceOf(name, header, trials)).join(' and ');
  const source = kept.length === 0 ? names : `${names}, trials in turn from fewer`;
  return before
    .replace(/(export const NOISE_PROFILE_SOURCE =)[\s\S]*?;\n/, (_, start) => `${assigned(start, literal(source))};\n`)
    .replace(/(export const NOISE_PROFILE: .* = \[\n)[\s\S]*?\];\n/, (_, start) => `${start}${rows.join('')}];\n`);
}

function pairingOf(row: string): string {
  return row.includes("'interleaved'") ? 'interleaved' : 'duet';
}

/** As the formatter has it: what is too long for a line begins the next. */
function assigned(start: string, value: string): string {
  const line = `${start} ${value}`;
  return line.length < 120 ? line : `${start}\n  ${value}`;
}

/** One row for each kind of series, or one for each load where these are unlike; of the series of each recording. */
export function rowsOf(recordings: readonly (readonly RecordedSeries[])[]): NoiseProfileRow[] {
  const kinds = new Map<string, { one: RecordedSeries; scatter: Scatter }[]>();
  for (const { one, series } of recordings.flatMap((all) => all.map((own) => ({ one: own, series: all })))) {
    const scatter = one.metric.startsWith('memory-') ? scatterOfProcess(one, series) : scatterOf(one);
    const kind = [one.metric, one.generator, one.pairing, one.endpoint].join(' ');
    if (scatter !== null) kinds.set(kind, [...(kinds.get(kind) ?? []), { one, scatter }]);
  }
  return [...kinds.values()].flatMap((own) => {
    const { metric, generator, pairing, endpoint } = own[0]!.one;
    const deviations = own.map(({ scatter }) => deviationOf(scatter));
    if (Math.max(...deviations) <= ALIKE * Math.min(...deviations)) {
      return [[metric, generator, pairing, endpoint, 'any', 'any', ...usualScatter(own)] as NoiseProfileRow];
    }
    const loads = new Map<string, typeof own>();
    for (const each of own) {
      const load = `${each.one.held} ${each.one.connections}`;
      loads.set(load, [...(loads.get(load) ?? []), each]);
    }
    return [...loads.values()].map((alike): NoiseProfileRow => {
      const { held, connections } = alike[0]!.one;
      return [metric, generator, pairing, endpoint, held, connections, ...usualScatter(alike)];
    });
  });
}

/** Standard deviations of what is alike: from start to start, and from trial to trial. */
function usualScatter(own: readonly { scatter: Scatter }[]): [between: number, within: number] {
  const of = (part: keyof Scatter) => rounded(Math.sqrt(mean(own.map(({ scatter }) => scatter[part]))));
  return [of('between'), of('within')];
}

/** Variances. */
interface Scatter {
  between: number;
  within: number;
}

/** Of a round with one pair. */
function deviationOf({ between, within }: Scatter): number {
  return Math.sqrt(between + within);
}

/**
 * From rounds with k pairs each, the most usual number: a pair has the variance b + w, a round b + w/k. Null with too
 * few of them.
 */
function scatterOf({ rounds }: RecordedSeries): Scatter | null {
  const pairs = mostUsual(rounds.map((own) => own.length));
  const usual = rounds.filter((own) => own.length === pairs);
  if (usual.length < LEAST_ROUNDS) return null;
  const ofRound = varianceOf(usual.map(roundLogRatio));
  if (pairs === 1) {
    return { between: BETWEEN_SHARE * ofRound, within: (1 - BETWEEN_SHARE) * ofRound };
  }
  const places = Array.from({ length: pairs }, (_, place) => usual.map((own) => roundLogRatio([own[place]!])));
  const ofPair = mean(places.map(varianceOf));
  const between = Math.min(ofRound, Math.max(0, (pairs * ofRound - ofPair) / (pairs - 1)));
  return { between, within: Math.max(0, pairs * (ofRound - between)) };
}

/**
 * Cases of one process share what differs from start to start. The median of n cases, each of variance b + w, has about
 * b + (w pi/2)/n; both are solved for b and w.
 */
function scatterOfProcess(one: RecordedSeries, all: readonly RecordedSeries[]): Scatter | null {
  const own = scatterOf(one);
  const cases = all.filter(({ metric, pairing }) => metric === one.metric && pairing === one.pairing);
  if (own === null || cases.length < 2) return own;
  const shared = Math.PI / 2 / cases.length;
  const numbers = [...new Set(cases.flatMap((each) => each.numbers))];
  const medians = numbers.map((number) =>
    median(
      cases.flatMap((each) => {
        const index = each.numbers.indexOf(number);
        return index < 0 ? [] : roundLogRatio(each.rounds[index]!);
      }),
    ),
  );
  const usual = mean(cases.map((each) => varianceOf(each.rounds.map(roundLogRatio))));
  const between = Math.max(0, (varianceOf(medians) - usual * shared) / (1 - shared));
  const ofPair = own.between + own.within;
  return { between: Math.min(between, ofPair), within: Math.max(0, ofPair - between) };
}

function mostUsual(values: readonly number[]): number {
  const times = (value: number) => values.filter((each) => each === value).length;
  return values.reduce((most, value) => (times(value) > times(most) ? value : most), values[0] ?? 0);
}

/** Wild values pulled in, as where it is decided. */
function varianceOf(values: readonly number[]): number {
  return sampleVariance(winsorised(values).values)!.value;
}

function sourceOf(name: string, { machine }: NoiseHeader, trials: readonly { round: number }[]): string {
  const rounds = new Set(trials.map(({ round }) => round)).size;
  return `${rounds} rounds in ${name} (${machine.cpuModel}, ${machine.cpuCount} CPUs)`;
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : value.includes("'") ? JSON.stringify(value) : `'${value}'`;
}

/** Two digits are all that some tens of rounds tell. */
function rounded(value: number): number {
  return Number(value.toPrecision(2));
}
