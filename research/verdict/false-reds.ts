import { decisionsOn } from '../../src/core/comparison/decision.ts';
import type { Hypothesis } from '../../src/core/comparison/hypothesis.ts';
import { FIRST_ANALYSIS_ROUNDS, plannedLooks } from '../../src/core/statistics/interim-analyses.ts';
import { seededRandom } from '../../src/core/statistics/random.ts';
import { atDefault, hypothesesOf, isRequired, none, type Source, type Truth } from './source.ts';

export interface Situation {
  name: string;
  truth: Truth;
  /** Whether everything is decided sooner or later, so that a run ends by itself. */
  isDecided: boolean;
}

/** Wherever the true change is at most the limit a regression is a false red. */
export const SITUATIONS: readonly Situation[] = [
  { name: 'no change, default limits', truth: { threshold: atDefault, change: none }, isDecided: true },
  { name: 'no change, limits of 0', truth: { threshold: none, change: none }, isDecided: false },
  {
    name: 'every change as large as its default limit',
    truth: { threshold: atDefault, change: atDefault },
    isDecided: false,
  },
];

/** Of matrices that ended with so many rounds: how many had an answer in them that is not true. */
export interface FalseAnswers {
  /** `decided`: as many as it took, as a run does that is not cut short by its budget. */
  rounds: number | 'decided';
  matrices: number;
  red: number;
  /** `no-change` of a change as large as the limit, wherever one is claimed: each of them is wrong in 2.5 %. */
  noChange: number;
  noChangeClaims: number;
  /** `improvement` where nothing got better. */
  improvement: number;
}

/** Where budgets end, in rounds; what is more than the source has is as many as it has. */
const BUDGETS = [5, 10, 28];

/** Before the first look nothing is decided, whatever was measured: few matrices show that. */
const FEW = 200;

/** So many matrices for each budget; and, where everything is decided, as many that went on until it was. */
export function falseAnswers(source: Source, situation: Situation, matrices: number, seed: number): FalseAnswers[] {
  const random = seededRandom(seed);
  const budgets = BUDGETS.map((rounds) => Math.min(rounds, source.mostRounds));
  return [...budgets, ...(situation.isDecided ? (['decided'] as const) : [])].map((rounds) => {
    const decides = rounds === 'decided' || rounds >= FIRST_ANALYSIS_ROUNDS;
    const count = decides ? matrices : Math.min(matrices, FEW);
    const found = { rounds, matrices: count, red: 0, noChange: 0, noChangeClaims: 0, improvement: 0 };
    for (let matrix = 0; matrix < count; matrix += 1) {
      const most = rounds === 'decided' ? budgets.at(-1)! : rounds;
      const hypotheses = hypothesesOf(source, source.draw(most, random), situation.truth);
      const last = rounds === 'decided' ? lastRound(hypotheses, most) : most;
      const verdicts = decisionsOn(hypotheses, { rounds: last, final: true }).map(({ verdict }) => verdict);
      if (verdicts.includes('regression')) found.red += 1;
      if (verdicts.includes('improvement')) found.improvement += 1;
      if (situation.truth.change === none) continue;
      found.noChangeClaims += verdicts.length;
      found.noChange += verdicts.filter((verdict) => verdict === 'no-change').length;
    }
    return found;
  });
}

/** Where a run ends by itself: at the first look that leaves no service and no endpoint open. */
function lastRound(hypotheses: readonly Hypothesis[], most: number): number {
  const isDone = (rounds: number) =>
    decisionsOn(hypotheses, { rounds, final: false }).every(
      ({ decidedAt }, index) => decidedAt !== null || !isRequired(hypotheses[index]!),
    );
  return plannedLooks(most).find(isDone) ?? most;
}

/** In 19 of 20 cases the true share is no greater, where `count` of `all` were seen (Clopper and Pearson 1934, one-sided). */
export function upperShare(count: number, all: number): number {
  const atMost = (share: number) => {
    let term = (1 - share) ** all;
    let sum = term;
    for (let k = 1; k <= count; k += 1) {
      term *= ((all - k + 1) / k) * (share / (1 - share));
      sum += term;
    }
    return sum;
  };
  let [low, high] = [count / all, 1 - 1e-9];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (atMost(middle) > 0.05) low = middle;
    else high = middle;
  }
  return high;
}
