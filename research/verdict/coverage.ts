import { decisionsOn } from '../../src/core/comparison/decision.ts';
import { seededRandom } from '../../src/core/statistics/random.ts';
import { hypothesesOf, none, type Source } from './source.ts';

const ROUNDS = [3, 5, 7, 10, 14];

export interface Coverage {
  rounds: number;
  /** Of all intervals: those that hold the truth. */
  share: number;
  /** Of the hypothesis that has the smallest share. */
  least: number;
}

/** How often marginal 99 % intervals hold the truth, at each fixed number of rounds. */
export function coverage(source: Source, matrices: number, seed: number): Coverage[] {
  const random = seededRandom(seed);
  return ROUNDS.filter((rounds) => rounds <= source.mostRounds).map((rounds) => {
    const held = new Map<string, boolean[]>();
    for (let matrix = 0; matrix < matrices; matrix += 1) {
      const hypotheses = hypothesesOf(source, source.draw(rounds, random), { threshold: none, change: none });
      for (const { id, interval } of decisionsOn(hypotheses, { rounds, final: true })) {
        if (interval === null) continue;
        const own = held.get(id) ?? [];
        own.push(interval[0] <= 0 && 0 <= interval[1]);
        held.set(id, own);
      }
    }
    const shares = [...held.values()].map(shareOf);
    return { rounds, share: shareOf([...held.values()].flat()), least: Math.min(...shares) };
  });
}

function shareOf(values: readonly boolean[]): number {
  return values.filter(Boolean).length / values.length;
}
