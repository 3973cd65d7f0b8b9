import { describe, expect, it } from 'vitest';
import type { Hypothesis } from '../../../src/core/comparison/hypothesis.ts';
import { withSpoiltPulledIn } from '../../../src/core/comparison/spoilt-rounds.ts';

interface Spoilt {
  round: number;
  by: number;
}

/** Twelve rounds about 0 with a usual deviation of 0.01, one of which is another value; null for none. */
function values(spoilt: Spoilt | null) {
  const pattern = [-2, -1.5, -1, -0.5, -0.2, -0.1, 0.1, 0.2, 0.5, 1, 1.5, 2];
  return pattern.map((each, index) => ({
    round: index + 1,
    value: spoilt?.round === index + 1 ? spoilt.by : 0.01 * each,
  }));
}

const hypothesis = (id: string, spoilt: Spoilt | null, metric = 'cpu-per-request'): Hypothesis => ({
  ...{ id, level: 'endpoint', metric, threshold: 0.03, share: 1, after: null },
  groups: [[{ weight: 1, values: values(spoilt) }]],
});

const above = (round: number, metric?: string) => hypothesis(`above ${round}`, { round, by: 0.26 }, metric);
const below = (round: number, metric?: string) => hypothesis(`below ${round}`, { round, by: -0.26 }, metric);

const valueIn = ({ groups }: Hypothesis, round: number) =>
  groups[0]![0]!.values.find((each) => each.round === round)!.value;

describe('a round of a case that lies far outside of its others', () => {
  it('is pulled in, on either side, and what does not is left as it is', () => {
    const [one, other] = withSpoiltPulledIn([above(3), below(9)], 12);
    expect(valueIn(one!, 3)).toBeGreaterThan(0.02);
    expect(valueIn(one!, 3)).toBeLessThan(0.1);
    expect(valueIn(other!, 9)).toBeLessThan(-0.02);
    expect(valueIn(other!, 9)).toBeGreaterThan(-0.1);
    expect(valueIn(one!, 4)).toBe(-0.005);
  });

  it('stays where all of them lie on one side: a version may do that itself', () => {
    expect(withSpoiltPulledIn([above(3)], 12)).toEqual([above(3)]);
    expect(withSpoiltPulledIn([below(3), below(9)], 12)).toEqual([below(3), below(9)]);
  });

  it('stays where they lie on one side so much oftener that chance is no explanation: eight to one, not seven', () => {
    const leaning = (count: number) => [below(12), ...Array.from({ length: count }, (_, index) => above(index + 1))];
    expect(withSpoiltPulledIn(leaning(8), 12)).toEqual(leaning(8));
    expect(valueIn(withSpoiltPulledIn(leaning(7), 12)[1]!, 1)).toBeLessThan(0.1);
  });

  it('counts once for all cases of the round: they have the same start', () => {
    const alike = Array.from({ length: 9 }, () => above(5));
    const found = withSpoiltPulledIn([...alike, below(9)], 12);
    expect(found.slice(0, 9).map((own) => valueIn(own, 5) < 0.1)).toEqual(alike.map(() => true));
  });

  it('is told for each metric by itself', () => {
    const all = [above(3), above(9, 'throughput'), below(4, 'throughput')];
    const [alone, ...others] = withSpoiltPulledIn(all, 12);
    expect(alone).toEqual(all[0]);
    expect(valueIn(others[0]!, 9)).toBeLessThan(0.1);
  });

  it('is nothing that a later round tells', () => {
    const early = [above(3), below(4)];
    expect(withSpoiltPulledIn(early, 6)).toEqual(early);
  });

  it('changes nothing where there is none', () => {
    const quiet = hypothesis('a', null);
    expect(withSpoiltPulledIn([quiet], 12)).toEqual([quiet]);
  });
});
