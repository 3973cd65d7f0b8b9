import { inlineText } from '../report/inline-text.ts';
import { lostHeadline } from './lost-run.ts';
import { type RemovedSpec, removedHeadline } from './removed-spec.ts';
import type { RunText } from './run-text.ts';
import { statusContext } from './status-context.ts';
import { markText, readMark, type StatusMark } from './status-mark.ts';
import { type FailOn, isFailing, type RunVerdict } from './verdict.ts';

/** A commit status as GitHub takes it. */
export interface CommitStatus {
  /** `wrkbench/api`: what a branch rule requires. */
  context: string;
  state: 'success' | 'failure' | 'error' | 'pending';
  /** 140 characters at most. https://docs.github.com/rest/commits/statuses */
  description: string;
}

/** Why a status is a success: each has a right to be one, which a test has a sentence for. */
export type SuccessReason =
  | 'no-change'
  | 'same'
  | 'improvement'
  | 'first-measurement'
  | 'accepted'
  | 'undecided'
  | 'nothing-fails'
  | 'untouched'
  | 'merge-queue'
  | 'removal-accepted';

/** A status that is to be set: no success without a reason. */
export type NewStatus = Omit<CommitStatus, 'state'> &
  ({ state: 'success'; reason: SuccessReason } | { state: 'failure' | 'error' });

const LONGEST = 140;

export function statusOf(
  specName: string,
  verdict: RunVerdict,
  { headline, cause }: RunText,
  failOn: FailOn,
  mark: StatusMark = null,
): NewStatus {
  // Counts and names of a headline could take all of the room.
  const text = verdict === 'invalid' && cause !== null ? `Invalid: ${cause}` : inlineText(headline);
  const said = { context: statusContext(specName), description: described(text, mark) };
  const reason = isFailing(verdict, failOn) ? null : successReason(verdict);
  if (reason !== null) return { ...said, state: 'success', reason };
  const isUnknown = ['invalid', 'not-measured', 'unverified'].includes(verdict);
  return { ...said, state: isUnknown ? 'error' : 'failure' };
}

/** Of a verdict that does not fail; null for one that always does. */
function successReason(verdict: RunVerdict): SuccessReason | null {
  switch (verdict) {
    case 'unverified':
      return null;
    case 'regression':
    case 'invalid':
    case 'not-measured':
      return 'nothing-fails';
    case 'inconclusive':
      return 'undecided';
    default:
      return verdict;
  }
}

/** Of a spec that should have been measured and was not. */
export function missingStatus(specName: string, why: string, mark: StatusMark = null): NewStatus {
  const description = described(inlineText(lostHeadline(why)), mark);
  return { context: statusContext(specName), state: 'error', description };
}

/** Of a spec that is gone, which somebody accepted. */
export function removedStatus(removed: RemovedSpec, mark: StatusMark = null): NewStatus {
  const description = described(inlineText(removedHeadline(removed)), mark);
  return { context: statusContext(removed.specName), state: 'success', reason: 'removal-accepted', description };
}

/** Of a spec that may have been measured, where nobody could be told. */
export function unreportedStatus(specName: string, why: string): NewStatus {
  return { context: statusContext(specName), state: 'error', description: described(`Not reported: ${why}`, null) };
}

/** Of a spec that was rightly not measured. */
export function passedStatus(
  specName: string,
  { why, reason }: { why: string; reason: 'untouched' | 'merge-queue' },
  mark: StatusMark = null,
): NewStatus {
  return { context: statusContext(specName), state: 'success', reason, description: described(why, mark) };
}

/** Of one that was judged against `was`, of a pull request that is into `base` by now. `isMeasuring`: what takes it back measures it. */
export function takenBackStatus(context: string, was: string | null, base: string, isMeasuring = false): NewStatus {
  const judged = was === null ? 'It was not judged for this base' : `It was judged for ${was}`;
  const next = isMeasuring
    ? 'It is being measured again'
    : 'Measure it again: push a commit, or run the workflow again';
  const description = described(`${judged}. ${next}`, { base });
  return { context, state: 'error', description };
}

/** No text of others ends as a mark does. */
function described(text: string, mark: StatusMark): string {
  const end = markText(mark);
  const line = clipped(text, LONGEST - end.length);
  return mark === null && readMark(line) !== null ? `${line.slice(0, -1)}…` : `${line}${end}`;
}

/**
 * As a forge takes it. GitHub answers 422 ("description doesn't accept 4-byte Unicode") to a character beyond U+FFFF, and the status
 * would never come: U+FFFD stands for each, and for half of a pair, so that no name is left without a letter.
 */
function clipped(text: string, longest: number): string {
  const line = text
    .replace(/[\u{10000}-\u{10ffff}\ud800-\udfff]/gu, '\ufffd')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
