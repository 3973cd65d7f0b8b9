import type { Case } from '../../core/plan/case.ts';
import type { SliceMeasurement, UnloadedPass } from '../../core/record/measurement.ts';
import type { Placement, ResolvedSpec } from '../../core/spec/resolved.ts';
import { invalidReasons } from '../../core/validity/verdict.ts';
import { GeneratorNotStarted, type Stage } from '../ports.ts';
import type { MeasuringAdapters } from './adapters.ts';
import type { Course } from './course.ts';
import { measuredLine } from './measured-line.ts';
import { chosenRate } from './rate.ts';
import { measuredSlice } from './slice.ts';
import { reachedEndpoints, unexpectedParts, unloadedPass } from './verification.ts';
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
  const passes = await verified(stage, cases, adapters, signal);
  const measurable = cases.filter((testCase) => passes.has(passKey(testCase)));
  course.skip(cases.length - measurable.length);

  for (const [index, testCase] of measurable.entries()) {
    course.at(testCase.key);
    try {
      const slice = await measuredCase(testCase, { stage, spec, placement, idleBytes }, adapters, signal);
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
}

/** Warm-up, rate and slice of one case; in the journal when it resolves. Rejects with `GeneratorNotStarted`. */
async function measuredCase(
  testCase: Case,
  { stage, spec, placement, idleBytes }: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement> {
  const { progress, store } = adapters;
  const { journal } = store;
  const target = { origin: stage.origins[testCase.route]!, cpus: placement.generator };
  const warmedUp = await warmUp(testCase, spec.load.warmUp, target, adapters, signal);
  const chosen = await chosenRate(testCase, warmedUp.capacity, target, adapters, signal);
  const request = {
    case: testCase,
    stage,
    placement,
    slice: 1,
    rate: chosen.rate,
    warmUp: { seconds: warmedUp.seconds, steady: warmedUp.steady },
    notes: chosen.mark === null ? [] : [chosen.mark],
    idleBytes,
    coolDownSeconds: spec.load.coolDownSeconds,
  };
  let slice = await measuredSlice(request, adapters, signal);
  let loadNs = slice.durationNs;
  // No fault of the service, and over in a moment: virtual machines have their clocks set now and then.
  for (let again = 0; again < CLOCK_RETRIES && clockStepped(slice, testCase); again += 1) {
    progress.say(`${testCase.key}: the machine's clock was set meanwhile; measuring once more`);
    slice = await measuredSlice(request, adapters, signal);
    loadNs += slice.durationNs;
  }
  await journal.append({ kind: 'load', seconds: warmedUp.seconds + chosen.seconds + loadNs / 1e9 });
  await journal.append({ kind: 'slice', ...slice });
  return slice;
}

const CLOCK_RETRIES = 2;

function clockStepped(slice: SliceMeasurement, testCase: Case): boolean {
  return invalidReasons({ slice, case: testCase, pass: null }).some(({ code }) => code === 'clock-stepped');
}

const passKey = ({ route, endpoint }: Pick<Case, 'route' | 'endpoint'>) => `${route} ${endpoint.name}`;

/** The pass without load of every endpoint that answers as expected; the cases of the others are lost, with the difference. */
async function verified(
  stage: Stage,
  cases: readonly Case[],
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Map<string, UnloadedPass>> {
  const { store, progress } = adapters;
  const passes = new Map<string, UnloadedPass>();
  for (const reached of reachedEndpoints(cases)) {
    const { endpoint, route } = reached;
    const differences = await unexpectedParts(stage, reached, adapters, signal);
    if (differences.length === 0) {
      const pass = await unloadedPass(stage, reached, adapters, signal);
      await store.journal.append({ kind: 'pass', ...pass });
      passes.set(passKey(reached), pass);
      continue;
    }
    const where = `${endpoint.method} ${stage.service.basePath}${endpoint.path}${route === 'gateway' ? ' through the gateway' : ''}`;
    const message = `${stage.service.name} does not answer ${where} as expected: ${differences.join('; ')}`;
    progress.warn(`${message}. Its cases are invalid; the others go on.`);
    await store.journal.append({
      kind: 'unexpected',
      service: stage.service.name,
      endpoint: endpoint.name,
      route,
      differences,
    });
    for (const testCase of cases.filter((other) => passKey(other) === passKey(reached))) {
      await store.journal.append({ kind: 'lost', caseKey: testCase.key, reason: { code: 'unexpected-body', message } });
    }
  }
  return passes;
}
