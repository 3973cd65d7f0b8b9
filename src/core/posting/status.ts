import { inlineText } from '../report/inline-text.ts';
import { lostHeadline } from './lost-run.ts';
import { type RemovedSpec, removedHeadline } from './removed-spec.ts';
import type { RunText } from './run-text.ts';
import { statusContext } from './status-context.ts';
import { type FailOn, isFailing, type RunVerdict } from './verdict.ts';

/** A commit status as GitHub takes it. */
export interface CommitStatus {
  /** `wrkbench/api`: what a branch rule requires. */
  context: string;
  state: 'success' | 'failure' | 'error' | 'pending';
  /** 140 characters at most. https://docs.github.com/rest/commits/statuses */
  description: string;
}

const LONGEST = 140;

export function statusOf(
  specName: string,
  verdict: RunVerdict,
  { headline, cause }: RunText,
  failOn: FailOn,
): CommitStatus {
  const isUnknown = ['invalid', 'not-measured', 'unverified'].includes(verdict);
  const state = isFailing(verdict, failOn) ? (isUnknown ? 'error' : 'failure') : 'success';
  // Counts and names of a headline could take all of the room.
  const text = verdict === 'invalid' && cause !== null ? `Invalid: ${cause}` : inlineText(headline);
  return { context: statusContext(specName), state, description: clipped(text) };
}

/** Of a spec that should have been measured and was not. */
export function missingStatus(specName: string, why: string): CommitStatus {
  return { context: statusContext(specName), state: 'error', description: clipped(inlineText(lostHeadline(why))) };
}

/** Of a spec that is gone, which somebody accepted. */
export function removedStatus(removed: RemovedSpec): CommitStatus {
  const description = clipped(inlineText(removedHeadline(removed)));
  return { context: statusContext(removed.specName), state: 'success', description };
}

/** Of a spec that may have been measured, where nobody could be told. */
export function unreportedStatus(specName: string, why: string): CommitStatus {
  return { context: statusContext(specName), state: 'error', description: clipped(`Not reported: ${why}`) };
}

export function passedStatus(specName: string, why: string): CommitStatus {
  return { context: statusContext(specName), state: 'success', description: clipped(why) };
}

/**
 * As a forge takes it. GitHub answers 422 ("description doesn't accept 4-byte Unicode") to a character beyond U+FFFF, and the status
 * would never come: U+FFFD stands for each, and for half of a pair, so that no name is left without a letter.
 */
function clipped(text: string): string {
  const line = text
    .replace(/[\u{10000}-\u{10ffff}\ud800-\udfff]/gu, '\ufffd')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}
