import { describe, expect, it } from 'vitest';
import { stateOf } from '../../../../../../src/site/pages/address.ts';
import type { RunEntry } from '../../../../../../src/site/pages/view.ts';
import {
  bounds,
  isCovered,
  momentText,
  moved,
  rangeOf,
  within,
} from '../../../../../../src/site/pages/views/trend/range.ts';

const day = (number: number) => Date.UTC(2026, 0, number, 12);
const runs = Array.from({ length: 10 }, (_, index) => ({ at: day(index + 1) }) as RunEntry);
const range = (search: string) => rangeOf(stateOf(search));

describe('the range of a trend', () => {
  it.each([
    ['', { kind: 'newest', count: 100 }],
    ['?last=500', { kind: 'newest', count: 500 }],
    ['?last=all', { kind: 'all' }],
    ['?last=-3', { kind: 'newest', count: 100 }],
    ['?last=1e9', { kind: 'newest', count: 100 }],
    ['?last=999999', { kind: 'newest', count: 100_000 }],
    ['?from=2026-01-03&last=all', { kind: 'between', from: Date.UTC(2026, 0, 3), to: null }],
    ['?to=2026-01-03', { kind: 'between', from: null, to: Date.UTC(2026, 0, 4) - 1 }],
    ['?from=2026-01-03T04:05:06Z', { kind: 'between', from: Date.UTC(2026, 0, 3, 4, 5, 6), to: null }],
    ['?from=2026-13-03&to=yesterday', { kind: 'newest', count: 100 }],
  ])('of %s', (search, expected) => {
    expect(range(search)).toEqual(expected);
  });

  it('holds the runs between two days, both included', () => {
    expect(bounds(range('?from=2026-01-03&to=2026-01-05'), runs)).toEqual([2, 5]);
    expect(bounds(range('?from=2026-01-09'), runs)).toEqual([8, 10]);
    expect(bounds(range('?to=2026-01-02'), runs)).toEqual([0, 2]);
    expect(bounds(range('?from=2027-01-01'), runs)).toEqual([10, 10]);
    expect(bounds(range('?last=4'), runs)).toEqual([6, 10]);
    expect(bounds(range('?last=all'), runs)).toEqual([0, 10]);
  });

  it('is read back from the moments of its runs', () => {
    const search = `?from=${momentText(runs[3]!.at)}&to=${momentText(runs[6]!.at)}`;
    expect(bounds(range(search), runs)).toEqual([3, 7]);
  });

  it('is covered once there are runs enough, or enough before its first day', () => {
    expect(isCovered(range('?last=10'), runs, 20)).toBe(true);
    expect(isCovered(range('?last=11'), runs, 20)).toBe(false);
    expect(isCovered(range('?from=2026-01-05'), runs, 4)).toBe(true);
    expect(isCovered(range('?from=2026-01-05'), runs, 5)).toBe(false);
    expect(isCovered(range('?last=all'), runs, 0)).toBe(false);
    expect(isCovered(range('?to=2026-01-05'), runs, 0)).toBe(false);
  });
});

describe('a step of the zoom', () => {
  it('halves or doubles what is shown, around where the wheel was', () => {
    expect(moved([100, 200], 'in')).toEqual([125, 175]);
    expect(moved([100, 200], 'in', 0)).toEqual([100, 150]);
    expect(moved([100, 200], 'out', 1)).toEqual([0, 200]);
    expect(moved([10, 16], 'in')).toEqual([11, 16]);
    expect(moved([10, 13], 'in')).toEqual([10, 13]);
  });

  it('goes half a range to the side', () => {
    expect(moved([100, 200], 'earlier')).toEqual([50, 150]);
    expect(moved([100, 200], 'later')).toEqual([150, 250]);
  });

  it('stays within the runs that there are', () => {
    expect(within([-20, 30], 100)).toEqual([0, 50]);
    expect(within([80, 130], 100)).toEqual([50, 100]);
    expect(within([-20, 300], 100)).toEqual([0, 100]);
  });
});
