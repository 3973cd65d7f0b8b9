import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostProbes, nextLevel } from '../../../src/core/capacity/bisection.ts';
import type { Probe, ProbeFailure } from '../../../src/core/capacity/probe.ts';
import { capacityOf, capacityText, limitsText, votesOf } from '../../../src/core/capacity/result.ts';

const LEVELS = [1000, 2000, 3000];
const probe = (level: number, why: ProbeFailure | null): Probe => ({
  ...{ level, held: why === null, why, message: why === null ? null : `about ${why}` },
  ...{ throughput: 1, p99Ms: 1, errorShare: 0, isDisturbed: false },
});
const twice = (level: number, why: ProbeFailure | null = null) => [probe(level, why), probe(level, why)];
const text = (probes: Probe[], find: 'rate' | 'connections' = 'rate') =>
  capacityText(capacityOf(LEVELS, probes), {
    ...{ find, generator: find === 'rate' ? 'k6' : 'wrk', limits: { p99Ms: null, errorShare: 0.01 } },
  });

describe('what a search found', () => {
  it.each<[Probe[], string]>([
    [[...twice(1000), ...twice(2000, 'p99')], 'holds 1,000 to 2,000 requests/s within errors ≤ 1 %'],
    [
      [...twice(2000), ...twice(3000)],
      'holds at least 3,000 requests/s within errors ≤ 1 %; raise `search.to` to find more',
    ],
    [twice(2000), 'holds at least 2,000 requests/s within errors ≤ 1 %; the search did not come to its end'],
    [twice(1000, 'errors'), 'holds fewer than 1,000 requests/s within errors ≤ 1 %'],
    [twice(1000, 'invalid'), 'not found: no try was a valid trial'],
    [
      [...twice(1000), ...twice(2000, 'generator-bound')],
      'holds at least 1,000 requests/s within errors ≤ 1 %: above it k6 itself is the limit',
    ],
    [
      [...twice(1000), ...twice(2000, 'invalid')],
      'holds at least 1,000 requests/s within errors ≤ 1 %: above it no try was a valid trial',
    ],
    [[probe(2000, null)], 'not found: no level was tried often enough'],
  ])('%#', (probes, expected) => {
    expect(text(probes)).toBe(expected);
  });

  it('ends where the machine can load no more, which one try tells', () => {
    expect(text([...twice(1000), probe(2000, 'machine-limit')], 'connections')).toBe(
      'holds at least 1,000 connections within errors ≤ 1 %: this machine can load no more',
    );
  });

  it('is told with the reason of its last failure', () => {
    expect(capacityOf(LEVELS, [probe(2000, 'errors'), ...twice(1000), probe(2000, 'p99')])).toEqual({
      ...{ held: 1000, failed: 2000, why: 'p99', message: 'about p99', isComplete: true, isContradictory: false },
    });
  });

  it('is told within its limits', () => {
    expect(limitsText({ limits: { p99Ms: 50, errorShare: 0.001 } })).toBe('within p99 ≤ 50 ms and errors ≤ 0.1 %');
    expect(limitsText({ limits: { p99Ms: 1500, errorShare: 0 } })).toBe('within p99 ≤ 1.5 s and errors ≤ 0 %');
    expect(limitsText({ limits: { p99Ms: null, errorShare: 0.07 } })).toBe('within errors ≤ 7 %');
  });

  it('does not count the first try of a level that others disturbed', () => {
    const disturbed = (level: number) => ({ ...probe(level, 'p99'), isDisturbed: true });
    expect(votesOf([disturbed(2000), probe(2000, null), disturbed(3000), disturbed(3000), disturbed(2000)])).toEqual([
      { level: 2000, held: true, isFinal: false },
      { level: 3000, held: false, isFinal: false },
      { level: 2000, held: false, isFinal: false },
    ]);
    expect(votesOf([{ ...probe(2000, null), isDisturbed: true }])).toHaveLength(1);
  });

  it('takes twice the most tries at most, however disturbed the machine is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 2000 }), fc.infiniteStream(fc.boolean()), (count, luck) => {
        const levels = Array.from({ length: count }, (_, at) => at + 1);
        const probes: Probe[] = [];
        for (let level = nextLevel(levels, []); level !== null; level = nextLevel(levels, votesOf(probes))) {
          probes.push(luck.next().value ? probe(level, null) : { ...probe(level, 'p99'), isDisturbed: true });
        }
        expect(probes.length).toBeLessThanOrEqual(Math.min(100, 2 * mostProbes(levels)));
      }),
    );
  });
});
