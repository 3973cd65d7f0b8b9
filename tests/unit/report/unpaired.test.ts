import { describe, expect, it } from 'vitest';
import type { Unpaired } from '../../../src/core/record/run-record.ts';
import { html } from '../../../src/core/report/html/index.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { unpairedText } from '../../../src/core/report/unpaired.ts';
import { fixtureRecord } from './fixture-records.ts';

const here = { recordId: null, sha: null, text: 'working tree' };
const failed: Unpaired = {
  wanted: 'auto',
  baseline: null,
  candidate: here,
  warnings: [
    {
      code: 'baseline-not-built',
      message: 'The baseline (commit 1234567) cannot be prepared. No Dockerfile.\n#5 ERROR',
    },
    { code: 'no-earlier-run', message: 'There is no earlier run of api in /runs: a first measurement.' },
  ],
  failed: true,
  accepted: [],
};
const first: Unpaired = {
  ...failed,
  warnings: [{ code: 'no-baseline-spec', message: "No spec on the baseline's side: a first measurement." }],
  failed: false,
};
const recordOf = (unpaired: Unpaired) => ({ ...fixtureRecord('small'), unpaired });

const NOT_COMPARED = 'Not compared: a baseline was asked for (auto) and is not available, so the gate fails.';
const FIRST = 'First measurement: there is no baseline to compare with (auto).';

describe('a run whose baseline could not be had', () => {
  it('says so before all else, with every reason, and still shows what was measured', () => {
    const report = markdown(recordOf(failed));
    expect(report.split('\n')[2]).toMatch(/^\S+ Not compared: a baseline was asked for \(auto\) and is not available/);
    expect(report).toContain('The baseline (commit <code>1234567</code>) cannot be prepared. No Dockerfile.');
    expect(report).toContain('There is no earlier run of api in /runs: a first measurement.');
    expect(report).not.toContain('ERROR');
    const own = markdown(fixtureRecord('small')).split('\n')[2]!;
    expect(report).toContain(own);
  });

  it('is marked invalid in the page', () => {
    const page = html(recordOf(failed), null, { script: '', scriptHash: '' });
    expect(page).toContain('<p class="headline verdict invalid">');
    expect(page).toContain('Not compared: a baseline was asked for');
  });

  it('is told on the terminal', () => {
    expect(unpairedText(recordOf(failed), { width: 120 }).split('\n')).toEqual([
      `✗ ${NOT_COMPARED}`,
      '! The baseline (commit 1234567) cannot be prepared. No Dockerfile.',
      '! There is no earlier run of api in /runs: a first measurement.',
    ]);
  });
});

describe('a first measurement', () => {
  it('has the headline of its figures, and says what it is', () => {
    const report = markdown(recordOf(first));
    expect(report.split('\n')[2]).toBe(markdown(fixtureRecord('small')).split('\n')[2]);
    expect(report).toContain(FIRST);
    expect(unpairedText(recordOf(first), { width: 120 })).toBe(
      `– ${FIRST}\n! No spec on the baseline's side: a first measurement.`,
    );
  });
});

describe('a run that was compared with numbers, or was not to be compared', () => {
  it('says nothing of it here', () => {
    const numbers = recordOf({ ...first, baseline: { recordId: 'one', sha: null, text: 'numbers of run one' } });
    expect(markdown(numbers)).toBe(markdown(fixtureRecord('small')));
    expect(unpairedText(numbers)).toBe('');
    expect(unpairedText(fixtureRecord('small'))).toBe('');
  });
});
