import type { Case } from '../../../core/config/case.ts';
import { PUBLISHING_ROUND } from '../../../core/measurement/names.ts';
import { MOST_ROUNDS } from '../../../core/plan/duets.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../../../core/statistics/interim-analyses.ts';
import { mostSecondsAfter, nextRoundSeconds } from './budget.ts';
import type { SideBySideRequest } from './request.ts';
import { lastRound, lastTaken, type TakenRound, type TasksLeft, tasksLeft } from './run-state.ts';

/** A red comparison is to be over in time, and rounds of the same cases took 34.5 to 37.2 s in one run. */
const RED_ALLOWANCE = 1.1;

/** What has become of the rounds of a service since the run began, or was gone on with. */
export interface RoundsSoFar {
  /** Of comparing. */
  spentSeconds: number;
  /** The last one that was measured as a whole; null where there is none. */
  last: TakenRound | null;
  /** Of the last one. */
  startFailed: boolean;
}

export function noRoundsYet(request: Pick<SideBySideRequest, 'planned' | 'entries'>): RoundsSoFar {
  return { spentSeconds: 0, last: lastTaken(request), startFailed: false };
}

export interface NextRound {
  round: number;
  /** Number of the last one that compares; 0 before the first. */
  before: number;
  tasks: TasksLeft;
  /** What it will take, by the last one; 0 where there is none. */
  expectedSeconds: number;
  /** That all rounds may take. */
  mostSeconds: number;
}

/** What the next round of a service measures; null where none is begun any more: all is decided, or the budget is spent. */
export function nextRound(
  request: SideBySideRequest,
  dropped: ReadonlySet<string>,
  { spentSeconds, last, startFailed }: RoundsSoFar,
): NextRound | null {
  const before = lastRound(request);
  const decided = request.decisions.of(request.planned.service.name, before);
  const tasks = tasksLeft(request, dropped, decided);
  const { unpublished, undecided } = tasks;
  const expected = last === null ? 0 : nextRoundSeconds(undecided, last, request);
  const seconds = mostSecondsAfter(before, decided.seesTwiceEachLimit, request);
  const times = { expectedSeconds: expected, mostSeconds: seconds };
  if (unpublished.length > 0) return { round: PUBLISHING_ROUND, before, tasks, ...times };
  if (undecided.length === 0 || before >= MOST_ROUNDS) return null;
  const isRed = decided.isRed && before >= FIRST_ANALYSIS_ROUNDS;
  const isSpent = spentSeconds + expected > seconds;
  const isOverForRed = isRed && spentSeconds + RED_ALLOWANCE * expected > request.redSeconds;
  // After a start that failed the budget is no answer: whether the side can be had at all is not known yet.
  if (before > 0 && !startFailed && (isSpent || isOverForRed)) return null;
  return { round: before + 1, before, tasks, ...times };
}

/** All that a round, or one after it, is to measure. */
export function casesOfTasks({ unpublished, undecided }: TasksLeft): Case[] {
  return [...new Set([...unpublished, ...undecided])];
}
