import { type BenchResult, rounded } from '../target.ts';
import { contest } from './contest.ts';
import { coverage } from './coverage.ts';
import { type Detection, detections, singleDetections } from './detection.ts';
import { type FalseAnswers, falseAnswers, SITUATIONS } from './false-reds.ts';
import { type ToldAndFound, toldAndFound } from './foretelling.ts';
import { type RecordedSource, recordedSource, recordingsIn } from './recorded.ts';
import { sideBias } from './side-bias.ts';
import { simulatedSources } from './simulated.ts';
import type { Source } from './source.ts';
import type { SourceResult } from './source-result.ts';
import { replayTargets } from './targets.ts';

export interface ReplayOptions {
  /** Folder of the recordings. */
  noise: string;
  matrices: number;
  seed: number;
}

export interface Replay extends BenchResult {
  options: ReplayOptions;
  results: SourceResult[];
  foretold: ({ name: string } & ToldAndFound)[];
}

/** Matrices, draws and repetitions of each line. */
export const COUNTS = { coverage: 400, detection: 200, single: 40, contest: 300, foretelling: 100 } as const;
const CONTEST_INSTANCES = [5, 10];

/** Every source through the decision code; each part has a seed of its own, and all are printed. */
export function replayed(options: ReplayOptions, say: (line: string) => void): Replay {
  const { noise, seed, matrices } = options;
  const recordings = recordingsIn(noise);
  const recorded = recordings.map(({ name, header, slices }) => recordedSource(name, header, slices));
  const results = [
    ...recorded.map((source) => timed(source, say, () => recordedResult(source, options))),
    ...simulatedSources().map((source) => timed(source, say, () => modelResult(source, options))),
  ];
  const foretold = recordings.flatMap((recording) =>
    toldAndFound(recording.name, recording, COUNTS.foretelling, seed + 50).map((each) => ({
      name: recording.name,
      ...each,
    })),
  );
  say(`seeds ${seed} to ${seed + 50}, ${matrices} matrices for each situation and source`);
  const targets = replayTargets(recordings, results, foretold);
  return { options, results, foretold, figures: figuresOf(results), targets };
}

function recordedResult(source: RecordedSource, options: ReplayOptions): SourceResult {
  const { seed } = options;
  return {
    ...judged(source, options, SITUATIONS),
    bias: sideBias(source),
    matrix: detections(source, COUNTS.detection, seed + 20),
    single: singleDetections(source, COUNTS.single, seed + 30),
    contest: CONTEST_INSTANCES.filter((each) => 3 * each <= source.mostInstances).flatMap((each) =>
      contest(source, each, COUNTS.contest, seed + 40),
    ),
  };
}

/** How much is found of a model's scatter is a matter of the model. */
function modelResult(source: Source, options: ReplayOptions): SourceResult {
  const situations = SITUATIONS.filter(({ ofModels }) => ofModels);
  return { ...judged(source, options, situations), bias: null, matrix: [], single: [], contest: [] };
}

function judged(source: Source, { matrices, seed }: ReplayOptions, situations: typeof SITUATIONS) {
  return {
    source,
    falseAnswers: situations.map((situation, index) => ({
      situation: situation.name,
      atBudgets: falseAnswers(source, situation, matrices, seed + index),
    })),
    coverage: coverage(source, COUNTS.coverage, seed + 10),
  };
}

function timed(source: Source, say: (line: string) => void, work: () => SourceResult): SourceResult {
  const startedMs = performance.now();
  const result = work();
  const red = result.falseAnswers.map(({ atBudgets }) => percent(redShare(atBudgets))).join(' / ');
  const held = result.coverage.map(({ instances, share }) => `${instances}: ${percent(share)}`).join(', ');
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  say(`${source.name}: matrices with a false red ${red}; coverage ${held}; ${seconds} s`);
  return result;
}

/** Over all budgets. */
export function redShare(atBudgets: readonly FalseAnswers[]): number {
  const sum = (of: (each: FalseAnswers) => number) => atBudgets.reduce((total, each) => total + of(each), 0);
  return sum(({ red }) => red) / sum(({ matrices }) => matrices);
}

function figuresOf(results: readonly SourceResult[]): BenchResult['figures'] {
  const entries = results.flatMap(({ source, coverage, matrix, single, contest }) => [
    ...coverage.map(({ instances, least }) => {
      const name = `${source.name}: coverage of the 99 % interval, worst series, ${instances} instances`;
      return [name, rounded(least)] as const;
    }),
    ...matrix.map((each) => [nameOf(source, each, 'a matrix'), rounded(each.found)] as const),
    ...single.map((each) => [nameOf(source, each, 'a single case'), rounded(each.found)] as const),
    ...contest.flatMap(({ rule, threshold, instances, falseRed, found }) => {
      const name = `${source.name}: ${rule} at threshold ${threshold}, ${instances} instances`;
      const shares = Object.entries(found).filter((entry): entry is [string, number] => entry[1] !== null);
      return [
        [`${name}: red without a change`, rounded(falseRed)] as const,
        ...shares.map(([change, share]) => [`${name}: ${change} found`, rounded(share)] as const),
      ];
    }),
  ]);
  return Object.fromEntries(entries);
}

function nameOf({ name }: Source, { metric, threshold, change, instances }: Detection, of: string): string {
  return `${name}: ${metric} ${percent(change)} at threshold ${threshold} of ${of}, found with ${instances} instances`;
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
