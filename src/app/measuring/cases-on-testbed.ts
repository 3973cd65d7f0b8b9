import type { Case } from '../../core/config/case.ts';
import type { Placement, ResolvedSpec } from '../../core/config/resolved.ts';
import { isWriting } from '../../core/config/writes.ts';
import type { TrialMeasurement } from '../../core/measurement/measurement.ts';
import { invalidReasons } from '../../core/validity/verdict.ts';
import { GeneratorNotStarted } from '../ports/generators.ts';
import { type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { type AskedEndpoints, askedEndpoints, filledCases } from './asked-endpoints.ts';
import { mostRestSeconds } from './drained.ts';
import type { MatrixProgress } from './matrix-progress.ts';
import { measuredLine } from './measured-line.ts';
import { observedCase, observedWarmUp } from './observation.ts';
import { type Capacities, capacityKey, capacityOf, chosenRate, type GeneratorCapacities } from './rate.ts';
import { readingCases, reconnectingCase } from './reconnecting.ts';
import { DataNotRestored, restoredBefore } from './restored-data.ts';
import { testbedFailureReason } from './testbed-failure.ts';
import { undisturbedTrial } from './undisturbed-trial.ts';
import { passKey } from './unloaded-passes.ts';
import { verifiedPasses } from './verification.ts';
import { warmUp } from './warm-up.ts';

/**
 * Measures cases against one running testbed, in their order. Resolves to the cases that are left because a part of
 * the testbed is no longer what was started; empty where all were measured or found not to be as expected.
 */
export async function measureCases(
  testbed: Testbed,
  cases: readonly Case[],
  spec: ResolvedSpec,
  placement: Placement,
  matrixProgress: MatrixProgress,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Case[]> {
  const { store, progress } = adapters;
  const idleBytes = testbed.meters.service.memoryBytes();
  const askable = await askableCases(testbed, cases, spec, adapters);
  if (askable === null) return [...cases];
  const { passes, lost, fallen } = await verifiedPasses(testbed, askable, adapters, signal);
  const measurable = askable.filter((testCase) => !lost.has(testCase.key));
  matrixProgress.skip(cases.length - measurable.length);
  if (fallen !== null) {
    progress.warn(fallen.message);
    return measurable;
  }

  const capacities: Capacities = new Map();
  const generatorCapacities: GeneratorCapacities = new Map();
  const observed = observedCase(measurable);
  const reading = readingCases(measurable, [...passes.values()]);
  let isWritten = false;
  let restartsWithData = false;
  for (const [index, testCase] of measurable.entries()) {
    matrixProgress.at(testCase.key);
    try {
      const target = { origin: testbed.origins[testCase.route]!, cpus: placement.generator };
      const reconnecting = reconnectingCase(testCase, reading);
      const restored = isWritten ? await restoredBefore(reconnecting, testbed, target, adapters, signal) : 'kept';
      restartsWithData ||= restored === 'restarted';
      isWritten = isWriting(testCase.endpoint);
      const trial = await measuredCase(
        testCase,
        {
          testbed,
          spec,
          placement,
          idleBytes,
          capacities,
          generatorCapacities,
          observed,
          reconnecting,
          restartsWithData,
        },
        adapters,
        signal,
      );
      const pass = passes.get(passKey(testCase)) ?? null;
      progress.measured(measuredLine(trial, testCase, invalidReasons({ trial, case: testCase, pass })));
      matrixProgress.done();
      if (trial.testbedFailure !== null) {
        progress.warn(trial.testbedFailure.message);
        return measurable.slice(index + 1);
      }
    } catch (error) {
      if (error instanceof DataNotRestored) {
        progress.warn(error.reason.message);
        return measurable.slice(index);
      }
      if (!(error instanceof GeneratorNotStarted)) throw error;
      const reason = { code: 'generator-failed', message: error.message };
      progress.warn(`${testCase.key}: ${error.message}`);
      await store.journal.append({ kind: 'lost', caseKey: testCase.key, reason });
      matrixProgress.skip(1);
    }
  }
  return [];
}

/** With their requests filled in; those that cannot be asked are lost, and said to be. Null where the testbed has fallen over. */
async function askableCases(
  testbed: Testbed,
  cases: readonly Case[],
  spec: ResolvedSpec,
  adapters: MeasuringAdapters,
): Promise<Case[] | null> {
  let asked: AskedEndpoints;
  try {
    asked = await askedEndpoints(testbed, cases, spec.endpoints, adapters);
  } catch (error) {
    if (!(error instanceof TestbedError)) throw error;
    adapters.progress.warn(testbedFailureReason(testbed.service, (await testbed.failure()) ?? error).message);
    return null;
  }
  const { filled, lost } = filledCases(cases, asked);
  for (const message of new Set([...lost.values()].map((reason) => reason.message))) adapters.progress.warn(message);
  for (const [caseKey, reason] of lost) await adapters.store.journal.append({ kind: 'lost', caseKey, reason });
  return filled;
}

interface RunningRound {
  testbed: Testbed;
  spec: ResolvedSpec;
  placement: Placement;
  idleBytes: number;
  capacities: Capacities;
  generatorCapacities: GeneratorCapacities;
  /** In whose warm-up the service is looked at. */
  observed: Case | null;
  /** What it is loaded with once its data were put back. */
  reconnecting: Case;
  /** It does not survive that its data are put back, and is cold after it. */
  restartsWithData: boolean;
}

/** Warm-up, rate and trial of one case; in the journal when it resolves. Rejects with `GeneratorNotStarted`. */
async function measuredCase(
  testCase: Case,
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<TrialMeasurement> {
  const { testbed, spec, placement, idleBytes, capacities, generatorCapacities, observed, reconnecting } = running;
  const { journal } = adapters.store;
  const target = { origin: testbed.origins[testCase.route]!, cpus: placement.generator };
  const warmedUp = await (testCase === observed
    ? observedWarmUp(testCase, spec.load.warmUp, { ...target, testbed }, adapters, signal)
    : warmUp(testCase, spec.load.warmUp, target, adapters, signal));
  const { capacity: requestsPerSecond } = warmedUp;
  if (requestsPerSecond !== null) {
    capacities.set(capacityKey(testCase), { case: testCase, origin: target.origin, requestsPerSecond });
  }
  const chosen = await chosenRate(testCase, capacities, target, generatorCapacities, adapters, signal);
  // What warmed it up has written, and what found its rate may have asked another endpoint that does.
  if (!running.restartsWithData && (isWriting(testCase.endpoint) || chosen.seconds > 0)) {
    const restored = await restoredBefore(reconnecting, testbed, target, adapters, signal);
    if (restored === 'restarted') {
      const { seconds } = await warmUp(testCase, spec.load.warmUp, target, adapters, signal);
      await journal.append({ kind: 'load', seconds });
    }
  }
  // Data may have been put back since the last trial, and connections been lost by that up to the end of the warm-up.
  await testbed.passLog?.();
  const request = {
    case: testCase,
    reconnecting,
    testbed,
    other: null,
    placement,
    trial: 1,
    pair: null,
    rate: chosen.rate,
    warmUp: { seconds: warmedUp.seconds, steady: warmedUp.steady },
    notes: chosen.warning === null ? [] : [chosen.warning],
    idleBytes,
    coolDownSeconds: spec.load.coolDownSeconds,
    mostRestSeconds: mostRestSeconds(testCase, capacityOf(testCase, capacities)),
  };
  const { trial, loadSeconds } = await undisturbedTrial(request, adapters, signal);
  await journal.append({ kind: 'load', seconds: warmedUp.seconds + chosen.seconds + loadSeconds });
  await journal.append({ kind: 'trial', ...trial });
  return trial;
}
