import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { introduction } from '../../../src/core/posting/introduction.ts';
import { runMarkdown, runText } from '../../../src/core/posting/run-text.ts';
import { type FailOn, type JudgedRun, judgedRun } from '../../../src/core/posting/verdict.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { judged, noisy, REPORTED, recordOf, slower } from './made-up.ts';

const said = (run: JudgedRun, fail: FailOn = 'regression', head?: string) =>
  introduction(run, { ...REPORTED, fail, ...(head === undefined ? {} : { head }) }).map(inlineText);
const COMPARED = 'wrkbench load-tested 9d1e7b2 against 3f2c1ab (merge-base with main).';

describe('what stands under the first line', () => {
  it.each<[string, JudgedRun, FailOn, string]>([
    ['a regression', judged(slower), 'regression', 'Check failed'],
    ['one that fails nothing', judged(slower), 'never', 'Check passed, because nothing fails it (fail: never)'],
    ['no change', judged({ rounds: 20 }), 'regression', 'Check passed'],
    ['what was not measured', judged({ rounds: 1 }), 'regression', 'Check failed'],
    ['what nobody can believe', { ...judged({ rounds: 20 }), unverified: 'It is not.' }, 'never', 'Check failed'],
  ])('says what follows from %s', (_, run, fail, outcome) => {
    expect(said(run, fail)).toEqual([`${outcome} (wrkbench/rest-api): ${COMPARED}`]);
  });

  it('says of what is undecided whether it blocks', () => {
    expect(said(judged(noisy))).toEqual([
      `Could not tell; check passed (wrkbench/rest-api): ${COMPARED}`,
      'An undecided result does not block; it would with fail: inconclusive.',
    ]);
    expect(said(judged(noisy), 'inconclusive')).toEqual([
      `Could not tell; check failed (wrkbench/rest-api): ${COMPARED}`,
      'An undecided result blocks here, because of fail: inconclusive.',
    ]);
  });

  it('names the head of a pull request beside the merge that was measured', () => {
    expect(said(judged(slower), 'regression', 'a'.repeat(40))[0]).toContain(
      'load-tested aaaaaaa (merged: 9d1e7b2) against 3f2c1ab',
    );
    const own = '9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812';
    expect(said(judged(slower), 'regression', own)[0]).toContain('load-tested 9d1e7b2 against 3f2c1ab');
  });

  it('has one pair of brackets for a merge', () => {
    const record = recordOf(slower);
    const comparing = record.comparing!;
    const candidate = { ...comparing.candidate, text: 'commit 9d1e7b2 (pull/5/merge), built in this run' };
    const run = judgedRun(record, comparisonOf({ ...record, comparing: { ...comparing, candidate } }));
    expect(said(run, 'regression', 'a'.repeat(40))[0]).toContain('load-tested aaaaaaa (merged: 9d1e7b2) against ');
    expect(said(run)[0]).toContain('load-tested 9d1e7b2 (pull/5/merge) against ');
  });

  it('says how a side was had that is no commit', () => {
    const record = recordOf(slower);
    const comparing = record.comparing!;
    const image = { ...comparing.baseline, sha: null, text: 'image acme/api:1' };
    const run = judgedRun(record, comparisonOf({ ...record, comparing: { ...comparing, baseline: image } }));
    expect(said(run)[0]).toContain('load-tested 9d1e7b2 against image acme/api:1.');
  });
});

/** As measuring leaves it where the candidate does not start. */
function neverStarted(made: Parameters<typeof recordOf>[0] = {}): JudgedRun {
  const record = recordOf(made);
  const message =
    'go: The service exited with status 1. Its last log lines say why.\n    listening soon\n    KeyError: SHOP_REGION is not set';
  const failure = { code: 'exited', message };
  const cases = record.cases
    .filter(({ variant }) => variant === 'candidate')
    .map((each) => ({ ...each, status: 'invalid' as const, metrics: {}, reasons: [failure] }));
  const services = record.services.map((each) => (each.variant === 'candidate' ? { ...each, failure } : each));
  const broken = { ...record, cases, services };
  return judgedRun(broken, record.comparing === undefined ? null : comparisonOf(broken));
}

describe('a run in which nothing was measured', () => {
  it.each([
    ['that was to be compared', {}],
    ['on its own', { comparing: null, cases: [{ only: 'candidate' as const }] }],
  ])('%s says why, and nothing of figures that there are not', (_, made) => {
    const text = runText(neverStarted(made), REPORTED);
    const markdown = runMarkdown(text, 60_000);
    expect(inlineText(text.headline)).toContain('KeyError: SHOP_REGION is not set');
    expect(markdown).toMatch(/^\*\*Check failed\*\* .* could not load-test `9d1e7b2`.*: nothing was measured\./);
    expect(markdown).toContain('The service exited with status 1: KeyError: SHOP\\_REGION is not set');
    expect(markdown).not.toMatch(/loaded|interval holds|\| Case|\| Where|All \d+ cases|The case/);
    expect(markdown).toContain('<summary>How this was measured</summary>');
  });
});
