import { describe, expect, it } from 'vitest';
import { begunInTurn } from '../../../src/core/requests/turn.ts';

const places = (count: number) => ({ order: Uint32Array.from({ length: count }, (_, place) => place) });
const firstOf = (count: number, round: number, trial: number) => begunInTurn(places(count), { round, trial }).order[0]!;

describe('the turn of a trial', () => {
  it('begins the first of all with the first request', () => {
    expect(begunInTurn(places(10), { round: 0, trial: 1 })).toEqual(places(10));
  });

  it('begins any other elsewhere, with all requests in the same order', () => {
    const { order } = begunInTurn(places(1000), { round: 2, trial: 3 });
    const [first] = order;
    expect(first).toBe(135);
    expect([...order]).toEqual(Array.from({ length: 1000 }, (_, place) => (first! + place) % 1000));
  });

  it.each([
    ['in one round', 1, 30],
    ['in many rounds of one trial', 30, 1],
    ['in some of each', 6, 5],
  ])('comes near to every place in 30 trials: %s', (_, rounds, trials) => {
    const firsts = Array.from({ length: rounds * trials }, (_, each) =>
      firstOf(1000, Math.floor(each / trials), (each % trials) + 1),
    ).sort((one, other) => one - other);
    const gaps = firsts.map((first, at) => (firsts[at + 1] ?? 1000 + firsts[0]!) - first);
    // 33 if they were as even as can be.
    expect(Math.max(...gaps)).toBeLessThan(75);
  });

  it('leaves the one place of an order as it is', () => {
    expect([...begunInTurn(places(1), { round: 5, trial: 7 }).order]).toEqual([0]);
  });
});
