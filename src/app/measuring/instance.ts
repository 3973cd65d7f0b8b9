import type { Case } from '../../core/plan/case.ts';
import type { SliceMeasurement } from '../../core/record/measurement.ts';
import type { Placement, ResolvedSpec } from '../../core/spec/resolved.ts';
import { invalidReasons } from '../../core/validity/verdict.ts';
import { GeneratorNotStarted } from '../ports/generators.ts';
import type { Stage } from '../ports/stage.ts';
import type { MeasuringAdapters } from './adapters.ts';
import type { Course } from './course.ts';
import { measuredLine } from './measured-line.ts';
import { chosenRate, type GeneratorCapacities } from './rate.ts';
import { undisturbedSlice } from './undisturbed-slice.ts';
import { passKey, verifiedPasses } from './verification.ts';
import { warmUp } from './warm-up.ts';

/**
 * Measures cases against one running instance, in their order. Resolves to the cases that are left because a part of
 * the stage is no longer what was started; empty where all were measured or found not to be as expected.
 */
export async function measureInstance(
  stage: Stage,
  cases: readonly Case[],
  spec: ResolvedSpec,
  placement: Placement,
  course: Course,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Case[]> {
  const { store, progress } = adapters;
  const idleBytes = stage.meters.service.memoryBytes();
  const { passes, lost, fallen } = await verifiedPasses(stage, cases, adapters, signal);
  const measurable = cases.filter((testCase) => !lost.has(passKey(testCase)));
  course.skip(cases.length - measurable.length);
  if (fallen !== null) {
    progress.warn(fallen.message);
    return measurable;
  }

  const capacities: GeneratorCapacities = new Map();
  for (const [index, testCase] of measurable.entries()) {
    course.at(testCase.key);
    try {
      const slice = await measuredCase(testCase, { stage, spec, placement, idleBytes, capacities }, adapters, signal);
      const pass = passes.get(passKey(testCase)) ?? null;
      progress.measured(measuredLine(slice, testCase, invalidReasons({ slice, case: testCase, pass })));
      course.done();
      if (slice.stageFailure !== null) {
        progress.warn(slice.stageFailure.message);
        return measurable.slice(index + 1);
      }
    } catch (error) {
      if (!(error instanceof GeneratorNotStarted)) throw error;
      const reason = { code: 'generator-failed', message: error.message };
      progress.warn(`${testCase.key}: ${error.message}`);
      await store.journal.append({ kind: 'lost', caseKey: testCase.key, reason });
      course.skip(1);
    }
  }
  return [];
}

interface OnStage {
  stage: Stage;
  spec: ResolvedSpec;
  placement: Placement;
  idleBytes: number;
  capacities: GeneratorCapacities;
}

/** Warm-up, rate and slice of one case; in the journal when it resolves. Rejects with `GeneratorNotStarted`. */
async function measuredCase(
  testCase: Case,
  { stage, spec, placement, idleBytes, capacities }: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement> {
  const { journal } = adapters.store;
  const target = { origin: stage.origins[testCase.route]!, cpus: placement.generator };
  const warmedUp = await warmUp(testCase, spec.load.warmUp, target, adapters, signal);
  const chosen = await chosenRate(testCase, warmedUp.capacity, target, capacities, adapters, signal);
  const request = {
    case: testCase,
    stage,
    beside: null,
    placement,
    slice: 1,
    pair: null,
    rate: chosen.rate,
    warmUp: { seconds: warmedUp.seconds, steady: warmedUp.steady },
    notes: chosen.mark === null ? [] : [chosen.mark],
    idleBytes,
    coolDownSeconds: spec.load.coolDownSeconds,
  };
  const { slice, loadSeconds } = await undisturbedSlice(request, adapters, signal);
  await journal.append({ kind: 'load', seconds: warmedUp.seconds + chosen.seconds + loadSeconds });
  await journal.append({ kind: 'slice', ...slice });
  return slice;
}
