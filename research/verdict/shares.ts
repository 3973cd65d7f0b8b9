import { FIRST_ANALYSIS_ROUNDS } from '../../src/core/statistics/interim-analyses.ts';
import type { FalseAnswers } from './false-reds.ts';

/** Over all budgets that are long enough to decide anything. */
export function redShare(atBudgets: readonly FalseAnswers[]): number {
  const able = atBudgets.filter(({ rounds }) => rounds === 'decided' || rounds >= FIRST_ANALYSIS_ROUNDS);
  const sum = (of: (each: FalseAnswers) => number) => able.reduce((total, each) => total + of(each), 0);
  return sum(({ red }) => red) / sum(({ matrices }) => matrices);
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
