import { answersTo } from '../../../src/core/comparison/decision.ts';
import { plannedInstances } from '../../../src/core/comparison/looks.ts';
import type { Question } from '../../../src/core/comparison/question.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { atDefault, none, questionsOf, SERVICE_MEMORY, type Source, type Truth } from './source.ts';

export interface Situation {
  name: string;
  truth: Truth;
  /** Whether it tells anything of a model of noise that another situation does not. */
  ofModels: boolean;
  /** Whether everything is decided sooner or later, so that a run ends by itself. */
  isDecided: boolean;
}

/** Wherever the true change is at most the threshold a regression is a false red. */
export const SITUATIONS: readonly Situation[] = [
  {
    name: 'no change, default thresholds',
    truth: { threshold: atDefault, change: none },
    ofModels: true,
    isDecided: true,
  },
  { name: 'no change, thresholds 0', truth: { threshold: none, change: none }, ofModels: false, isDecided: false },
  {
    name: 'true change at the default thresholds',
    truth: { threshold: atDefault, change: atDefault },
    ofModels: true,
    isDecided: false,
  },
];

/** Of matrices that ended with so many instances: how many had an answer in them that is not true. */
export interface FalseAnswers {
  /** `decided`: as many as it took, as a run does that is not cut short by its budget. */
  instances: number | 'decided';
  matrices: number;
  red: number;
  /** `no-change` of a change as large as the threshold. */
  noChange: number;
  /** `improvement` where nothing got better. */
  improvement: number;
}

/** Where budgets end, in instances; what is more than the source has is as many as it has. */
export const FALSE_RED_BUDGETS = [3, 5, 10, 28];

/** `all` matrices, as many for each budget; and as many that went on until everything was decided. */
export function falseAnswers(source: Source, situation: Situation, all: number, seed: number): FalseAnswers[] {
  const random = seededRandom(seed);
  const budgets = FALSE_RED_BUDGETS.map((instances) => Math.min(instances, source.mostInstances));
  const matrices = Math.ceil(all / budgets.length);
  return [...budgets, ...(situation.isDecided ? (['decided'] as const) : [])].map((instances) => {
    const found = { instances, matrices, red: 0, noChange: 0, improvement: 0 };
    for (let matrix = 0; matrix < matrices; matrix += 1) {
      const most = instances === 'decided' ? budgets.at(-1)! : instances;
      const questions = questionsOf(source, source.draw(most, random), situation.truth);
      const last = instances === 'decided' ? lastInstance(questions, most) : most;
      const verdicts = new Set(answersTo(questions, { instances: last, final: true }).map(({ verdict }) => verdict));
      if (verdicts.has('regression')) found.red += 1;
      if (situation.truth.change !== none && verdicts.has('no-change')) found.noChange += 1;
      if (verdicts.has('improvement')) found.improvement += 1;
    }
    return found;
  });
}

/** Where a run ends by itself: at the first look that leaves nothing open but memory of single cases, which waits for none. */
function lastInstance(questions: readonly Question[], most: number): number {
  const waits = ({ id }: { id: string }) => id === SERVICE_MEMORY.id || !id.endsWith(` ${SERVICE_MEMORY.metric}`);
  const isDone = (instances: number) =>
    answersTo(questions, { instances, final: false }).every((answer) => !waits(answer) || answer.decidedAt !== null);
  return plannedInstances(most).find(isDone) ?? most;
}
