import { describe, expect, it } from 'vitest';
import { absoluteLimits } from '../../../src/core/comparison/absolute-limits.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import {
  type FailOn,
  isChange,
  isFailure,
  judgedRun,
  mostSevere,
  type RunVerdict,
  runVerdict,
} from '../../../src/core/posting/verdict.ts';
import { judged, noisy, recordOf, short, slower } from './made-up.ts';

describe('what a run came to, in one word', () => {
  it('is a regression where something is worse by more than its limit', () => {
    expect(runVerdict(judged(slower))).toBe('regression');
  });

  it('is no change where all is decided and nothing is', () => {
    expect(runVerdict(judged({ rounds: 20 }))).toBe('no-change');
  });

  it('is inconclusive where the rounds scatter too much for the limits', () => {
    expect(runVerdict(judged(noisy))).toBe('inconclusive');
  });

  it('is not measured where the rounds are too few for any verdict', () => {
    expect(runVerdict(judged(short))).toBe('not-measured');
  });

  it('is an improvement where an endpoint as a whole is better', () => {
    const cases = [100, 1000].map((connections) => ({ connections, ratios: { throughput: 1.2 } }));
    expect(runVerdict(judged({ cases }))).toBe('improvement');
  });

  it('is inconclusive where the data of both sides differ: nothing shows that the code is better', () => {
    const cases = [100, 1000].map((connections) => ({ connections, ratios: { throughput: 1.2 } }));
    const { comparison, ...others } = judged({ cases });
    const warnings = [{ code: 'data-differ', message: 'The two sides load different data: init SQL (seed.sql).' }];
    expect(runVerdict({ ...others, comparison: { ...comparison!, warnings } })).toBe('inconclusive');
  });

  it('is invalid where a case is', () => {
    expect(runVerdict(judged({ cases: [{ invalid: { candidate: '3 % of requests failed' } }] }))).toBe('invalid');
  });

  it('is an accepted change where somebody accepted all of it', () => {
    const record = recordOf(slower);
    const accepted = [{ cases: '*', metric: null, reason: 'roles' }];
    expect(runVerdict(judgedRun(record, comparisonOf(record, { accepted })))).toBe('accepted');
  });

  it('is a first measurement where there was nothing to compare with', () => {
    expect(runVerdict(judged({ comparing: null, cases: [{ only: 'candidate' }] }))).toBe('first-measurement');
  });

  it('is invalid where there was something, and it could not be had', () => {
    const record = recordOf({ comparing: null, cases: [{ only: 'candidate' }] });
    const side = { recordId: null, sha: null, text: 'working tree' };
    const unpaired = { wanted: 'auto', baseline: null, candidate: side, warnings: [], failed: true, accepted: [] };
    expect(runVerdict(judgedRun({ ...record, unpaired }, null))).toBe('invalid');
  });

  it('is a regression without a baseline where an absolute limit is broken', () => {
    const gate = { metrics: { throughput: { min: 1e9 } } };
    const made = { comparing: null, gate, cases: [{ only: 'candidate' as const }] };
    expect(runVerdict(judged(made))).toBe('regression');
  });

  it('is an accepted change without a baseline where somebody accepted what is beyond an absolute limit', () => {
    const gate = { metrics: { throughput: { min: 1e9 }, 'latency-p99': { max: 1 } } };
    const record = recordOf({ comparing: null, gate, cases: [{ only: 'candidate' }] });
    const accepted = [{ cases: '*', metric: null, reason: 'roles' }];
    const limits = absoluteLimits(record, { accepted });
    expect(runVerdict({ ...judgedRun(record, null), limits })).toBe('accepted');
    const entry = { caseKey: 'x', metric: 'latency-p99', message: 'x' };
    expect(runVerdict({ ...judgedRun(record, null), limits: { ...limits, unjudged: [entry] } })).toBe('inconclusive');
  });

  it('is that both sides are the same where nothing was measured for that reason', () => {
    const skipped = { code: 'same-on-both-sides', message: 'Not measured: both sides have the same images.' };
    expect(runVerdict(judged({ comparing: { skipped }, cases: [] }))).toBe('same');
  });

  it('is unverified whatever else it is, where nobody can believe it', () => {
    expect(runVerdict({ ...judged(slower), unverified: 'It says so itself.' })).toBe('unverified');
  });
});

describe('what fails a job', () => {
  it.each<[RunVerdict, FailOn, boolean]>([
    ['regression', 'regression', true],
    ['invalid', 'regression', true],
    ['not-measured', 'regression', true],
    ['not-measured', 'never', false],
    ['unverified', 'regression', true],
    ['inconclusive', 'regression', false],
    ['inconclusive', 'inconclusive', true],
    ['accepted', 'inconclusive', false],
    ['first-measurement', 'inconclusive', false],
    ['same', 'inconclusive', false],
    ['regression', 'never', false],
  ])('%s with fail: %s is %s', (verdict, failOn, failed) => {
    expect(isFailure(verdict, failOn)).toBe(failed);
  });

  it('is the most severe of several', () => {
    expect(mostSevere(['no-change', 'inconclusive', 'not-measured', 'invalid'])).toBe('invalid');
    expect(mostSevere(['inconclusive', 'unverified', 'not-measured'])).toBe('not-measured');
    expect(mostSevere([])).toBeNull();
  });
});

describe('a reader who only wants to hear of changes', () => {
  it('is not told of what is as it was', () => {
    const quiet: RunVerdict[] = ['no-change', 'same', 'first-measurement'];
    expect(quiet.map(isChange)).toEqual([false, false, false]);
    const told: RunVerdict[] = [
      'regression',
      'invalid',
      'not-measured',
      'unverified',
      'inconclusive',
      'accepted',
      'improvement',
    ];
    expect(told.every(isChange)).toBe(true);
  });
});
