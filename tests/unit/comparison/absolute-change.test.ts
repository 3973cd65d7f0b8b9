import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { decidedSoFar } from '../../../src/core/comparison/undecided.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const absolute = (value: number) => ({ kind: 'absolute' as const, value });

describe('a change that is limited by a quantity', () => {
  it('is a share of the published baseline: in a duet a side has half of the CPU', () => {
    const record = madeUpRecord({
      seed: 5,
      rounds: 10,
      drift: 0,
      gate: { metrics: { throughput: { maxDecrease: absolute(500) } } },
      cases: [{ ratios: { throughput: 0.9625 } }],
    });
    for (const { metrics } of record.cases) {
      for (const sample of metrics.throughput!.samples) if (sample.mode === 'duet') sample.value /= 2;
    }
    const { difference, verdict, threshold } = comparisonOf(record).cases[0]!.metrics.throughput!;
    expect(difference).toBeLessThan(-700);
    expect({ verdict, threshold }).toEqual({ verdict: 'regression', threshold: absolute(500) });
  });

  it('is open where the baseline is 0, and not without any change whatever the candidate does', () => {
    const metric = 'database-cpu-per-request';
    const record = madeUpRecord({
      seed: 5,
      rounds: 10,
      gate: { metrics: { [metric]: { maxIncrease: absolute(5) } } },
      cases: [{ levels: { [metric]: 21.4 }, ratios: { [metric]: 3 } }],
    }) as RunRecord & { comparing: Comparing };
    const baseline = record.cases.find(({ variant }) => variant === 'baseline')!.metrics[metric]!;
    baseline.value = 0;
    const { verdict, evidence } = comparisonOf(record).cases[0]!.metrics[metric]!;
    expect({ verdict, note: evidence.note }).toEqual({
      verdict: 'inconclusive',
      note: 'the baseline is 0, of which a limit that is not a percentage is no share',
    });
    expect(decidedSoFar(record, { rounds: 10, final: false }).undecided.size).toBe(0);
  });
});
