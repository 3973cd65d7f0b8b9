import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { decidedSoFar } from '../../../src/core/comparison/undecided.ts';
import type { MetricLimit } from '../../../src/core/config/resolved.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

/** Memory after the load is half as much again, and only trials by themselves hold it. */
function recordOf(mode: Comparing['mode'], limit: MetricLimit) {
  const record = madeUpRecord({
    seed: 5,
    rounds: 10,
    mode,
    gate: { metrics: { 'memory-settled': limit } },
    cases: [{ levels: { 'memory-settled': 20_000_000 }, ratios: { 'memory-settled': 1.5 } }],
  });
  for (const { metrics } of record.cases) {
    const settled = metrics['memory-settled']!;
    settled.samples = settled.samples.filter((sample) => sample.mode === 'solo');
  }
  return record as RunRecord & { comparing: Comparing };
}

const change: MetricLimit = { maxIncrease: { kind: 'ratio', value: 0.1 } };

describe('a limit on a change of settled memory', () => {
  it('is not judged in duets, which do not measure it, and says what to limit instead', () => {
    const { gate, warnings } = comparisonOf(recordOf('duet', change));
    expect([gate.passed, gate.notMeasured]).toEqual([true, []]);
    expect(warnings).toEqual([
      {
        code: 'limit-unused',
        message:
          'memory-settled.max-increase is not judged where both sides are loaded at once, since a duet does not measure it: limit memory-peak instead, or memory-settled by max.',
      },
    ]);
  });

  it('has no further round measured for it', () => {
    expect([...decidedSoFar(recordOf('duet', change), { rounds: 10, final: false }).undecided]).toEqual([]);
  });

  it('is judged where the sides take turns', () => {
    const { gate, warnings } = comparisonOf(recordOf('interleaved', change));
    expect(gate.regressions.map(({ metric }) => metric)).toEqual(['memory-settled']);
    expect(warnings).toEqual([]);
  });
});

describe('a limit on settled memory itself', () => {
  it('holds in duets as well', () => {
    const { gate, warnings } = comparisonOf(recordOf('duet', { max: 25_000_000 }));
    expect(gate.regressions.map(({ metric }) => metric)).toEqual(['memory-settled']);
    expect(warnings).toEqual([]);
  });
});
