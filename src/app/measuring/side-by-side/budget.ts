import type { Case } from '../../../core/config/case.ts';
import type { ResolvedSpec } from '../../../core/config/resolved.ts';
import { duetLengths, plannedRound } from '../../../core/plan/duets.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../../../core/statistics/interim-analyses.ts';
import { longestTrialSeconds } from '../trial-length.ts';
import type { SideBySideRequest } from './request.ts';
import { heldCases, type TakenRound } from './run-state.ts';

type Mode = SideBySideRequest['mode'];

/**
 * Seconds that a service still has to be compared in; below 0 where its last round took longer than was left. What those
 * before it (in `order`, that of the run) did not use is divided among the rest. A run that goes on finds the same shares
 * again: what a service has spent itself is taken off its own one.
 */
export function secondsLeft(
  service: string,
  order: readonly string[],
  wholeSeconds: number,
  entries: readonly JournalEntry[],
): number {
  const place = order.indexOf(service);
  const before = order.slice(0, place).reduce((sum, name) => sum + secondsSpent(name, entries), 0);
  const share = Math.max(0, wholeSeconds - before) / (order.length - place);
  return share - secondsSpent(service, entries);
}

/** On rounds of a service, those that were broken off among them. */
export function secondsSpent(service: string, entries: readonly JournalEntry[]): number {
  const spent = entries.map((entry) =>
    (entry.kind === 'round' || entry.kind === 'broken-off') && entry.service === service ? entry.comparingSeconds : 0,
  );
  return spent.reduce((sum, seconds) => sum + seconds, 0);
}

/** Rounds of the same cases do not take quite the same time. */
const ROUND_ALLOWANCE = 1.05;

/**
 * Seconds that a duet of a slow endpoint may take from now on, so that there is room for the rounds that a verdict takes: `spentSeconds`
 * are those of the run's rounds so far, the last of which is number `round`; 0 before the first.
 */
export function longestDuetSeconds(
  round: number,
  spentSeconds: number,
  lastSeconds: number | null,
  request: Pick<SideBySideRequest, 'planned' | 'entries' | 'budgetSeconds' | 'extraSeconds'>,
): number {
  const { entries, budgetSeconds, extraSeconds } = request;
  const held = heldCases(request);
  const left = budgetSeconds + extraSeconds - spentSeconds;
  const roundSeconds = left / Math.max(1, FIRST_ANALYSIS_ROUNDS - round) / ROUND_ALLOWANCE;
  const pairs = pairsOfRound(round, held, entries());
  if (lastSeconds === null || pairs.length === 0) return longestTrialSeconds(roundSeconds, held.length);
  const loadSeconds = pairs.reduce((sum, seconds) => sum + seconds, 0);
  return longestTrialSeconds(roundSeconds, pairs.length, lastSeconds - loadSeconds);
}

/** Seconds of load of each pair that a round has measured: one after the other, or both at once. */
function pairsOfRound(round: number, cases: readonly Case[], entries: readonly JournalEntry[]): number[] {
  const keys = new Set(cases.map(({ key }) => key));
  const pairs = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind !== 'trial' || entry.round !== round || !keys.has(entry.caseKey)) continue;
    const pair = `${entry.caseKey} ${entry.pair}`;
    const [seconds, before] = [entry.durationNs / 1e9, pairs.get(pair) ?? 0];
    pairs.set(pair, entry.mode === 'duet' ? Math.max(before, seconds) : before + seconds);
  }
  return [...pairs.values()];
}

/** As many whole rounds of these cases as a budget is thought to be enough for. */
export function roundsExpected(seconds: number, cases: readonly Case[], spec: ResolvedSpec, mode: Mode): number {
  return Math.floor(seconds / plannedRound(cases, spec, mode).seconds);
}

/**
 * Seconds that a round of these cases will take, by what the last one took. Those that are left may be the ones that take
 * longest, as fixed rates do.
 */
export function nextRoundSeconds(
  cases: readonly Case[],
  last: TakenRound,
  { sides, mode, ...rest }: Pick<SideBySideRequest, 'planned' | 'entries' | 'sides' | 'mode'>,
): number {
  const { spec } = sides.candidate;
  const lengths = duetLengths(heldCases(rest), spec);
  const plannedSeconds = (of: readonly Case[]) => plannedRound(of, spec, mode, lengths).seconds;
  return (last.seconds * plannedSeconds(cases)) / plannedSeconds(last.cases);
}

/**
 * Seconds that a service may be compared for, after so many rounds. A machine that is slower than the recorded one, or whose rounds
 * scatter more, has longer for what the budget was made for.
 */
export function mostSecondsAfter(
  rounds: number,
  seesTwiceEachLimit: boolean,
  {
    budgetSeconds,
    extraSeconds,
    expectedRounds,
    longestSeconds,
  }: Pick<SideBySideRequest, 'budgetSeconds' | 'extraSeconds' | 'expectedRounds' | 'longestSeconds'>,
): number {
  if (rounds < FIRST_ANALYSIS_ROUNDS) return budgetSeconds + extraSeconds;
  const isEnough = rounds >= expectedRounds && seesTwiceEachLimit;
  return isEnough ? budgetSeconds : Math.max(budgetSeconds, longestSeconds);
}
