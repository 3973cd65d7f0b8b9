import { marginalInterval } from '../../../src/core/comparison/decision.ts';
import { knownOf } from '../../../src/core/comparison/question.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { none, questionsOf, type Source } from './source.ts';

const INSTANCES = [3, 5, 7, 10, 14];

export interface Coverage {
  instances: number;
  /** Of all intervals: those that hold the truth. */
  share: number;
  /** Of the series that has the smallest share. */
  least: number;
}

/** How often marginal 99 % intervals hold the truth, at each fixed number of instances. */
export function coverage(source: Source, matrices: number, seed: number): Coverage[] {
  const random = seededRandom(seed);
  return INSTANCES.filter((instances) => instances <= source.mostInstances).map((instances) => {
    const held = new Map<string, boolean[]>();
    for (let matrix = 0; matrix < matrices; matrix += 1) {
      const questions = questionsOf(source, source.draw(instances, random), { threshold: none, change: none });
      for (const known of knownOf(questions, instances)) {
        const interval = marginalInterval(known);
        if (interval === null) continue;
        const { id } = known.question;
        held.set(id, [...(held.get(id) ?? []), interval[0] <= 0 && 0 <= interval[1]]);
      }
    }
    const shares = [...held.values()].map(shareOf);
    return { instances, share: shareOf([...held.values()].flat()), least: Math.min(...shares) };
  });
}

function shareOf(values: readonly boolean[]): number {
  return values.filter(Boolean).length / values.length;
}
