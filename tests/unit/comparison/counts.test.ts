import { describe, expect, it } from 'vitest';
import { countDecision } from '../../../src/core/comparison/counts.ts';
import type { MetricLimit } from '../../../src/core/config/resolved.ts';
import type { MetricRecord } from '../../../src/core/record/run-record.ts';
import { median } from '../../../src/core/statistics/quantile.ts';

function passes(...values: number[]): MetricRecord {
  const samples = values.map((value, index) => ({
    round: index + 1,
    trial: 0,
    pair: null,
    mode: 'solo' as const,
    startedNs: index,
    durationNs: 1,
    value,
  }));
  return { value: median(values), unit: '1/request', samples };
}

const none: MetricLimit = { maxIncrease: { kind: 'absolute', value: 0 } };
const finding = (was: number[], is: number[], limit = none) => countDecision({}, passes(...was), passes(...is), limit);

describe('a count that every pass gives alike', () => {
  it.each([
    ['one more is a regression', [2, 2, 2], [3, 3, 3], 'worse', 'regression'],
    ['one fewer is an improvement', [2, 2, 2], [1, 1, 1], 'better', 'improvement'],
    ['the same is no change', [2, 2, 2], [2, 2, 2], 'unclear', 'no-change'],
    ['the same but for rounding is no change', [0.1 + 0.2], [0.3], 'unclear', 'no-change'],
    ['none on both sides is no change', [0], [0], 'unclear', 'no-change'],
    ['the first one is a regression', [0, 0], [1, 1], 'worse', 'regression'],
  ])('%s', (_, was, is, direction, verdict) => {
    expect(finding(was, is)).toEqual({ direction, verdict, rounds: Math.min(was.length, is.length), note: null });
  });

  it('may rise by its limit, and no further', () => {
    expect(finding([4], [5], { maxIncrease: { kind: 'absolute', value: 1 } }).verdict).toBe('no-change');
    expect(finding([4], [6], { maxIncrease: { kind: 'absolute', value: 1 } }).verdict).toBe('regression');
    expect(finding([200], [210], { maxIncrease: { kind: 'ratio', value: 0.05 } }).verdict).toBe('no-change');
    expect(finding([200], [211], { maxIncrease: { kind: 'ratio', value: 0.05 } }).verdict).toBe('regression');
  });

  it('may be kept from falling', () => {
    const limit: MetricLimit = { maxDecrease: { kind: 'ratio', value: 0.1 } };
    expect(finding([213], [100], limit).verdict).toBe('regression');
    expect(finding([213], [200], limit).verdict).toBe('no-change');
    expect(finding([213], [900], limit).verdict).toBe('no-change');
    expect(finding([213], [900], { ...limit, ...none }).verdict).toBe('regression');
  });

  it('has no verdict where no change of it is limited', () => {
    expect(finding([2], [3], {}).verdict).toBeNull();
    expect(finding([2], [3], { max: 4 }).verdict).toBeNull();
  });
});

describe('a count of requests that differ, sent in the same order on both sides', () => {
  const found = (was: number[], is: number[]) => countDecision({ inOrder: true }, passes(...was), passes(...is), none);

  it('is as exact in its parts as another is, once three passes of each side agree', () => {
    expect(found([1, 1, 1], [1.2, 1.2, 1.2])).toMatchObject({ direction: 'worse', verdict: 'regression' });
    expect(found([1.2, 1.2, 1.2], [1, 1, 1])).toMatchObject({ direction: 'better', verdict: 'improvement' });
    expect(found([0.875, 0.875, 0.875], [0.875, 0.875, 0.875])).toMatchObject({ verdict: 'no-change' });
  });

  it('is open before, and where passes of a side differ', () => {
    expect(found([1, 1], [1.2, 1.2]).verdict).toBe('inconclusive');
    expect(found([1, 1, 1], [1.2, 1.2, 1.21]).verdict).toBe('inconclusive');
  });

  it('is that of any other where every request sends as many', () => {
    expect(found([1], [2]).verdict).toBe('regression');
  });
});

describe('a count that varies from pass to pass', () => {
  it('is undecided where the difference may lie on both sides of the limit, and says so', () => {
    expect(finding([2, 2.01, 2], [2, 2.02, 2])).toEqual({
      direction: 'unclear',
      verdict: 'inconclusive',
      rounds: 3,
      note: 'the count is not exact: passes of the baseline and of the candidate differ',
    });
  });

  it('is a regression where the difference exceeds what varies', () => {
    expect(finding([2, 2, 2], [3, 3.01, 3])).toEqual({
      direction: 'worse',
      verdict: 'regression',
      rounds: 3,
      note: 'the count is not exact: passes of the candidate differ',
    });
  });

  it('is no change where all of it lies within the limit', () => {
    const limit: MetricLimit = { maxIncrease: { kind: 'ratio', value: 0.1 } };
    expect(finding([213, 214], [213, 215], limit).verdict).toBe('no-change');
  });
});

describe('a count that scatters by itself, up to half of one per request', () => {
  const calls = (was: number[], is: number[], limit = none) =>
    countDecision({ passScatter: 0.5 }, passes(...was), passes(...is), limit);

  it.each([
    ['one more in each request is a regression', [2.04, 2.06], [3.05, 3.03], 'worse', 'regression'],
    ['one fewer in each request is an improvement', [3.04, 3.06], [2.05, 2.03], 'better', 'improvement'],
    ['what equal servers differ by is no change', [2.04, 2.045, 2.065], [2.09, 2.07, 2.04], 'unclear', 'no-change'],
    ['just as much as they may is no change', [2, 2], [2.5, 2.5], 'unclear', 'no-change'],
  ])('%s', (_, was, is, direction, verdict) => {
    expect(calls(was, is)).toEqual({ direction, verdict, rounds: Math.min(was.length, is.length), note: null });
  });

  it('is undecided where passes of one side differ by more than that', () => {
    expect(calls([2, 2.1], [2, 3.1])).toEqual({
      direction: 'unclear',
      verdict: 'inconclusive',
      rounds: 2,
      note: 'the count is not exact: passes of the candidate differ',
    });
  });

  it('may rise by its limit, and by what it scatters on top', () => {
    const limit: MetricLimit = { maxIncrease: { kind: 'absolute', value: 2 } };
    expect(calls([4], [6.4], limit).verdict).toBe('no-change');
    expect(calls([4], [6.6], limit).verdict).toBe('regression');
  });
});
