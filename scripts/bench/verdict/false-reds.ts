import { answersTo } from '../../../src/core/comparison/decision.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { atDefault, none, questionsOf, type Source, type Truth } from './source.ts';

export interface Situation {
  name: string;
  truth: Truth;
  /** Whether it tells anything of a model of noise that another situation does not. */
  ofModels: boolean;
}

/** Wherever the true change is at most the threshold a regression is a false red. */
export const SITUATIONS: readonly Situation[] = [
  { name: 'no change, default thresholds', truth: { threshold: atDefault, change: none }, ofModels: true },
  { name: 'no change, thresholds 0', truth: { threshold: none, change: none }, ofModels: false },
  { name: 'true change at the default thresholds', truth: { threshold: atDefault, change: atDefault }, ofModels: true },
];

export interface FalseReds {
  matrices: number;
  /** Matrices with a regression. */
  red: number;
  /** Questions, of all matrices, that ended as no-change although the change is as large as the threshold. */
  falseNoChange: number;
}

/** Where budgets end, in instances, in turn; the last one is as many as the source has. */
const BUDGETS = [3, 4, 5, 6, 8, 12, 20, 28];

export function falseReds(source: Source, { truth }: Situation, matrices: number, seed: number): FalseReds {
  const random = seededRandom(seed);
  const budgets = BUDGETS.map((instances) => Math.min(instances, source.mostInstances));
  let red = 0;
  let falseNoChange = 0;
  for (let matrix = 0; matrix < matrices; matrix += 1) {
    const instances = budgets[matrix % budgets.length]!;
    const questions = questionsOf(source, source.draw(instances, random), truth);
    const answers = answersTo(questions, { instances, final: true });
    if (answers.some(({ verdict }) => verdict === 'regression')) red += 1;
    if (truth.change !== none && answers.some(({ verdict }) => verdict === 'no-change')) falseNoChange += 1;
  }
  return { matrices, red, falseNoChange };
}
