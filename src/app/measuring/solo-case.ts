import type { Case } from '../../core/config/case.ts';
import type { Placement, ResolvedSpec } from '../../core/config/resolved.ts';
import { isWriting } from '../../core/config/writes.ts';
import type { TrialMeasurement, UnloadedPass } from '../../core/measurement/measurement.ts';
import { type Beyond, beyondService, tooSlowForRate } from '../../core/validity/beyond-service.ts';
import type { Testbed } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { leastCapacity, noteBeyond, noteSaturated, type Saturated } from './beyond.ts';
import { mostRestSeconds } from './drained.ts';
import { observedWarmUp } from './observation.ts';
import {
  type Capacities,
  type ChosenRate,
  capacityOf,
  chosenRate,
  type GeneratorCapacities,
  learnCapacity,
} from './rate.ts';
import { restoredBefore } from './restored-data.ts';
import { undisturbedTrial } from './trial.ts';
import { atRate, LONGEST_TRIAL_SECONDS } from './trial-length.ts';
import { warmUp } from './warm-up.ts';

/** What a case is measured in, by itself. */
export interface RunningService {
  testbed: Testbed;
  spec: ResolvedSpec;
  placement: Placement;
  idleBytes: number;
  capacities: Capacities;
  saturated: Saturated;
  /** Of the case's endpoint, without load. */
  pass: UnloadedPass | null;
  generatorCapacities: GeneratorCapacities;
  /** In whose warm-up the service is looked at. */
  observed: Case | null;
  /** What it is loaded with once its data were put back. */
  reconnecting: Case;
  /** It does not survive that its data are put back, and is cold after it. */
  restartsWithData: boolean;
}

/**
 * Warm-up, rate and trial of one case; in the journal when it resolves. Null where its warm-up shows that it is beyond the service.
 * Rejects with `GeneratorNotStarted`.
 */
export async function measuredCase(
  testCase: Case,
  running: RunningService,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<TrialMeasurement | null> {
  const { testbed, spec, placement, idleBytes, capacities, generatorCapacities, observed, reconnecting } = running;
  const { journal } = adapters.store;
  const target = { origin: testbed.origins[testCase.route]!, cpus: placement.generator };
  const warmedUp = await (testCase === observed
    ? observedWarmUp(testCase, spec.load.warmUp, { ...target, testbed }, adapters, signal)
    : warmUp(testCase, spec.load.warmUp, target, adapters, signal));
  const { capacity: requestsPerSecond } = warmedUp;
  if (requestsPerSecond !== null) {
    learnCapacity(capacities, { case: testCase, origin: target.origin, requestsPerSecond, from: 'warm-up' });
    noteSaturated(running.saturated, testCase, requestsPerSecond, { pass: running.pass, sides: 1, from: 'warm-up' });
  }
  const chosen = await chosenRate(testCase, capacities, target, generatorCapacities, adapters, signal);
  const beyond = beyondOf(testCase, requestsPerSecond, chosen, running.pass);
  if (beyond !== null) {
    await journal.append({ kind: 'load', seconds: warmedUp.seconds + chosen.seconds });
    await noteBeyond(testCase, [{ variant: 'candidate', beyond }], adapters);
    return null;
  }
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
    case: atRate(testCase, chosen.rate),
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
  if (chosen.rate === null) {
    const perSecond = trial.outcome?.throughput ?? 0;
    noteSaturated(running.saturated, testCase, perSecond, { pass: running.pass, sides: 1, from: 'trial' });
  }
  return trial;
}

/** By what its own warm-up has reached, and by the rate that is a share of that. */
function beyondOf(
  testCase: Case,
  requestsPerSecond: number | null,
  { rate }: ChosenRate,
  pass: UnloadedPass | null,
): Beyond | null {
  if (requestsPerSecond === null) return null;
  const beyond = beyondService(testCase, leastCapacity(requestsPerSecond, pass));
  if (beyond !== null || rate === null || !('durationSeconds' in testCase.load)) return beyond;
  return tooSlowForRate(
    testCase,
    rate,
    Math.max(testCase.load.durationSeconds, LONGEST_TRIAL_SECONDS),
    requestsPerSecond,
  );
}
