import type { Case } from '../../../core/plan/case.ts';
import type { SliceMeasurement } from '../../../core/record/measurement.ts';
import { type Random, shuffled } from '../../../core/statistics/random.ts';
import { GeneratorNotStarted } from '../../ports/generators.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { passKey, verifiedPasses } from '../verification.ts';
import { warmBoth } from './both-warm.ts';
import { type OnStage, standing } from './on-stage.ts';
import { alonePair, duetPair, interleavedPair } from './pairs.ts';
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
}

export interface InstanceFrame
  extends Pick<OnStage, 'sides' | 'stages' | 'placement' | 'duetRates' | 'lengths' | 'seed'> {
  random: Random;
  /** Keys of cases whose generator cannot be started; kept over instances. */
  dropped: Set<string>;
}

/**
 * Measures a task against both variants of one service while they stand side by side. Resolves to whether both still
 * stand at its end: what falls over ends the instance; what was measured is in the journal.
 */
export async function measureSideBySide(
  task: InstanceTask,
  frame: InstanceFrame,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<boolean> {
  const wanted = [...new Set([...task.alone, ...task.duets, ...task.interleaved])];
  const measurable = await verifiedCases(wanted, frame, adapters, signal);
  const onStage = standing(task.instance, frame);
  const [alone, duets, interleaved] = [task.alone, task.duets, task.interleaved].map((cases) =>
    cases.filter(measurable),
  ) as [Case[], Case[], Case[]];

  await warmBoth([...duets, ...interleaved], onStage, adapters, signal);
  const pairs = [
    ...repeated(alone, 1, alonePair),
    ...repeated(duets, task.pairsEach, duetPair),
    ...repeated(interleaved, 1, interleavedPair),
  ];
  for (const { testCase, measured } of shuffled(pairs, frame.random)) {
    const measure = () => measured(testCase, onStage, adapters, signal);
    if (!(await guarded(testCase, frame, adapters, measure))) return false;
  }
  return true;
}

type MeasuredPair = typeof duetPair;

function repeated(cases: readonly Case[], times: number, measured: MeasuredPair) {
  return cases.flatMap((testCase) => Array.from({ length: times }, () => ({ testCase, measured })));
}

/** False where a stage is no longer what was started. */
async function guarded(
  { key }: Case,
  { dropped }: InstanceFrame,
  { store, progress }: MeasuringAdapters,
  measure: () => Promise<SliceMeasurement[]>,
): Promise<boolean> {
  if (dropped.has(key)) return true;
  try {
    const fallen = (await measure()).find(({ stageFailure }) => stageFailure !== null);
    if (fallen !== undefined) progress.warn(`${fallen.variant}: ${fallen.stageFailure!.message}`);
    return fallen === undefined;
  } catch (error) {
    if (!(error instanceof GeneratorNotStarted)) throw error;
    progress.warn(`${key}: ${error.message}`);
    const reason = { code: 'generator-failed', message: error.message };
    for (const variant of VARIANTS) await store.journal.append({ kind: 'lost', caseKey: key, variant, reason });
    dropped.add(key);
    return true;
  }
}

/** Whether both sides answer a case's endpoint as expected; the others are lost, and said to be. */
async function verifiedCases(
  cases: readonly Case[],
  { sides, stages }: InstanceFrame,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<(testCase: Case) => boolean> {
  const passes: Map<string, unknown>[] = [];
  for (const variant of VARIANTS) {
    const own = cases.map((testCase) => caseOf(testCase, sides[variant]));
    passes.push(await verifiedPasses(stages[variant], own, adapters, signal));
  }
  return (testCase) => passes.every((pass) => pass.has(passKey(testCase)));
}
