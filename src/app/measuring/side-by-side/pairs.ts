import type { Case } from '../../../core/config/case.ts';
import { isWriting } from '../../../core/config/writes.ts';
import { grouped } from '../../../core/format/figures.ts';
import type { TrialMeasurement } from '../../../core/measurement/measurement.ts';
import type { Variant } from '../../../core/measurement/names.ts';
import { endpointKey } from '../../../core/plan/duets.ts';
import { beyondByTrial } from '../../../core/validity/beyond-service.ts';
import { isSpoilt } from '../../../core/validity/set-aside.ts';
import { invalidReasons } from '../../../core/validity/verdict.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { mostRestSeconds, USUAL_REST_SECONDS } from '../drained.ts';
import { measuredLine } from '../measured-line.ts';
import { observedWarmUp } from '../observation.ts';
import { type ChosenRate, chosenRate, learnCapacity } from '../rate.ts';
import { reconnectingCase } from '../reconnecting.ts';
import { measuredTrial, type TrialRequest, undisturbedTrial } from '../trial.ts';
import { atRate, longerSeconds } from '../trial-length.ts';
import { type WarmedUp, warmUp } from '../warm-up.ts';
import { beyondByWarmUp, isBeyondBoth, isKnownBeyond, isTooSlow, noteReached } from './beyond-sides.ts';
import { measuredDuet } from './duet.ts';
import { repetitionOf } from './duet-rate.ts';
import {
  duetSeconds,
  interleavedSeconds,
  knownCapacity,
  learnSeconds,
  shortSoloSeconds,
  withTimeout,
} from './duet-seconds.ts';
import { restoredSides } from './restored-sides.ts';
import { isRestless, nextPlace, orderOf, type Place, type RunningRound, targetOf, targets } from './running-round.ts';
import { caseOf, type OfEach } from './sides.ts';

/** Warm-up, rate and trial of both in turn, at full length; a rate is a share of what the slower one can do. */
export async function soloPair(
  testCase: Case,
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<TrialMeasurement[]> {
  const { load } = running.sides.candidate.spec;
  const order = orderOf(testCase, running);
  if (await isKnownBeyond(testCase, running, adapters)) return [];
  const warm: OfEach<WarmedUp | null> = { baseline: null, candidate: null };
  for (const variant of order) {
    const target = targetOf(testCase, variant, running);
    warm[variant] = await (testCase === running.observed
      ? observedWarmUp(target.case, load.warmUp, { ...target, testbed: running.testbeds[variant] }, adapters, signal)
      : warmUp(target.case, load.warmUp, target, adapters, signal));
  }
  const reached = order.flatMap((variant) => warm[variant]?.capacity ?? []);
  const [first] = targets(testCase, running);
  if (reached.length > 0) {
    learnCapacity(running.capacities, { ...first, requestsPerSecond: Math.min(...reached), from: 'warm-up' });
  }
  const inWarmUp = { sides: 1, from: 'warm-up' } as const;
  for (const variant of order) noteReached(testCase, variant, warm[variant]?.capacity ?? 0, inWarmUp, running);
  const ofWarmUp = (variant: Variant) => beyondByWarmUp(testCase, variant, warm[variant]?.capacity ?? null, running);
  if (await isBeyondBoth(testCase, ofWarmUp, adapters)) return [];
  const { capacities, generatorCapacities } = running;
  const chosen = await chosenRate(first.case, capacities, first, generatorCapacities, adapters, signal);
  if (await isTooSlow(testCase, chosen, running, adapters)) return [];
  await keepRates(testCase, chosen, running, adapters);
  await restoredForTrials(testCase, chosen, running, adapters, signal);

  const place = nextPlace(testCase, running);
  const trials = [];
  for (const variant of order) {
    const { seconds = 0, steady = true } = warm[variant] ?? {};
    const request = {
      ...trialRequest(atRate(testCase, chosen.rate), variant, place, running),
      rate: chosen.rate,
      warmUp: { seconds, steady },
      notes: chosen.warning === null ? [] : [chosen.warning],
      coolDownSeconds: load.coolDownSeconds,
    };
    const { trial } = await undisturbedTrial(request, adapters, signal);
    const text = measuredLine(trial, testCase, invalidReasons({ trial, case: testCase, pass: null }));
    adapters.progress.measured(`${variant.padEnd('candidate'.length)} ${text}`);
    trials.push(trial);
  }
  noteTrials(testCase, trials, running);
  const warmSeconds = order.reduce((sum, variant) => sum + (warm[variant]?.seconds ?? 0), 0);
  return await kept(trials, warmSeconds + chosen.seconds, running, adapters);
}

/**
 * What warmed a case up has written as much as each side was fast, and what found its rate may have asked another endpoint that writes: a
 * trial begins with the data that were prepared. A side that would be cold after that keeps what its warm-up wrote.
 */
async function restoredForTrials(
  testCase: Case,
  { seconds }: ChosenRate,
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  if (running.restartsWithData || (seconds === 0 && !isWriting(testCase.endpoint))) return;
  await restoredSides(testCase, running, adapters, signal);
}

/** The same in short, right after both were warmed up together: for figures beside a change that is measured elsewhere. */
export async function shortSoloPair(
  testCase: Case,
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<TrialMeasurement[]> {
  if (await isKnownBeyond(testCase, running, adapters)) return [];
  const [first] = targets(testCase, running);
  const { capacities, generatorCapacities } = running;
  const chosen = await chosenRate(first.case, capacities, first, generatorCapacities, adapters, signal);
  if (await isTooSlow(testCase, chosen, running, adapters)) return [];
  if (chosen.seconds > 0) await restoredForTrials(testCase, chosen, running, adapters, signal);
  const found = await shortTrials(testCase, chosen, running, adapters, signal);
  const isTooMuch =
    running.mode === 'duet' &&
    found.reasons.every((codes) => codes.length === 1 && codes[0] === 'rate-not-held') &&
    !found.trials.some((trial) => isSpoilt(trial, testCase));
  let { trials } = found;
  let { rate } = chosen;
  if (isTooMuch) {
    // What both together answer while they wait for something else than a CPU is more than either does by itself.
    rate = chosen.duetRate;
    if (isWriting(testCase.endpoint)) await restoredSides(testCase, running, adapters, signal);
    ({ trials } = await shortTrials(testCase, { ...chosen, rate }, running, adapters, signal));
  }
  await keepRates(testCase, { ...chosen, rate }, running, adapters);
  const reached = found.reasons.map(
    (codes, index) => (codes.length === 0 && found.trials[index]!.outcome?.throughput) || 0,
  );
  if (chosen.rate === null) {
    learnCapacity(capacities, { ...first, requestsPerSecond: Math.min(...reached), from: 'trials' });
  }
  noteTrials(testCase, trials, running);
  const measured = await kept(trials, chosen.seconds, running, adapters);
  const byTrial = (variant: Variant) => {
    const trial = trials.find((each) => each.variant === variant);
    return trial === undefined ? null : beyondByTrial(trial, testCase);
  };
  await isBeyondBoth(testCase, byTrial, adapters);
  return measured;
}

/** What closed loops of each side by itself have reached. */
function noteTrials(testCase: Case, trials: readonly TrialMeasurement[], running: RunningRound): void {
  for (const { variant, rate, outcome } of trials) {
    if (rate !== null) continue;
    noteReached(testCase, variant, outcome?.throughput ?? 0, { sides: 1, from: 'trial' }, running);
  }
}

/** With the codes of why each of them is no measurement. */
async function shortTrials(
  testCase: Case,
  chosen: ChosenRate,
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ trials: TrialMeasurement[]; reasons: string[][] }> {
  const seconds = shortSoloSeconds(testCase, chosen.rate, running);
  const short = { ...testCase, load: shortened(testCase, seconds) };
  const place = nextPlace(testCase, running);
  const trials = [];
  const codes = [];
  for (const variant of orderOf(testCase, running)) {
    const notes = chosen.warning === null ? [] : [chosen.warning];
    const request = { ...trialRequest(short, variant, place, running), rate: chosen.rate, notes };
    const { trial } = await undisturbedTrial(request, adapters, signal);
    const reasons = invalidReasons({ trial, case: testCase, pass: null });
    adapters.progress.measured(`${variant.padEnd('candidate'.length)} ${measuredLine(trial, testCase, reasons)}`);
    trials.push(trial);
    codes.push(reasons.map(({ code }) => code));
  }
  return { trials, reasons: codes };
}

/** In the journal, so that a run that goes on sends the same. */
async function keepRates(
  { key }: Case,
  { rate, duetRate }: ChosenRate,
  { rates }: RunningRound,
  { store }: MeasuringAdapters,
): Promise<void> {
  if (rate === null || duetRate === null) return;
  const chosen = { solo: rate, duet: duetRate };
  rates.set(key, chosen);
  await store.journal.append({ kind: 'rate', caseKey: key, ...chosen });
}

/** Seconds: a round has one such pair, and in half a second throughput of a cluster of two scattered by 20 %. */
const LEAST_OF_ALL_CPUS = 1;

/** Both in turn, as short as a duet; a rate is that of one side, since the other one rests. */
export const interleavedPair = inTurn({});
/** The same beside duets. */
export const pairOfAllCpus = inTurn({ ofAllCpus: true });

function inTurn(mark: Pick<TrialRequest, 'ofAllCpus'>): typeof duetPair {
  return async (testCase, running, adapters, signal) => {
    const rate = running.rates.get(testCase.key)?.solo ?? null;
    const seconds = Math.max(mark.ofAllCpus ? LEAST_OF_ALL_CPUS : 0, interleavedSeconds(testCase, rate, running));
    const short = { ...testCase, load: shortened(testCase, seconds) };
    const place = nextPlace(testCase, running);
    const trials = [];
    for (const variant of orderOf(testCase, running)) {
      const request = { ...trialRequest(short, variant, place, running), ...mark, rate };
      trials.push(await measuredTrial(request, adapters, signal));
    }
    return await kept(trials, 0, running, adapters);
  };
}

/**
 * Both at the same time. A rate that is too much for both is lowered for the rest of the run, and a trial too short for an answer made
 * longer; the duet is then measured again.
 */
export async function duetPair(
  testCase: Case,
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<TrialMeasurement[]> {
  for (let repeated = 0; ; repeated += 1) {
    if (repeated > 0 && isWriting(testCase.endpoint)) await restoredSides(testCase, running, adapters, signal);
    const place = nextPlace(testCase, running);
    const known = running.rates.get(testCase.key) ?? null;
    const [first, second] = orderOf(testCase, running);
    const seconds = duetSeconds(testCase, running);
    const patient = known === null ? withTimeout(testCase, seconds) : testCase;
    const rate = known?.duet ?? null;
    const request = (variant: Variant) => ({ ...trialRequest(patient, variant, place, running), rate });
    const trials = await measuredDuet([request(first), request(second)], seconds, adapters, signal);
    const longer = known === null ? longerSeconds(trials, seconds) : null;
    if (longer !== null) {
      running.longer.set(testCase.key, longer);
      adapters.progress.say(
        `${testCase.key}: a side answered no request within ${seconds} s; going on with trials of ${longer} s`,
      );
      continue;
    }
    if (known === null) learnSeconds(testCase, trials, seconds, running);
    const again = known === null ? null : repetitionOf(trials, testCase, known.duet, repeated);
    if (known === null || again === null) return await kept(trials, 0, running, adapters);

    const { why, rate: next } = again;
    const was = `${grouped(known.duet)}/s`;
    const found =
      why === 'busy' ? `both sides at ${was} keep the CPUs too busy` : `neither side holds ${was} beside the other`;
    const then = next === known.duet ? 'measuring once more' : `going on with ${grouped(next)}/s`;
    adapters.progress.say(`${testCase.key}: ${found}; ${then}`);
    if (next === known.duet) continue;
    const rates = { solo: known.solo, duet: next };
    running.rates.set(testCase.key, rates);
    await adapters.store.journal.append({ kind: 'rate', caseKey: testCase.key, ...rates });
  }
}

async function kept(
  trials: TrialMeasurement[],
  otherSeconds: number,
  { restless }: RunningRound,
  { store: { journal } }: MeasuringAdapters,
): Promise<TrialMeasurement[]> {
  const inDuet = trials[0]?.mode === 'duet';
  const each = trials.map(({ durationNs }) => durationNs / 1e9);
  const seconds = inDuet ? Math.max(...each) : each.reduce((sum, value) => sum + value, 0);
  await journal.append({ kind: 'load', seconds: otherSeconds + seconds });
  for (const trial of trials) await journal.append({ kind: 'trial', ...trial });
  for (const { caseKey, outcome, afterLoad, differencesAfter } of trials) {
    const isAtRest = outcome?.sentRequests === undefined || afterLoad !== undefined;
    if (isAtRest && differencesAfter.length === 0) continue;
    restless.set(caseKey, (restless.get(caseKey) ?? 0) + 1);
  }
  return trials;
}

function trialRequest(testCase: Case, variant: Variant, place: Place, running: RunningRound): TrialRequest {
  const neverRests = isRestless(testCase, running);
  return {
    ...place,
    case: caseOf(testCase, running.sides[variant]),
    reconnecting: caseOf(reconnectingCase(testCase, running.reading), running.sides[variant]),
    testbed: running.testbeds[variant],
    other: running.testbeds[variant === 'baseline' ? 'candidate' : 'baseline'],
    placement: running.placement,
    rate: null,
    warmUp: running.warm.get(endpointKey(testCase)) ?? { seconds: 0, steady: true },
    notes: [],
    idleBytes: running.idleBytes[variant],
    coolDownSeconds: 0.1,
    isRestless: neverRests,
    mostRestSeconds: neverRests ? USUAL_REST_SECONDS : mostRestSeconds(testCase, knownCapacity(testCase, running)),
  };
}

function shortened({ load }: Case, durationSeconds: number): Case['load'] {
  return 'durationSeconds' in load ? { ...load, durationSeconds } : load;
}
