import { describe, expect, it } from 'vitest';
import { autoSampling } from '../../../../research/verdict/rivals/auto-sampling.ts';
import { lastRun } from '../../../../research/verdict/rivals/last-run.ts';
import { mannWhitney } from '../../../../research/verdict/rivals/mann-whitney.ts';
import type { Observed } from '../../../../research/verdict/rivals/rival.ts';
import { storedHistory } from '../../../../research/verdict/rivals/stored-history.ts';

const sides = (baseline: number[], candidate: number[] = baseline) =>
  baseline.map((value, index) => ({ baseline: value, candidate: candidate[index]! }));
const LEVEL = [100, 101, 99, 100, 102];
const observed = (changes: Partial<Observed> = {}): Observed => ({
  metric: 'cpu-per-request',
  threshold: 0,
  change: 0,
  today: sides(LEVEL),
  past: [],
  ...changes,
});
const isRed = (rival: typeof mannWhitney, changes: Partial<Observed> = {}) => rival.reds([observed(changes)])[0];

describe('the ratio to the last run', () => {
  it('is red where today is worse than the latest run by more than its percentage', () => {
    const past = [sides([50, 50]), sides([94, 96])];
    expect(isRed(lastRun(105), { past })).toBe(true);
    expect(isRed(lastRun(110), { past })).toBe(false);
    expect(isRed(lastRun(105), { past: [] })).toBe(false);
  });

  it('takes a fall of throughput for the worse', () => {
    const past = [sides([110, 110])];
    expect(isRed(lastRun(105), { metric: 'throughput', past })).toBe(true);
    expect(isRed(lastRun(105), { metric: 'cpu-per-request', past })).toBe(false);
  });
});

describe('the t-test on stored history', () => {
  it('is red beyond what past runs scatter by', () => {
    const past = [98, 100, 102, 99, 101].map((level) => sides([level, level]));
    expect(isRed(storedHistory, { past })).toBe(false);
    expect(isRed(storedHistory, { past, change: 0.2 })).toBe(true);
  });
});

describe('Mann-Whitney', () => {
  it('is red where no trial of one side reaches the other, by more than the threshold', () => {
    expect(isRed(mannWhitney)).toBe(false);
    expect(isRed(mannWhitney, { change: 0.1 })).toBe(true);
    expect(isRed(mannWhitney, { change: 0.1, threshold: 0.2 })).toBe(false);
  });
});

describe('auto-sampling', () => {
  it('is red where the 95 % interval of the relative difference lies beyond the horizon', () => {
    expect(isRed(autoSampling)).toBe(false);
    expect(isRed(autoSampling, { change: 0.1 })).toBe(true);
    expect(isRed(autoSampling, { change: 0.1, threshold: 0.15 })).toBe(false);
  });

  it('goes on until everything is resolved, and is read then', () => {
    // After five the first looks worse; the second is open until the end, when the first no longer is.
    const first = [...sides([100, 100, 101, 100, 100], [103, 103, 104, 103, 103]), ...sides([100, 100], [80, 80])];
    const open = sides([...LEVEL, 100, 100]);
    expect(autoSampling.reds([observed({ today: first })])).toEqual([true]);
    expect(autoSampling.reds([observed({ today: first }), observed({ today: open })])).toEqual([false, false]);
  });
});
