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

/** Of matrices that ended with so many instances: how many had an answer in them that is not true. */
export interface FalseAnswers {
  instances: number;
  matrices: number;
  red: number;
  /** `no-change` of a change as large as the threshold. */
  noChange: number;
  /** `improvement` where nothing got better. */
  improvement: number;
}

/** Where budgets end, in instances; what is more than the source has is as many as it has. */
export const FALSE_RED_BUDGETS = [3, 5, 10, 28];

/** `all` matrices, as many for each budget. */
export function falseAnswers(source: Source, { truth }: Situation, all: number, seed: number): FalseAnswers[] {
  const random = seededRandom(seed);
  const budgets = FALSE_RED_BUDGETS.map((instances) => Math.min(instances, source.mostInstances));
  const matrices = Math.ceil(all / budgets.length);
  return budgets.map((instances) => {
    const found = { instances, matrices, red: 0, noChange: 0, improvement: 0 };
    for (let matrix = 0; matrix < matrices; matrix += 1) {
      const questions = questionsOf(source, source.draw(instances, random), truth);
      const verdicts = new Set(answersTo(questions, { instances, final: true }).map(({ verdict }) => verdict));
      if (verdicts.has('regression')) found.red += 1;
      if (truth.change !== none && verdicts.has('no-change')) found.noChange += 1;
      if (verdicts.has('improvement')) found.improvement += 1;
    }
    return found;
  });
}
