import { mayBeAbsent } from '../../../core/baseline/absent-services.ts';
import type { Case } from '../../../core/config/case.ts';
import { stepsFor } from '../../../core/config/service-steps.ts';
import { counted } from '../../../core/format/figures.ts';
import { PUBLISHING_ROUND, type Variant } from '../../../core/measurement/names.ts';
import { duetLengths, plannedRound } from '../../../core/plan/duets.ts';
import { roundSeed } from '../../../core/plan/plan.ts';
import { seededRandom } from '../../../core/statistics/random.ts';
import type { TestbedError } from '../../ports/testbed.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { leaveOut } from '../started-service.ts';
import { testbedFailureReason } from '../testbed-failure.ts';
import { caseOfAllCpus } from './all-cpus.ts';
import { longestDuetSeconds } from './budget.ts';
import { casesOfTasks, type NextRound, nextRound, noRoundsYet, type RoundsSoFar } from './next-round.ts';
import type { SideBySideRequest } from './request.ts';
import { measureSideBySide, type RoundFrame, type RoundTask } from './round.ts';
import { roundProgress } from './round-progress.ts';
import { heldCases, isAbsent, ratesIn, type TasksLeft, wasMeasured, withoutBaseline } from './run-state.ts';
import { type Fallen, VARIANTS } from './sides.ts';
import { SideFailure, startedTestbeds } from './started-testbeds.ts';

/** A service that falls over again and again is no longer started. */
const MOST_FAILURES = 4;

/**
 * Starts both variants of a service, round after round: first for the published figures, then, until every
 * gated metric is decided or the budget is spent, to compare them. What was loaded for minutes is another program than
 * what has just started (its heap has grown, its code is compiled for what it has seen), so the round of the published
 * figures compares nothing. Resolves to the cases whose candidate is still to be measured on its own, because its baseline
 * cannot be had.
 */
export async function compareService(
  request: SideBySideRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Case[]> {
  await compared(request, adapters, signal);
  return withoutBaseline(request);
}

async function compared(request: SideBySideRequest, adapters: MeasuringAdapters, signal: AbortSignal): Promise<void> {
  const kept: KeptOverRounds = {
    rates: ratesIn(request.entries()),
    warmUps: new Map(),
    bestCapacities: new Map(),
    saturated: { baseline: new Map(), candidate: new Map() },
    generatorCapacities: new Map(),
    restless: new Map(),
    longer: new Map(),
    dropped: new Set(),
    neverAtRest: new Set(),
  };
  const next = nextRound(request, kept.dropped, noRoundsYet(request));
  if (next === null) return;
  for (const variant of VARIANTS) {
    const { failure } = request.sides[variant].prepared;
    if (failure !== null) return await loseSide(variant, failure, casesOfTasks(next.tasks), request, adapters);
  }
  await rounds(request, kept, adapters, signal);
}

async function rounds(
  request: SideBySideRequest,
  kept: KeptOverRounds,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { planned, preparingNs = () => 0 } = request;
  const { name } = planned.service;
  const { progress, clock, store } = adapters;
  const now = () => clock.monotonicNs() - preparingNs();
  const soFar = noRoundsYet(request);
  let measured = 0;
  let failures = 0;

  while (true) {
    const next = nextRound(request, kept.dropped, soFar);
    if (next === null) return;
    const { round, before, tasks } = next;
    const publishing = round === PUBLISHING_ROUND;
    const isForeseen = measured > 0 || stepsFor(request.sides.candidate.spec, planned.service).length === 0;
    reportRound(request, next, isForeseen ? soFar.spentSeconds : null, adapters);
    const startedNs = now();
    let ended = false;
    let fallen: Fallen | null;
    try {
      fallen = await oneRound(round, tasks, kept, soFar, request, adapters, signal);
      ended = true;
      soFar.startFailed = false;
      measured += 1;
    } catch (error) {
      if (!(error instanceof SideFailure)) throw error;
      const { variant, failure } = error;
      if (measured === 0 && before === 0) {
        return await loseSide(variant, failure, casesOfTasks(tasks), request, adapters);
      }
      soFar.startFailed = true;
      fallen = { variant, reason: testbedFailureReason(planned.service, failure) };
      progress.warn(`${variant}: ${fallen.reason.message}`);
    } finally {
      if (!publishing) {
        const comparingSeconds = (now() - startedNs) / 1e9;
        soFar.spentSeconds += comparingSeconds;
        if (ended) soFar.last = { seconds: comparingSeconds, cases: tasks.undecided };
        await store.journal.append({
          kind: ended ? 'round' : 'broken-off',
          service: name,
          round,
          comparingSeconds,
        });
      }
    }
    if (fallen !== null) failures += 1;
    if (fallen !== null && failures === MOST_FAILURES) {
      return await giveUp(fallen, failures, casesOfTasks(tasks), adapters);
    }
  }
}

type KeptOverRounds = Pick<
  RoundFrame,
  | 'rates'
  | 'warmUps'
  | 'bestCapacities'
  | 'saturated'
  | 'generatorCapacities'
  | 'restless'
  | 'longer'
  | 'dropped'
  | 'neverAtRest'
>;

/** One start of both sides, measured. Resolves as `measureSideBySide`; rejects with `SideFailure`. */
async function oneRound(
  round: number,
  { unpublished, undecided, interleaved, recounted }: TasksLeft,
  kept: KeptOverRounds,
  soFar: RoundsSoFar,
  request: SideBySideRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Fallen | null> {
  const { sides, mode, isShort, planned, seed } = request;
  const testbeds = await startedTestbeds(request, round, adapters, signal);
  try {
    const { spec } = sides.candidate;
    const { pairsEach, lengths } = plannedRound(undecided, spec, mode, duetLengths(heldCases(request), spec));
    const duets = mode === 'duet' ? undecided : [];
    const ofAllCpus = caseOfAllCpus(duets, round, request.placement);
    const task: RoundTask =
      round === PUBLISHING_ROUND
        ? { round, solo: unpublished, isShort, duets: [], ofAllCpus: null, pairsEach: 0, interleaved: [], recounted }
        : { round, solo: [], isShort, duets, ofAllCpus, pairsEach, interleaved, recounted };
    const random = seededRandom(roundSeed(seed, planned.service.name, round));
    const before = { round: soFar.last === null ? 0 : round - 1, seconds: soFar.last?.seconds ?? null };
    const longestSeconds = () => longestDuetSeconds(before.round, soFar.spentSeconds, before.seconds, request);
    const frame = { ...request, ...kept, testbeds, lengths, longestSeconds, random };
    return await measureSideBySide(task, frame, adapters, signal);
  } finally {
    await Promise.all([testbeds.baseline.stop(), testbeds.candidate.stop()]);
  }
}

/** `spentSeconds` is null while the sides are still to be prepared, which nobody knows the length of. */
function reportRound(
  { planned, budgetSeconds }: SideBySideRequest,
  next: NextRound,
  spentSeconds: number | null,
  { progress }: MeasuringAdapters,
): void {
  const total = planned.cases.length;
  const undecided = next.tasks.undecided.length;
  const { name } = planned.service;
  const { text, remainingSeconds } = roundProgress(next, { spentSeconds: spentSeconds ?? 0, budgetSeconds });
  const what =
    next.round === PUBLISHING_ROUND
      ? `${name}: each side by itself, for the published figures`
      : `${name}: ${text}; ${undecided} of ${counted(total, 'case')} undecided`;
  progress.at({
    done: total - undecided,
    total,
    what,
    remainingSeconds: spentSeconds === null ? null : remainingSeconds,
  });
}

/**
 * A side that cannot be had from the beginning on loses the `cases` that are left, or is absent where it may be: as long as nothing of
 * the service was measured, or it was absent before, which the other side was measured without.
 */
async function loseSide(
  variant: Variant,
  failure: TestbedError,
  cases: readonly Case[],
  { planned, sides, entries }: SideBySideRequest,
  adapters: MeasuringAdapters,
): Promise<void> {
  const { store, progress } = adapters;
  const { service, prepared } = sides[variant];
  const wasNeverThere = isAbsent(variant, { entries, planned }) || !wasMeasured(planned.cases, entries());
  if (mayBeAbsent(service, sides.baseline.service) && wasNeverThere) {
    return await leaveOut({ service, prepared, variant }, failure, adapters);
  }
  const reason = testbedFailureReason(service, failure);
  progress.warn(variant === 'baseline' ? `${variant}: ${reason.message}` : reason.message);
  const { artifact } = prepared;
  await store.journal.append({
    kind: 'service',
    service: service.name,
    variant,
    artifact,
    failure: reason,
  });
  for (const { key } of cases) {
    await store.journal.append({ kind: 'lost', caseKey: key, variant, reason });
  }
}

/** A side that stood, and then fell over or did not start `times` times, loses what is still to be measured. */
async function giveUp(
  { variant, reason }: Fallen,
  times: number,
  cases: readonly Case[],
  { store, progress }: MeasuringAdapters,
): Promise<void> {
  const message = `Rounds fell over, or could not be started, ${times} times, and no more are started. The last time: ${reason.message}`;
  progress.warn(`${variant}: ${message}`);
  for (const { key } of cases) {
    await store.journal.append({ kind: 'lost', caseKey: key, variant, reason: { code: reason.code, message } });
  }
}
