import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctText, placeTicks, timeTicks } from '../../../../../../src/site/pages/views/trend/ticks.ts';

const labels = (from: number, to: number, most: number) => {
  const ticks = timeTicks(from, to, most);
  return ticks.map(distinctText(to - from, (text) => ticks.map(text)));
};

describe('ticks of an axis of time', () => {
  it.each([
    [
      'hours',
      Date.UTC(2026, 2, 1, 22, 30),
      Date.UTC(2026, 2, 2, 10),
      5,
      ['2 Mar 00:00', '2 Mar 03:00', '2 Mar 06:00', '2 Mar 09:00'],
    ],
    ['Mondays', Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 30), 6, ['2 Nov', '9 Nov', '16 Nov', '23 Nov', '30 Nov']],
    ['months', Date.UTC(2025, 10, 15), Date.UTC(2026, 10, 20), 5, ['Jan 2026', 'Apr 2026', 'Jul 2026', 'Oct 2026']],
    [
      'years',
      Date.UTC(2019, 5, 1),
      Date.UTC(2026, 5, 1),
      8,
      ['Jan 2020', 'Jan 2021', 'Jan 2022', 'Jan 2023', 'Jan 2024', 'Jan 2025', 'Jan 2026'],
    ],
  ])('are round %s', (_, from, to, most, expected) => {
    expect(labels(from, to, most)).toEqual(expected);
  });

  it('are never endless', () => {
    expect(timeTicks(5, 5, 10)).toEqual([]);
    expect(timeTicks(0, Date.UTC(9999, 0, 1), 4).length).toBeLessThan(100);
  });
});

describe('labels of an axis of time', () => {
  it('have the hour where a day has several ticks', () => {
    const [from, to] = [Date.UTC(2026, 10, 12, 6), Date.UTC(2026, 10, 16, 6)];
    expect(labels(from, to, 13).slice(0, 3)).toEqual(['12 Nov 12:00', '13 Nov 00:00', '13 Nov 12:00']);
  });

  it('have the day where a month has several, and no more than they need else', () => {
    const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 11, 1)];
    expect(labels(from, to, 48).slice(0, 2)).toEqual(['5 Jan 2026', '12 Jan 2026']);
    expect(labels(from, to, 12).slice(0, 2)).toEqual(['Jan 2026', 'Feb 2026']);
  });

  it('are never twice the same, however long and wide the axis is', () => {
    const hour = 3_600_000;
    const start = fc.integer({ min: 0, max: 500_000 });
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 50_000 }), fc.integer({ min: 2, max: 60 }), (at, hours, most) => {
        const found = labels(at * hour, (at + hours) * hour, most);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });
});

describe('ticks of an axis of runs', () => {
  it.each([
    [100, 12, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]],
    [10_000, 4, [0, 5000]],
    [3, 12, [0, 1, 2]],
    [1, 12, [0]],
    [0, 12, []],
  ])('of %i runs, at most %i', (count, most, expected) => {
    expect(placeTicks(count, most)).toEqual(expected);
  });
});
