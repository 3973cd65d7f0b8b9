import { type BenchResult, rounded } from '../../scripts/bench/target.ts';
import { contest } from './contest.ts';
import { allowanceCost } from './cost.ts';
import { coverage } from './coverage.ts';
import { detectableAndFound } from './detectable-and-found.ts';
import { falseAnswers, SITUATIONS } from './false-reds.ts';
import { figuresOf } from './figures.ts';
import { lines, linesUntilDecided } from './lines.ts';
import { type NamedRecording, type RecordedSource, recordedSource, recordingsIn } from './recorded.ts';
import { percent, redShare } from './shares.ts';
import { sideBias } from './side-bias.ts';
import { extremeSources, oneCaseSources, simulatedSources, usualMachine } from './simulated.ts';
import { singleDetections } from './single-case.ts';
import type { Source } from './source.ts';
import type { SourceResult } from './source-result.ts';
import { replayTargets } from './targets.ts';

export interface ReplayOptions {
  /** Folder of the recordings. */
  noise: string;
  matrices: number;
  seed: number;
  /** The beginning of the names of the sources that are asked for. */
  only: string;
}

export interface Replay extends BenchResult {
  options: ReplayOptions;
  results: SourceResult[];
}

/** Matrices, draws and repetitions of each line; at default limits, and of recordings, a tenth of what `--matrices` says. */
export const COUNTS = { coverage: 200, lines: 200, single: 20, contest: 100, detectable: 60, cost: 100 } as const;
const CONTEST_ROUNDS = [10, 20];
const COST_ROUNDS = [10, 12];
const ENDPOINTS = [4, 12];

const NOTHING = { falseAnswers: [], coverage: [], bias: null, single: [], contest: [], lines: [], detectable: [] };

/** Everything that is put through the decision code, in the order of the tables. */
interface Task {
  source: Source;
  result: (options: ReplayOptions) => SourceResult;
}

function tasksOf(recordings: readonly NamedRecording[], { only }: ReplayOptions): Task[] {
  const recorded = recordings.map(({ name, header, trials }) => recordedSource(name, header, trials));
  const tasks = <T extends Source>(
    sources: readonly T[],
    resultOf: (source: T, options: ReplayOptions) => SourceResult,
  ) => sources.map((source) => ({ source, result: (options: ReplayOptions) => resultOf(source, options) }));
  const all = [
    ...tasks(recorded, recordedResult),
    ...tasks(simulatedSources(), modelResult),
    ...tasks([...extremeSources(), ...oneCaseSources()], shownResult),
    ...tasks(ENDPOINTS.map(usualMachine), machineResult),
  ];
  return all.filter(({ source }) => source.name.startsWith(only));
}

/** For each place in `replayed`: what its source shows. */
export function replaying(options: ReplayOptions, say: (line: string) => void): (index: number) => SourceResult {
  const tasks = tasksOf(recordingsIn(options.noise), options);
  return (index) => timed(tasks[index]!.source, say, () => tasks[index]!.result(options));
}

/**
 * Every source through the decision code; each part has a seed of its own, and all are printed. `resultsAt` says what each source
 * shows, as `replaying` does.
 */
export async function replayed(
  options: ReplayOptions,
  resultsAt: (indices: readonly number[]) => Promise<Omit<SourceResult, 'source'>[]>,
  say: (line: string) => void,
): Promise<Replay> {
  const { noise, seed, matrices } = options;
  const recordings = recordingsIn(noise);
  const tasks = tasksOf(recordings, options);
  const shown = await resultsAt([...tasks.keys()]);
  const results = tasks.map(({ source }, index) => ({ ...shown[index]!, source }));
  const normal = simulatedSources()[0]!;
  const costs = Object.fromEntries(
    COST_ROUNDS.map((rounds) => [
      `normal noise: smallest change found, by Student's t alone 1, ${rounds} rounds`,
      rounded(allowanceCost(normal, rounds, COUNTS.cost, seed + 70)),
    ]),
  );
  say(`seeds ${seed} to ${seed + 70}, ${matrices} matrices for each number of rounds`);
  return {
    options,
    results,
    figures: { ...figuresOf(results), ...costs },
    targets: replayTargets(recordings, results),
  };
}

function recordedResult(source: RecordedSource, options: ReplayOptions): SourceResult {
  const { seed, matrices } = options;
  return {
    ...NOTHING,
    source,
    falseAnswers: situated(source, SITUATIONS, Math.ceil(matrices / 10), seed),
    coverage: coverage(source, COUNTS.coverage, seed + 10),
    bias: sideBias(source),
    single: singleDetections(source, COUNTS.single, seed + 30),
    contest: CONTEST_ROUNDS.filter((each) => 3 * each <= source.mostRounds).flatMap((each) =>
      contest(source, each, COUNTS.contest, seed + 40),
    ),
    lines: bothLines(source, seed + 50),
  };
}

/** How much is found of a model's scatter is a matter of the model. */
function modelResult(source: Source, options: ReplayOptions): SourceResult {
  const { seed, matrices } = options;
  const few = Math.ceil(matrices / 10);
  return {
    ...NOTHING,
    source,
    falseAnswers: SITUATIONS.flatMap((situation, index) =>
      situated(source, [situation], situation === SITUATIONS[1] ? matrices : few, seed + index),
    ),
    coverage: coverage(source, COUNTS.coverage / 4, seed + 10),
    detectable: detectableAndFound(source, COUNTS.detectable, seed + 60),
  };
}

function shownResult(source: Source, { seed, matrices }: ReplayOptions): SourceResult {
  return { ...NOTHING, source, falseAnswers: situated(source, [SITUATIONS[1]!], Math.ceil(matrices / 2), seed + 1) };
}

function machineResult(source: Source, { seed }: ReplayOptions): SourceResult {
  return { ...NOTHING, source, lines: bothLines(source, seed + 50) };
}

function bothLines(source: Source, seed: number) {
  return [...lines(source, COUNTS.lines, seed), ...linesUntilDecided(source, COUNTS.lines, seed)];
}

function situated(source: Source, situations: typeof SITUATIONS, matrices: number, seed: number) {
  return situations.map((situation, index) => ({
    situation: situation.name,
    atBudgets: falseAnswers(source, situation, matrices, seed + index),
  }));
}

function timed(source: Source, say: (line: string) => void, work: () => SourceResult): SourceResult {
  const startedMs = performance.now();
  const result = work();
  const told = [
    ...result.falseAnswers.map(({ situation, atBudgets }) => `${situation}: red in ${percent(redShare(atBudgets))}`),
    ...result.detectable.map(({ rounds, found }) => `told and found with ${rounds} rounds: ${percent(found)}`),
  ];
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  say([source.name, ...told, `${seconds} s`].join('; '));
  return result;
}
