import { describe, expect, it } from 'vitest';
import { counts } from '../../../src/core/baseline/counted-run.ts';
import { type Selection, WHOLE } from '../../../src/core/config/selection.ts';
import { earlierRun } from './records.ts';

const quick: Selection = { quick: true, only: null };
const ping: Selection = { quick: false, only: '/ping' };

describe('an earlier run', () => {
  it('counts for whoever measures the same or less', () => {
    expect([WHOLE, quick, ping].map((asked) => counts(earlierRun(), asked))).toEqual([true, true, true]);
    expect(counts(earlierRun({ selection: quick }), quick)).toBe(true);
    expect(counts(earlierRun({ selection: ping }), ping)).toBe(true);
    expect(counts(earlierRun({ selection: ping }), { ...ping, quick: true })).toBe(true);
  });

  it('does not count for whoever measures more, or something else', () => {
    expect(counts(earlierRun({ selection: quick }), WHOLE)).toBe(false);
    expect(counts(earlierRun({ selection: quick }), ping)).toBe(false);
    expect(counts(earlierRun({ selection: ping }), WHOLE)).toBe(false);
    expect(counts(earlierRun({ selection: ping }), { quick: false, only: '/db' })).toBe(false);
    expect(counts(earlierRun({ selection: ping }), quick)).toBe(false);
  });

  it('counts whatever it measured where anything is asked for, but not one that ended early or has no case', () => {
    expect(counts(earlierRun({ selection: { ...ping, quick: true } }), null)).toBe(true);
    expect(counts(earlierRun({ interrupted: { code: 'interrupted', message: '' } }), null)).toBe(false);
    expect(counts(earlierRun({ cases: [] }), null)).toBe(false);
  });
});
