import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { MetricLimit } from '../../../src/core/config/resolved.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { normal } from '../../support/made-up/samples.ts';

const SEED = 20261130;
const CASES = [10, 20, 40, 80, 100, 200, 400, 1000];

interface Given {
  /** Bytes that a side keeps of each request. */
  leak?: { baseline?: number; candidate?: number };
  rounds?: number;
  /** Of each side in a trial, of which a round has sixteen. */
  requests?: number;
  limit?: MetricLimit;
}

/** Peaks that differ from case to case, and scatter by a megabyte from trial to trial; cases come in another order in each round. */
function recordOf({ leak = {}, rounds = 8, requests = 2500, limit }: Given) {
  const random = seededRandom(SEED);
  const gate = limit === undefined ? {} : { gate: { metrics: { 'memory-growth': limit } } };
  const record = madeUpRecord({ seed: 3, rounds, cases: CASES.map((connections) => ({ connections })), ...gate });
  for (const each of record.cases) {
    const place = CASES.indexOf(each.connections!);
    for (const name of ['throughput', 'memory-peak']) {
      each.metrics[name]!.samples = each.metrics[name]!.samples.map((sample) => {
        const at = 2 * ((place * 3 + sample.round * 5) % CASES.length) + (sample.pair! % 2);
        const startedNs = 1e12 * sample.round + 1e9 * at + sample.pair! + (each.variant === 'baseline' ? 0 : 1);
        if (name === 'throughput') return { ...sample, startedNs, requests };
        const kept = (leak[each.variant] ?? 0) * requests * (at + 1);
        return { ...sample, startedNs, value: 150e6 + 4e6 * place + kept + 1e6 * normal(random) };
      });
    }
  }
  return record;
}

const said = (given: Given) =>
  comparisonOf(recordOf(given)).gate.invalid.flatMap(({ message }) => (message.includes('memory') ? [message] : []));

describe(`memory that grows with each request (seed ${SEED})`, () => {
  it('fails the comparison where it is 400 bytes more than with the baseline, and says how sure that is', () => {
    const { gate } = comparisonOf(recordOf({ leak: { candidate: 400 } }));
    expect(gate.passed).toBe(false);
    expect(gate.invalid).toEqual([
      {
        caseKey: '*',
        metric: null,
        message: expect.stringMatching(
          /^`go`: the candidate's memory grows by (?:3[5-9]|4[0-4])\d B more with each request than the baseline's \(at least (?:2|3)\d\d B\), in 8 rounds of 40,000 requests: a leak, or a cache that fills up\. Where that is meant, raise `gate\.memory-growth`\.$/,
        ),
      },
    ]);
  });

  it.each<[string, Given]>([
    ['there is none', {}],
    ['both sides grow alike, as a cache that warms up', { leak: { baseline: 400, candidate: 400 } }],
    ['the baseline alone grows', { leak: { baseline: 400 } }],
    ['it is 100 bytes, which is the limit', { leak: { candidate: 100 } }],
    ['it is less than half of what the baseline grows by', { leak: { baseline: 2000, candidate: 2400 } }],
    [
      'a round has too few requests to tell it from a heap that becomes as large as it needs to be',
      { leak: { candidate: 4000 }, requests: 250 },
    ],
    ['there are too few rounds', { leak: { candidate: 400 }, rounds: 5 }],
    ['the limit is higher', { leak: { candidate: 400 }, limit: { maxIncrease: { kind: 'absolute', value: 1000 } } }],
    ['it is not to be judged', { leak: { candidate: 400 }, limit: {} }],
  ])('is left alone where %s', (_, given) => {
    expect(said(given)).toEqual([]);
  });

  it('is held to a share of what the baseline grows by where the limit is one', () => {
    const limit: MetricLimit = { maxIncrease: { kind: 'ratio', value: 0.1 } };
    expect(said({ leak: { baseline: 2000, candidate: 2100 }, limit })).toEqual([]);
    expect(said({ leak: { baseline: 2000, candidate: 2600 }, limit })).toHaveLength(1);
  });

  it('is a limit that each run can be held to: no warning says that it is not judged', () => {
    const limit: MetricLimit = { maxIncrease: { kind: 'absolute', value: 1000 } };
    expect(comparisonOf(recordOf({ limit })).warnings).toEqual([]);
  });
});
