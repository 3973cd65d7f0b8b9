import { marginalInterval } from '../../../src/core/comparison/decision.ts';
import { knownOf } from '../../../src/core/comparison/question.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { none, questionsOf, type Source } from './source.ts';

const INSTANCES = [3, 5, 7, 10, 14];

/** Share of marginal 99 % intervals that hold the truth, at each fixed number of instances. */
export function coverage(source: Source, matrices: number, seed: number): { instances: number; share: number }[] {
  const random = seededRandom(seed);
  return INSTANCES.filter((instances) => instances <= source.mostInstances).map((instances) => {
    let held = 0;
    let intervals = 0;
    for (let matrix = 0; matrix < matrices; matrix += 1) {
      const questions = questionsOf(source, source.draw(instances, random), { threshold: none, change: none });
      for (const known of knownOf(questions, instances)) {
        const interval = marginalInterval(known);
        if (interval === null) continue;
        intervals += 1;
        if (interval[0] <= 0 && 0 <= interval[1]) held += 1;
      }
    }
    return { instances, share: held / intervals };
  });
}
