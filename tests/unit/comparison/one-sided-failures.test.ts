import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { oneSidedFailures } from '../../../src/core/comparison/one-sided-failures.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

/** Four cases at a fixed rate, whose sides failed alone in so many duets of each. */
function recordOf(baseline: number[], candidate: number[]) {
  const cases = ['a', 'b', 'c', 'd'].map((endpoint) => ({ endpoint, generator: 'k6' as const }));
  const record = madeUpRecord({ seed: 3, rounds: 8, cases });
  const counts = { baseline: [...baseline], candidate: [...candidate] };
  for (const each of record.cases) {
    const failedAlone = counts[each.variant].shift() ?? 0;
    if (failedAlone > 0) each.failedAlone = failedAlone;
  }
  return record;
}

describe('a candidate that alone is not sent its rate', () => {
  it('is invalid as a whole where the two of each case are too many for chance', () => {
    const { gate } = comparisonOf(recordOf([0, 0, 0, 0], [2, 2, 2, 2]));
    expect(gate.passed).toBe(false);
    expect(gate.invalid).toEqual([
      {
        caseKey: '*',
        metric: null,
        message:
          '`go`: the candidate was not sent its rate in 8 pairs of trials in which the baseline was, and the other way round never: now and then its requests wait too long. Look at its p99, and at what it waits for.',
      },
    ]);
  });

  it.each([
    ['too few to tell from chance', [0, 0], [3, 4]],
    ['as often as the baseline', [3, 3], [4, 4]],
    ['less often than the baseline', [4, 4], [0, 0]],
  ])('is left to what else is measured where that is %s', (_, baseline, candidate) => {
    expect(oneSidedFailures(recordOf(baseline, candidate))).toEqual([]);
  });
});

describe('requests that fail so seldom that each case is valid', () => {
  /** A record in which one duet of two has an error on that side, of 1 in 4,000. */
  function withErrors(...sides: Variant[]) {
    const record = recordOf([], []);
    for (const each of record.cases) {
      const samples = each.metrics.throughput!.samples.map((sample) => ({
        ...sample,
        value: sides.includes(each.variant) && sample.pair === 2 ? 0.00025 : 0,
      }));
      each.metrics.errors = { value: 0, unit: '1/request', samples };
    }
    return record;
  }

  it('are red where they are of the candidate alone', () => {
    expect(comparisonOf(withErrors('candidate')).gate.invalid.map(({ message }) => message)).toEqual([
      '`go`: requests to the candidate failed in 32 pairs of trials in which none to the baseline did, and the other way round never: where that is meant, say so by `errors` of the service.',
    ]);
  });

  it.each<Variant[][]>([[['baseline']], [['baseline', 'candidate']], [[]]])('are not where they are of %j', (sides) => {
    expect(oneSidedFailures(withErrors(...sides))).toEqual([]);
  });

  it('are not where the spec says that some may fail', () => {
    const record = withErrors('candidate');
    record.spec.services[0]!.errors = { max: 0.001 };
    expect(oneSidedFailures(record)).toEqual([]);
  });
});
