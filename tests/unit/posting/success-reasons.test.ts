import { describe, expect, it } from 'vitest';
import { runText } from '../../../src/core/posting/run-text.ts';
import {
  type NewStatus,
  passedStatus,
  removedStatus,
  type SuccessReason,
  statusOf,
} from '../../../src/core/posting/status.ts';
import { bySeverity, type FailOn, type RunVerdict } from '../../../src/core/posting/verdict.ts';
import { judged, REPORTED } from './made-up.ts';

/** Every reason for which a status is a success, and its right to be one. One without a row does not compile. */
const RIGHTS = {
  'no-change': 'Both sides were measured, and nothing got worse by its limit.',
  same: 'Images, spec and SQL of both sides are the same, so that nothing can have changed.',
  improvement: 'Both sides were measured, something got better, and nothing got worse by its limit.',
  'first-measurement':
    'There is nothing to compare with, as the base itself shows: the spec, the commit or the case is the first of its kind, and keeps its absolute limits.',
  accepted: 'What got worse was accepted by name, by somebody who may write, for this commit.',
  undecided: 'The budget did not decide, and the workflow says that this does not block (fail: inconclusive would).',
  'nothing-fails': 'The workflow itself, as the base has it, says that nothing fails it (fail: never).',
  untouched: 'The forge says that no file was changed that the paths, a spec or what a spec names have in them.',
  'merge-queue': 'What is in a queue was judged as a pull request, and the queue measures nothing again.',
  'removal-accepted': 'The spec is gone, and somebody who may write accepted that by its name.',
} satisfies Record<SuccessReason, string>;

const ofVerdict = (verdict: RunVerdict, fail: FailOn): NewStatus =>
  statusOf('rest-api', verdict, runText(judged(), REPORTED), fail);
const reasonOf = (status: NewStatus) => (status.state === 'success' ? status.reason : status.state);

describe('a status', () => {
  it('is a success for these reasons and no other', () => {
    const fails: FailOn[] = ['regression', 'inconclusive', 'never'];
    const table = bySeverity.map((verdict) => [verdict, ...fails.map((fail) => reasonOf(ofVerdict(verdict, fail)))]);
    expect(table).toEqual([
      ['regression', 'failure', 'failure', 'nothing-fails'],
      ['invalid', 'error', 'error', 'nothing-fails'],
      ['not-measured', 'error', 'error', 'nothing-fails'],
      ['unverified', 'error', 'error', 'error'],
      ['inconclusive', 'undecided', 'failure', 'undecided'],
      ['accepted', 'accepted', 'accepted', 'accepted'],
      ['improvement', 'improvement', 'improvement', 'improvement'],
      ['first-measurement', 'first-measurement', 'first-measurement', 'first-measurement'],
      ['no-change', 'no-change', 'no-change', 'no-change'],
      ['same', 'same', 'same', 'same'],
    ]);
    const others = [
      passedStatus('api', { why: 'x', reason: 'untouched' }),
      passedStatus('api', { why: 'x', reason: 'merge-queue' }),
      removedStatus({ specName: 'api', reason: 'x' }),
    ].map(reasonOf);
    const given = new Set([...table.flatMap(([, ...reasons]) => reasons), ...others]);
    expect([...given].filter((reason) => !['failure', 'error'].includes(reason!)).sort()).toEqual(
      Object.keys(RIGHTS).sort(),
    );
  });

  it.each(Object.entries(RIGHTS))('has a right to be one: %s', (_, right) => {
    expect(right).toMatch(/^[A-Z][^\n]{30,}\.$/);
  });
});
