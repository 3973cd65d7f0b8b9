import { describe, expect, it } from 'vitest';
import { roundsWithTail } from '../../../src/core/comparison/observations.ts';
import type { CaseRecord, Sample } from '../../../src/core/record/run-record.ts';

/** A duet of 3 s at 4,600/s, which takes 4.35 s with the start of k6 and its lead-in. */
const duet = (changes: Partial<Sample> = {}): Sample => ({
  ...{ round: 1, trial: 1, pair: 1001, mode: 'duet', startedNs: 1e9, durationNs: 4.35e9, value: 4600 },
  ...changes,
});
const withTail = (...samples: Sample[]) => {
  const metrics = { throughput: { value: 4600, unit: 'req/s', samples } };
  return [...roundsWithTail({ metrics } as unknown as CaseRecord, ['duet'], 20_000)];
};

describe('the rounds that answered enough requests for a tail', () => {
  it('are told by the requests that were counted, not by those of the generator’s start', () => {
    expect(withTail(duet({ requests: 13_800 }))).toEqual([]);
    expect(withTail(duet({ requests: 20_000 }))).toEqual([1]);
  });

  it('are told by all trials of the modes that are judged', () => {
    const second = duet({ trial: 2, pair: 1002, requests: 13_800 });
    expect(withTail(duet({ requests: 13_800 }), second)).toEqual([1]);
    expect(withTail(duet({ requests: 13_800 }), { ...second, mode: 'solo' })).toEqual([]);
  });

  it('are told by rate and duration where the record does not hold the count', () => {
    expect(withTail(duet())).toEqual([1]);
  });
});
