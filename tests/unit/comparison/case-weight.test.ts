import { describe, expect, it } from 'vitest';
import { caseWeight } from '../../../src/core/comparison/compared-metric.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const weightOf = (made: MadeUpCase, mode: 'duet' | 'interleaved' = 'duet') =>
  caseWeight(madeUpRecord({ rounds: 8, drift: 0, scatter: 0, mode, cases: [made] }).cases[0]!);

describe('the weight of a case in its endpoint', () => {
  it('is 1 / (1 + 4 e / (e + 0.1)), with e the requests under way at the end of a trial', () => {
    // 2 s of 24,000 requests per second.
    const expected = (connections: number) => {
      const e = connections / 48_000;
      return 1 / (1 + (4 * e) / (e + 0.1));
    };
    for (const connections of [1, 100, 1000, 10_000]) {
      expect(weightOf({ connections })).toBeCloseTo(expected(connections), 12);
    }
    expect(weightOf({ connections: 1 })).toBeGreaterThan(0.99);
  });

  it('is a fifth at least', () => {
    expect(weightOf({ connections: 1000, levels: { throughput: 1 } })).toBeCloseTo(0.2, 2);
  });

  it('is 3 of a fixed rate', () => {
    expect(weightOf({ generator: 'k6', connections: 1000 })).toBe(3);
  });

  it('is 1 of other generators, and where there are no duets', () => {
    expect(weightOf({ generator: 'ab', connections: 1000 })).toBe(1);
    expect(weightOf({ connections: 1000 }, 'interleaved')).toBe(1);
  });

  it('rests on the first round alone', () => {
    const record = madeUpRecord({ rounds: 8, cases: [{ connections: 1000 }] }).cases[0]!;
    const before = caseWeight(record);
    for (const sample of record.metrics.throughput!.samples) if (sample.round > 1) sample.value *= 10;
    expect(caseWeight(record)).toBe(before);
  });
});
