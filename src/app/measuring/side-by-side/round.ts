import { isFixedRate } from '../../../core/comparison/gating.ts';
import type { Case } from '../../../core/config/case.ts';
import { isWriting } from '../../../core/config/writes.ts';
import type { TrialMeasurement } from '../../../core/measurement/measurement.ts';
import type { Variant } from '../../../core/measurement/names.ts';
import { endpointKey, mostWarmUpSeconds } from '../../../core/plan/duets.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import { type Random, shuffled } from '../../../core/statistics/random.ts';
import { GeneratorNotStarted } from '../../ports/generators.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { answeredLeftOver } from '../answers-again.ts';
import { drainedBetweenTrials, mostRestSeconds } from '../drained.ts';
import { observedCase } from '../observation.ts';
import { capacityKey, learnCapacity } from '../rate.ts';
import { readingCases } from '../reconnecting.ts';
import { DataNotRestored } from '../restored-data.ts';
import { passKey } from '../unloaded-passes.ts';
import { verifiedPasses } from '../verification.ts';
import { type WarmedUpTogether, warmUpTogether } from '../warm-up.ts';
import { askedSides } from './asked-sides.ts';
import { capacityOfOne, isBeyondSaturated, noteReached } from './beyond-sides.ts';
import { duetsInRound } from './duet-seconds.ts';
import { duetPair, interleavedPair, pairOfAllCpus, shortSoloPair, soloPair } from './pairs.ts';
import { sharedPassRequests } from './pass-requests.ts';
import { restoredSides } from './restored-sides.ts';
import { isRestless, orderOf, type RoundStart, type RunningRound, runningRound, targets } from './running-round.ts';
import { caseOf, type Fallen, VARIANTS } from './sides.ts';

/** What one round is to measure. */
export interface RoundTask {
  round: number;
  /** Both variants in turn, at full length, for the published figures. */
  solo: readonly Case[];
  /** Both at once. */
  duets: readonly Case[];
  /** Both in turn, at the length of duets: where a duet tells nothing, or cannot be. */
  interleaved: readonly Case[];
  /** Of `duets`: both in turn as well, each on all CPUs that its service has; null where that is one. */
  ofAllCpus: Case | null;
  /** How often each of `duets` is loaded. */
  pairsEach: number;
  /** Whose endpoints are counted again without load, although it is a later round. */
  recounted: readonly Case[];
  /** The published figures are of short trials: only the change is of interest. */
  isShort: boolean;
}

export interface RoundFrame extends RoundStart {
  random: Random;
  /** Keys of cases whose generator cannot be started; kept over rounds. */
  dropped: Set<string>;
  /** Sides that are at work on their own for longer than after a start; kept over rounds. */
  neverAtRest: Set<Variant>;
  /** Everything in the journal so far. */
  entries(): readonly JournalEntry[];
}

/**
 * Measures a task against both variants of one service while they stand side by side. Resolves to the side that fell over,
 * which ends the round, or to null where both stand at its end; what was measured is in the journal.
 */
export async function measureSideBySide(
  task: RoundTask,
  given: RoundFrame,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Fallen | null> {
  const all = [...new Set([...task.solo, ...task.duets, ...task.interleaved])];
  const { sides, lost, fallen: fellBefore } = await askedSides(all, given, adapters);
  const frame = { ...given, sides };
  const wanted = all.filter(({ key }) => !lost.has(key));
  // Memory at rest is read here, before the first request to either.
  const running = runningRound(task.round, frame);
  const counted = task.round <= THOROUGH_ROUNDS ? wanted : task.recounted;
  const { measurable, fallen } =
    fellBefore === null
      ? await verifiedCases(wanted, counted, frame, adapters, signal)
      : { measurable: () => false, fallen: fellBefore };
  if (fallen !== null) {
    adapters.progress.warn(`${fallen.variant}: ${fallen.reason.message}`);
    return fallen;
  }
  const [solo, duets, interleaved] = [task.solo, task.duets, task.interleaved].map((cases) =>
    cases.filter((testCase) => !lost.has(testCase.key) && measurable(testCase)),
  ) as [Case[], Case[], Case[]];

  running.passes = frame.entries().flatMap((entry) => (entry.kind === 'pass' ? [entry] : []));
  running.reading = readingCases(wanted.filter(measurable), running.passes);
  if (!task.isShort) running.observed = observedCase(solo);
  const warmed = [...duets, ...interleaved, ...(task.isShort ? solo : [])];
  await warmBoth(warmed, running, adapters, signal);
  // Data were put back between endpoints that write, and the connections that this cost may have been missed as late as here.
  for (const variant of VARIANTS) await frame.testbeds[variant].passLog?.();
  let isWritten = warmed.some(({ endpoint }) => isWriting(endpoint));
  const pairs = [
    ...repeated(solo, () => 1, task.isShort ? shortSoloPair : soloPair),
    ...repeated(duets, (testCase) => duetsInRound(testCase, task.pairsEach, running), duetPair),
    ...repeated(interleaved, () => 1, interleavedPair),
    ...repeated(
      duets.filter((each) => each === task.ofAllCpus),
      () => 1,
      pairOfAllCpus,
    ),
  ];
  for (const { testCase, measured } of inOrder(pairs, frame.random)) {
    const measure = async () => {
      if (isWritten) await restoredSides(testCase, running, adapters, signal);
      isWritten = isWriting(testCase.endpoint);
      return await measured(testCase, running, adapters, signal);
    };
    const fell = await guarded(testCase, frame, adapters, measure);
    if (fell !== null) return fell;
  }
  return null;
}

type MeasuredPair = typeof duetPair;

/**
 * Closed loops without keep-alive, closed loops with it, fixed rates; each at random. What comes first warms the server up for the rest:
 * CPU per request of two equal Node.js servers scattered by 3.2 % in the first trial of a round where connections were opened anew, by
 * 11 % (up to 42) where they were kept, since the one was compiled by then and the other not, and by 3 to 4 % once there had been some without
 * keep-alive. At a fixed rate it scattered by 3.4 % in the first 6 s, and by 2 % later in the round.
 */
function inOrder<T extends { testCase: Case; measured: MeasuredPair }>(pairs: readonly T[], random: Random): T[] {
  // What a side by itself answers to few connections tells whether more are too many for it.
  const place = ({ testCase, measured }: T): [number, number] =>
    isFixedRate(testCase)
      ? [measured === soloPair ? testCase.connections : Number.POSITIVE_INFINITY, 2]
      : [measured === soloPair || measured === shortSoloPair ? testCase.connections : 0, testCase.keepAlive ? 1 : 0];
  return shuffled(pairs, random).toSorted((one, other) => {
    const [[firstOne, thenOne], [firstOther, thenOther]] = [place(one), place(other)];
    return firstOne === firstOther ? thenOne - thenOther : firstOne - firstOther;
  });
}

function repeated(cases: readonly Case[], timesOf: (testCase: Case) => number, measured: MeasuredPair) {
  return cases.flatMap((testCase) => Array.from({ length: timesOf(testCase) }, () => ({ testCase, measured })));
}

/** The side that fell over meanwhile; null where none did. */
async function guarded(
  { key }: Case,
  { dropped }: RoundFrame,
  { store, progress }: MeasuringAdapters,
  measure: () => Promise<TrialMeasurement[]>,
): Promise<Fallen | null> {
  if (dropped.has(key)) return null;
  try {
    const fallen = (await measure()).find(({ testbedFailure }) => testbedFailure !== null);
    if (fallen === undefined) return null;
    const { variant, testbedFailure } = fallen;
    progress.warn(`${variant}: ${testbedFailure!.message}`);
    return { variant, reason: testbedFailure! };
  } catch (error) {
    if (error instanceof DataNotRestored) {
      const { testbed, reason } = error;
      progress.warn(`${testbed.variant}: ${reason.message}`);
      return { variant: testbed.variant, reason };
    }
    if (!(error instanceof GeneratorNotStarted)) throw error;
    progress.warn(`${key}: ${error.message}`);
    const reason = { code: 'generator-failed', message: error.message };
    for (const variant of VARIANTS) await store.journal.append({ kind: 'lost', caseKey: key, variant, reason });
    dropped.add(key);
    return null;
  }
}

/** In rounds up to this one every endpoint is counted; in later ones it is asked once, to see that it answers as expected. */
const THOROUGH_ROUNDS = 1;

/** Whether both sides answer a case's endpoint as expected; the others are lost, and said to be. */
async function verifiedCases(
  cases: readonly Case[],
  countedCases: readonly Case[],
  { sides, testbeds, neverAtRest }: RoundFrame,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ measurable: (testCase: Case) => boolean; fallen: Fallen | null }> {
  const requests = sharedPassRequests();
  const counted = new Set(countedCases.map(passKey));
  // Nothing is timed, and each side's counts are of its own processes, statements and connections.
  const asked = await Promise.allSettled(
    VARIANTS.map(async (variant) => {
      const own = cases.map((testCase) => caseOf(testCase, sides[variant]));
      try {
        return await verifiedPasses(testbeds[variant], own, adapters, signal, {
          isCounted: (reached) => counted.has(passKey(reached)),
          requestsOf: requests[variant],
          neverAtRest,
        });
      } finally {
        if (variant === 'baseline') requests.baselineEnded();
      }
    }),
  );
  const lost = new Set<string>();
  let fallen: Fallen | null = null;
  for (const [index, each] of asked.entries()) {
    if (each.status === 'rejected') throw each.reason;
    for (const key of each.value.lost) lost.add(key);
    if (each.value.fallen !== null) fallen ??= { variant: VARIANTS[index]!, reason: each.value.fallen };
  }
  return { measurable: (testCase) => !lost.has(testCase.key), fallen };
}

/**
 * Warms both up at the same time, each endpoint by its first case. The first round goes on until throughput no longer rises, and
 * with each way of opening connections; it learns how long an endpoint takes, and later rounds take that long. Two servers of
 * Node.js that had just started differed by 7 % in their first second of load, by 6 % in the next two, and by 3 % from the
 * fourth on.
 */
async function warmBoth(
  cases: readonly Case[],
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { warmUps, sides } = running;
  const { warmUp } = sides.candidate.spec.load;
  const isFirst = warmUps.size === 0;
  const nameOf = isFirst ? capacityKey : endpointKey;
  const firsts = new Map(
    cases
      .toSorted(byFewestConnections)
      .reverse()
      .map((testCase) => [nameOf(testCase), testCase]),
  );
  const mostSeconds = mostWarmUpSeconds(new Set(cases.map(endpointKey)).size);
  const found: ({ key: string } & WarmedUpTogether)[] = [];
  for (const [name, testCase] of firsts) {
    const own = cases.filter((each) => nameOf(each) === name);
    if (own.every((each) => isBeyondSaturated(each, running))) continue;
    const [first, second] = targets(testCase, running);
    const key = endpointKey(testCase);
    const learnt = warmUps.get(key);
    const unknown = found.some((each) => each.key === key) ? 'again' : 'first';
    const known =
      learnt === undefined ? unknown : Math.max(Math.min(learnt, mostSeconds), enoughSeconds(testCase, running));
    const warmedUp = await warmUpTogether([first, second], warmUp, known, adapters, signal);
    found.push({ key, ...warmedUp });
    const { capacity, ofEach } = warmedUp;
    const bothSides = VARIANTS.map((variant) => running.testbeds[variant]);
    await drainedBetweenTrials(bothSides, mostRestSeconds(testCase, capacity), adapters.clock, signal);
    if (!isRestless(testCase, running)) {
      const sides = [first, second].map((side, index) =>
        answeredLeftOver(side.origin, side.case, ofEach?.[index] ?? 0, adapters, signal),
      );
      await Promise.all(sides);
    }
    if (capacity === null || ofEach === null) continue;
    const reached = orderOf(testCase, running).map((variant, index) => ({ variant, perSecond: ofEach[index]! }));
    for (const { variant, perSecond } of reached) noteReached(testCase, variant, perSecond, TOGETHER, running);
    const requestsPerSecond = capacityOfOne(testCase, capacity, reached, running);
    learnCapacity(running.capacities, { ...first, requestsPerSecond, from: 'warm-up' });
    const before = running.bestCapacities.get(capacityKey(testCase)) ?? 0;
    running.bestCapacities.set(capacityKey(testCase), Math.max(before, requestsPerSecond));
  }
  // A case that comes later than the first round is learnt from as well.
  for (const { key, neededSeconds } of found) warmUps.set(key, Math.max(warmUps.get(key) ?? 0, neededSeconds));
  for (const { key, seconds, steady } of found) {
    const before = running.warm.get(key);
    running.warm.set(key, { seconds: seconds + (before?.seconds ?? 0), steady: steady && (before?.steady ?? true) });
  }
  const seconds = found.reduce((sum, each) => sum + each.seconds, 0);
  if (seconds > 0) await adapters.store.journal.append({ kind: 'load', seconds });
}

/** Longer for an endpoint that would answer next to nothing in the time that others need. */
function enoughSeconds(testCase: Case, { bestCapacities }: RunningRound): number {
  const perSecond = bestCapacities.get(capacityKey(testCase));
  return perSecond === undefined
    ? 0
    : Math.min(MOST_KNOWN_SECONDS, Math.round((10 * ENOUGH_REQUESTS) / perSecond) / 10);
}

const TOGETHER = { sides: 2, from: 'warm-up' } as const;
const ENOUGH_REQUESTS = 20;
const MOST_KNOWN_SECONDS = 3;

/** Few connections bring both sides to work at once. */
function byFewestConnections(one: Case, other: Case): number {
  return one.connections - other.connections || (one.key < other.key ? -1 : 1);
}
