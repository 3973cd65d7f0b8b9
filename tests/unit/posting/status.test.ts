import { describe, expect, it } from 'vitest';
import { runText } from '../../../src/core/posting/run-text.ts';
import { missingStatus, passedStatus, statusOf, unreportedStatus } from '../../../src/core/posting/status.ts';
import { isOfBase, readMark, type StatusMark } from '../../../src/core/posting/status-mark.ts';
import { runVerdict } from '../../../src/core/posting/verdict.ts';
import { judged, noisy, REPORTED, recordOf, short, slower } from './made-up.ts';

const status = (made: Parameters<typeof judged>[0], failOn: 'regression' | 'inconclusive' | 'never' = 'regression') => {
  const run = judged(made);
  return statusOf('rest-api', runVerdict(run), runText(run, REPORTED), failOn);
};

describe('the commit status of a run', () => {
  it('is the gate, and says in words what it found', () => {
    expect(status(slower)).toEqual({
      context: 'wrkbench/rest-api',
      state: 'failure',
      description: expect.stringMatching(/^Regression: go · \/ping costs \d+(\.\d)? % more CPU per request/),
    });
  });

  it('is a success where nothing fails', () => {
    expect(status({ rounds: 20 }).state).toBe('success');
    expect(status(noisy).state).toBe('success');
    expect(status(noisy, 'inconclusive').state).toBe('failure');
  });

  it('is an error where nothing is known', () => {
    expect(status({ cases: [{ invalid: { candidate: 'failed' } }] }).state).toBe('error');
    expect(status(short).state).toBe('error');
    expect(missingStatus('api', 'the run left no artifact of it')).toEqual({
      context: 'wrkbench/api',
      state: 'error',
      description: 'Not measured: the run left no artifact of it',
    });
  });

  it('names the cause of what is invalid, with a baseline and without, and of what was not measured', () => {
    const invalid = { candidate: '3 % of requests failed' };
    expect(status({ cases: [{ invalid }] }).description).toBe('Invalid: 3 % of requests failed');
    const alone = { comparing: null, cases: [{ invalid, only: 'candidate' as const }] };
    expect(status(alone).description).toBe('Invalid: go: 3 % of requests failed');
    const interrupted = {
      ...judged(alone),
      record: { ...recordOf(alone), interrupted: { code: 'x', message: 'No disk.' } },
    };
    expect(statusOf('api', 'invalid', runText(interrupted, REPORTED), 'regression').description).toBe(
      'Invalid: the run ended early: No disk.',
    );
    expect(status(short).description).toBe(
      'Not measured: 1 endpoint. 3 rounds in 1 min 12 s show nothing: set gate.budget to 4m or more',
    );
  });

  it('is never a success for a run that nobody can believe, whatever fails a job', () => {
    const run = { ...judged({ rounds: 20 }), unverified: 'This pull request changes how it is measured.' };
    expect(statusOf('api', runVerdict(run), runText(run, REPORTED), 'never').state).toBe('error');
  });

  it('ends with what it was judged against, whatever its text says', () => {
    const of = (text: string, mark: StatusMark = null) => missingStatus('api', text, mark).description;
    expect(of('no log', { base: 'main' })).toBe('Not measured: no log (base: main)');
    expect(of('no log', { against: '3f2c1ab' })).toBe('Not measured: no log (against 3f2c1ab)');
    const long = of('x'.repeat(300), { base: `release/${'y'.repeat(200)}-1` });
    expect(long).toHaveLength(140);
    expect(isOfBase(long, `release/${'y'.repeat(200)}-1`)).toBe(true);
    expect(isOfBase(long, `release/${'y'.repeat(200)}-2`)).toBe(false);
    // A text of others makes no mark.
    for (const text of ['x (base: main)', 'x (against 3f2c1ab)', 'x (base: a(b))']) {
      expect([text, readMark(of(text))]).toEqual([text, null]);
    }
    expect(readMark(of('x (base: lax)', { base: 'main' }))).toEqual({ base: 'main' });
    expect(isOfBase(of('x', { base: 'a(b)😀' }), 'a(b)😀')).toBe(true);
  });

  it('takes no more characters than GitHub does', () => {
    const { description } = missingStatus('api', `${'x'.repeat(128)}😀${'y'.repeat(100)}`);
    expect(description.length).toBeLessThanOrEqual(140);
    expect(description).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(description.endsWith('…')).toBe(true);
  });

  it('has no character that GitHub refuses in it: one that takes four bytes, or half of a pair', () => {
    const { description } = missingStatus('api', '😀 and 𠮷 of ש: no figure');
    expect(description).toBe('Not measured: \ufffd and \ufffd of ש: no figure');
    const half = '\ud83d';
    expect(unreportedStatus('api', `GET ${half} said ${half}`).description).toBe(
      'Not reported: GET \ufffd said \ufffd',
    );
    expect(passedStatus('api', { why: '🟢', reason: 'untouched' }).description).toBe('\ufffd');
  });
});
