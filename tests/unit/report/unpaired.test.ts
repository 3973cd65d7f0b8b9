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
      message: 'The baseline is commit 1234567, and cannot be prepared. No Dockerfile.\n#5 ERROR',
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
    expect(report).toContain('The baseline is commit <code>1234567</code>, and cannot be prepared. No Dockerfile.');
    expect(report).toContain('There is no earlier run of api in /runs: a first measurement.');
    expect(report).not.toContain('ERROR');
    const own = markdown(fixtureRecord('small')).split('\n')[2]!;
    expect(report).toContain(own);
  });

  it('names in its first line what does not build, and says no word of it twice', () => {
    const message =
      'The baseline is commit 1234567 (merge-base with main), built in this run, and cannot be prepared. The image of service api cannot be ' +
      'built from ./Dockerfile (docker build --force-rm: COPY failed: no such file). Try it by hand: docker build --file ./Dockerfile .';
    const record = recordOf({ ...failed, warnings: [{ code: 'baseline-not-built', message }] });
    expect(unpairedText(record, { width: 400 }).split('\n')).toEqual([
      "✗ Not compared, so the gate fails: the baseline's api does not build: COPY failed: no such file.",
      `! ${message}`,
    ]);
    expect(markdown(record).split('\n')[2]).toMatch(
      /^\S+ Not compared, so the gate fails: the baseline's api does not build: COPY failed: no such file\.$/,
    );
  });

  it('is marked invalid in the page', () => {
    const page = html(recordOf(failed), null, { script: '', scriptHash: '' });
    expect(page).toContain('<p class="headline verdict invalid">');
    expect(page).toContain('Not compared: a baseline was asked for');
  });

  it('is told on the terminal', () => {
    expect(unpairedText(recordOf(failed), { width: 120 }).split('\n')).toEqual([
      `✗ ${NOT_COMPARED}`,
      '! The baseline is commit 1234567, and cannot be prepared. No Dockerfile.',
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
