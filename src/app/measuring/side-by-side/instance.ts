import { isFixedRate } from '../../../core/comparison/gating.ts';
import type { Case, Variant } from '../../../core/plan/case.ts';
import type { SliceMeasurement } from '../../../core/record/measurement.ts';
import type { Reason } from '../../../core/record/run-record.ts';
import { type Random, shuffled } from '../../../core/statistics/random.ts';
import { GeneratorNotStarted } from '../../ports/generators.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { type PassRequests, passKey, verifiedAnswers, verifiedPasses } from '../verification.ts';
import { warmBoth } from './both-warm.ts';
import { type OnStage, standing } from './on-stage.ts';
import { alonePair, duetPair, interleavedPair, shortSoloPair } from './pairs.ts';
import { caseOf, VARIANTS } from './sides.ts';

/** What one instance is to measure. */
export interface InstanceTask {
  instance: number;
  /** Both variants in turn, at full length, for the published figures. */
  alone: readonly Case[];
  /** Both at once. */
  duets: readonly Case[];
  /** Both in turn, at the length of duets: where a duet tells nothing, or cannot be. */
  interleaved: readonly Case[];
  /** How often each of `duets` is loaded. */
  pairsEach: number;
  /** The published figures are of short trials: only the change is of interest. */
  isShort: boolean;
}

export interface InstanceFrame
  extends Pick<
    OnStage,
    'sides' | 'stages' | 'placement' | 'rates' | 'warmUps' | 'generatorCapacities' | 'lengths' | 'seed'
  > {
  random: Random;
  /** Keys of cases whose generator cannot be started; kept over instances. */
  dropped: Set<string>;
}

/** A side that is no longer what was started, and what became of it. */
export interface Fallen {
  variant: Variant;
  reason: Reason;
}

/**
 * Measures a task against both variants of one service while they stand side by side. Resolves to the side that fell over,
 * which ends the instance, or to null where both stand at its end; what was measured is in the journal.
 */
export async function measureSideBySide(
  task: InstanceTask,
  frame: InstanceFrame,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Fallen | null> {
  const wanted = [...new Set([...task.alone, ...task.duets, ...task.interleaved])];
  // Memory at rest is read here, before the first request to either.
  const onStage = standing(task.instance, frame);
  const isThorough = task.instance <= THOROUGH_ROUNDS;
  const { measurable, fallen } = await verifiedCases(wanted, isThorough, frame, adapters, signal);
  if (fallen !== null) {
    adapters.progress.warn(`${fallen.variant}: ${fallen.reason.message}`);
    return fallen;
  }
  const [alone, duets, interleaved] = [task.alone, task.duets, task.interleaved].map((cases) =>
    cases.filter(measurable),
  ) as [Case[], Case[], Case[]];

  await warmBoth([...duets, ...interleaved, ...(task.isShort ? alone : [])], onStage, adapters, signal);
  const pairs = [
    ...repeated(alone, 1, task.isShort ? shortSoloPair : alonePair),
    ...repeated(duets, task.pairsEach, duetPair),
    ...repeated(interleaved, 1, interleavedPair),
  ];
  for (const { testCase, measured } of inOrder(pairs, frame.random)) {
    const measure = () => measured(testCase, onStage, adapters, signal);
    const fell = await guarded(testCase, frame, adapters, measure);
    if (fell !== null) return fell;
  }
  return null;
}

type MeasuredPair = typeof duetPair;

/**
 * At random, but for fixed rates, which come last: what closed loops make a server do warms it up for them. CPU per request of two
 * equal Node.js servers at a fixed rate scattered by 3.4 % in the first 6 s after warming up, and by 2 % later in the round.
 */
function inOrder<T extends { testCase: Case }>(pairs: readonly T[], random: Random): T[] {
  const [fixed, closed] = [true, false].map((wanted) =>
    pairs.filter(({ testCase }) => isFixedRate(testCase) === wanted),
  );
  return [...shuffled(closed!, random), ...shuffled(fixed!, random)];
}

function repeated(cases: readonly Case[], times: number, measured: MeasuredPair) {
  return cases.flatMap((testCase) => Array.from({ length: times }, () => ({ testCase, measured })));
}

/** The side that fell over meanwhile; null where none did. */
async function guarded(
  { key }: Case,
  { dropped }: InstanceFrame,
  { store, progress }: MeasuringAdapters,
  measure: () => Promise<SliceMeasurement[]>,
): Promise<Fallen | null> {
  if (dropped.has(key)) return null;
  try {
    const fallen = (await measure()).find(({ stageFailure }) => stageFailure !== null);
    if (fallen === undefined) return null;
    const { variant, stageFailure } = fallen;
    progress.warn(`${variant}: ${stageFailure!.message}`);
    return { variant, reason: stageFailure! };
  } catch (error) {
    if (!(error instanceof GeneratorNotStarted)) throw error;
    progress.warn(`${key}: ${error.message}`);
    const reason = { code: 'generator-failed', message: error.message };
    for (const variant of VARIANTS) await store.journal.append({ kind: 'lost', caseKey: key, variant, reason });
    dropped.add(key);
    return null;
  }
}

/** In rounds up to this one answers are looked at closely and counted; later ones are asked once, to see that they are there. */
const THOROUGH_ROUNDS = 1;

/** Whether both sides answer a case's endpoint as expected; the others are lost, and said to be. */
async function verifiedCases(
  cases: readonly Case[],
  isThorough: boolean,
  { sides, stages }: InstanceFrame,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ measurable: (testCase: Case) => boolean; fallen: Fallen | null }> {
  const lost = new Set<string>();
  const measurable = (testCase: Case) => !lost.has(passKey(testCase));
  const requests: PassRequests = new Map();
  for (const variant of VARIANTS) {
    const own = cases.map((testCase) => caseOf(testCase, sides[variant]));
    const verified = isThorough
      ? await verifiedPasses(stages[variant], own, adapters, signal, requests)
      : await verifiedAnswers(stages[variant], own, adapters, signal);
    for (const key of verified.lost) lost.add(key);
    if (verified.fallen !== null) return { measurable, fallen: { variant, reason: verified.fallen } };
  }
  return { measurable, fallen: null };
}
