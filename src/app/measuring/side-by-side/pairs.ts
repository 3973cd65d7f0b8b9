import type { Case } from '../../../core/config/case.ts';
import { isWriting } from '../../../core/config/writes.ts';
import { grouped } from '../../../core/format/figures.ts';
import type { TrialMeasurement } from '../../../core/measurement/measurement.ts';
import type { Variant } from '../../../core/measurement/names.ts';
import { type DuetLengths, SHORT_SOLO_SECONDS } from '../../../core/plan/duets.ts';
import { invalidReasons } from '../../../core/validity/verdict.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { mostRestSeconds, USUAL_REST_SECONDS } from '../drained.ts';
import { measuredLine } from '../measured-line.ts';
import { observedWarmUp } from '../observation.ts';
import { type ChosenRate, capacityOf, chosenRate, learnCapacity } from '../rate.ts';
import { reconnectingCase } from '../reconnecting.ts';
import { measuredTrial, type TrialRequest, undisturbedTrial } from '../trial.ts';
import { type WarmedUp, warmUp } from '../warm-up.ts';
import { measuredDuet } from './duet.ts';
import { answeredSeconds, longerSeconds } from './duet-length.ts';
import { repetitionOf } from './duet-rate.ts';
import { restoredSides } from './restored-sides.ts';
import { nextPlace, orderOf, type Place, type RunningRound, targetOf, targets } from './running-round.ts';
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
  const { capacities, generatorCapacities } = running;
  const chosen = await chosenRate(first.case, capacities, first, generatorCapacities, adapters, signal);
  await keepRates(testCase, chosen, running, adapters);
  await restoredForTrials(testCase, chosen, running, adapters, signal);

  const place = nextPlace(testCase, running);
  const trials = [];
  for (const variant of order) {
    const { seconds = 0, steady = true } = warm[variant] ?? {};
    const request = {
      ...trialRequest(testCase, variant, place, running),
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
  const [first] = targets(testCase, running);
  const { capacities, generatorCapacities } = running;
  const chosen = await chosenRate(first.case, capacities, first, generatorCapacities, adapters, signal);
  await keepRates(testCase, chosen, running, adapters);
  if (chosen.seconds > 0) await restoredForTrials(testCase, chosen, running, adapters, signal);
  const short = { ...testCase, load: shortened(testCase, SHORT_SOLO_SECONDS) };
  const place = nextPlace(testCase, running);
  const trials = [];
  const reached: number[] = [];
  for (const variant of orderOf(testCase, running)) {
    const notes = chosen.warning === null ? [] : [chosen.warning];
    const request = { ...trialRequest(short, variant, place, running), rate: chosen.rate, notes };
    const { trial } = await undisturbedTrial(request, adapters, signal);
    const reasons = invalidReasons({ trial, case: testCase, pass: null });
    adapters.progress.measured(`${variant.padEnd('candidate'.length)} ${measuredLine(trial, testCase, reasons)}`);
    trials.push(trial);
    reached.push((reasons.length === 0 && trial.outcome?.throughput) || 0);
  }
  if (chosen.rate === null) {
    learnCapacity(capacities, { ...first, requestsPerSecond: Math.min(...reached), from: 'trials' });
  }
  return await kept(trials, chosen.seconds, running, adapters);
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

/** Both in turn, as short as a duet; a rate is that of one side, since the other one rests. */
export async function interleavedPair(
  testCase: Case,
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<TrialMeasurement[]> {
  const short = { ...testCase, load: shortened(testCase, running.lengths) };
  const place = nextPlace(testCase, running);
  const rate = running.rates.get(testCase.key)?.solo ?? null;
  const trials = [];
  for (const variant of orderOf(testCase, running)) {
    const request = { ...trialRequest(short, variant, place, running), rate };
    trials.push(await measuredTrial(request, adapters, signal));
  }
  return await kept(trials, 0, running, adapters);
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
    const request = (variant: Variant) => ({
      ...trialRequest(testCase, variant, place, running),
      rate: known?.duet ?? null,
    });
    const seconds = known === null ? closedLoopSeconds(testCase, running) : running.lengths[testCase.generator];
    const trials = await measuredDuet([request(first), request(second)], seconds, adapters, signal);
    const longer = known === null ? longerSeconds(trials, seconds) : null;
    if (longer !== null) {
      running.longer.set(testCase.key, longer);
      adapters.progress.say(
        `${testCase.key}: a side answered no request within ${seconds} s; going on with trials of ${longer} s`,
      );
      continue;
    }
    const again = known === null ? null : repetitionOf(trials, testCase, known.duet, repeated);
    if (known === null || again === null) return await kept(trials, 0, running, adapters);

    const { why, rate } = again;
    const was = `${grouped(known.duet)}/s`;
    const found =
      why === 'busy' ? `both sides at ${was} keep the CPUs too busy` : `neither side holds ${was} beside the other`;
    const next = rate === known.duet ? 'measuring once more' : `going on with ${grouped(rate)}/s`;
    adapters.progress.say(`${testCase.key}: ${found}; ${next}`);
    if (rate === known.duet) continue;
    const rates = { solo: known.solo, duet: rate };
    running.rates.set(testCase.key, rates);
    await adapters.store.journal.append({ kind: 'rate', caseKey: testCase.key, ...rates });
  }
}

/** Alike in all rounds, but for what a side that answered nothing adds. */
function closedLoopSeconds(testCase: Case, { longer, lengths, capacities }: RunningRound): number {
  const found = longer.get(testCase.key);
  if (found !== undefined) return found;
  const seconds = answeredSeconds(
    lengths[testCase.generator],
    capacityOf(testCase, capacities),
    testCase.load.timeoutSeconds,
  );
  longer.set(testCase.key, seconds);
  return seconds;
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
  for (const { caseKey, outcome, afterLoad } of trials) {
    if (outcome?.sentRequests === undefined || afterLoad !== undefined) continue;
    restless.set(caseKey, (restless.get(caseKey) ?? 0) + 1);
  }
  return trials;
}

/** Two of each side: 1000 connections to a slow service are more than it answers in time, and each wait would be in vain. */
const MOST_RESTLESS = 4;

function trialRequest(testCase: Case, variant: Variant, place: Place, running: RunningRound): TrialRequest {
  const isRestless = (running.restless.get(testCase.key) ?? 0) >= MOST_RESTLESS;
  return {
    ...place,
    case: caseOf(testCase, running.sides[variant]),
    reconnecting: caseOf(reconnectingCase(testCase, running.reading), running.sides[variant]),
    testbed: running.testbeds[variant],
    other: running.testbeds[variant === 'baseline' ? 'candidate' : 'baseline'],
    placement: running.placement,
    rate: null,
    warmUp: running.warm,
    notes: [],
    idleBytes: running.idleBytes[variant],
    coolDownSeconds: 0.1,
    isRestless,
    mostRestSeconds: isRestless
      ? USUAL_REST_SECONDS
      : mostRestSeconds(testCase, capacityOf(testCase, running.capacities)),
  };
}

function shortened({ load }: Case, lengths: DuetLengths): Case['load'] {
  return 'durationSeconds' in load ? { ...load, durationSeconds: lengths[load.generator] } : load;
}
