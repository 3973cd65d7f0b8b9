import { absoluteLimits, type LevelLimits } from '../comparison/absolute-limits.ts';
import type { Comparison } from '../comparison/comparison.ts';
import type { RunRecord } from '../record/run-record.ts';
import { hasOtherData } from '../report/comparison/headline-parts.ts';

import { isBeyondService } from '../validity/beyond-service.ts';

/** What a run came to, in one word: the action's output `verdict`. The most severe that applies. */
export type RunVerdict =
  /** A change for the worse, or an absolute limit that is broken. */
  | 'regression'
  /** Something could not be measured, or ended early: nothing shows that all is well. */
  | 'invalid'
  /** Too little was measured to see anything: no pass either. */
  | 'not-measured'
  /** It says how it was measured itself, and so counts for nothing. */
  | 'unverified'
  /** The budget did not decide, or what is better may be so for other data. */
  | 'inconclusive'
  | 'accepted'
  | 'improvement'
  | 'no-change'
  /** Both sides are the same. */
  | 'same'
  /** Nothing to compare with. */
  | 'first-measurement';

/** A run that was judged. */
export interface JudgedRun {
  record: RunRecord;
  /** Null where there was nothing to compare with. */
  comparison: Comparison | null;
  /** Limits that need no baseline, of a run that was not compared. */
  limits: LevelLimits;
  /** Why what it found does not count, a sentence; null where it does. */
  unverified: string | null;
}

/** Of a run that nobody has to doubt. */
export function judgedRun(record: RunRecord, comparison: Comparison | null): JudgedRun {
  return { record, comparison, limits: absoluteLimits(record), unverified: null };
}

export function runVerdict({ record, comparison, limits, unverified }: JudgedRun): RunVerdict {
  if (unverified !== null) return 'unverified';
  if (comparison === null) return uncomparedVerdict(record, limits);
  if (comparison.skipped !== null) return 'same';
  const { gate, cases, endpoints, services } = comparison;
  if (gate.regressions.length > 0) return 'regression';
  if (gate.invalid.length > 0) return 'invalid';
  if (gate.notMeasured.length > 0) return 'not-measured';
  if (gate.inconclusive.length > 0) return 'inconclusive';
  if (gate.accepted.length > 0) return 'accepted';
  const all = [...cases, ...endpoints, ...services].flatMap(({ metrics }) => Object.values(metrics));
  if (all.some(({ verdict }) => verdict === 'improvement'))
    return hasOtherData(comparison) ? 'inconclusive' : 'improvement';
  return cases.length > 0 && gate.new.length > 0 && cases.every(({ presence }) => presence === 'new')
    ? 'first-measurement'
    : 'no-change';
}

function uncomparedVerdict(
  { cases, interrupted, unpaired }: RunRecord,
  { broken, accepted, unjudged }: LevelLimits,
): RunVerdict {
  if (broken.length > 0) return 'regression';
  const candidates = cases.filter((each) => each.variant === 'candidate' && !isBeyondService(each));
  const isWhole = candidates.length > 0 && candidates.every(({ status }) => status === 'valid');
  if (interrupted !== null || unpaired?.failed === true || !isWhole) return 'invalid';
  if (unjudged.length > 0) return 'inconclusive';
  return accepted.length > 0 ? 'accepted' : 'first-measurement';
}

/** What fails a job: the input `fail`. */
export type FailOn = 'regression' | 'inconclusive' | 'never';

export function isFailure(verdict: RunVerdict, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  if (verdict === 'inconclusive') return failOn === 'inconclusive';
  return ['regression', 'invalid', 'not-measured', 'unverified'].includes(verdict);
}

/** Whether its status and its check fail: what counts for nothing is no success, whatever fails a job. */
export function isFailing(verdict: RunVerdict, failOn: FailOn): boolean {
  return verdict === 'unverified' || isFailure(verdict, failOn);
}

/** The most severe first. */
export const bySeverity: readonly RunVerdict[] = [
  'regression',
  'invalid',
  'not-measured',
  'unverified',
  'inconclusive',
  'accepted',
  'improvement',
  'first-measurement',
  'no-change',
  'same',
];

export function mostSevere(verdicts: readonly RunVerdict[]): RunVerdict | null {
  return bySeverity.find((each) => verdicts.includes(each)) ?? null;
}

/** Whether a reader who only wants to hear of changes hears of it. */
export function isChange(verdict: RunVerdict): boolean {
  return verdict !== 'no-change' && verdict !== 'same' && verdict !== 'first-measurement';
}
