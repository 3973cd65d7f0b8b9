import { detectableChange } from '../statistics/detectable.ts';
import { studentQuantile } from '../statistics/student.ts';
import { adjustedInterval, type Finding, type Judgement, judged } from './claims.ts';
import { looksUpTo } from './looks.ts';
import { type Known, knownOf, type Question } from './question.ts';

export type { Question } from './question.ts';

export interface Look {
  /** Number of the last instance measured; they count from 1. */
  instances: number;
  /** No more will follow: all that is left of the error rate is spent. */
  final: boolean;
}

/** All figures are on the log scale, up is worse. */
export interface Answer {
  id: string;
  /** NaN without an instance. */
  estimate: number;
  /** Marginal, two-sided, at `CONFIDENCE`; null with fewer than two instances. */
  interval: [number, number] | null;
  /** What the verdict rests on; null as `interval`, and before the first look. */
  adjusted: [number, number] | null;
  /** Smallest rise that would have been called a regression in nine of ten cases; null as `adjusted`. */
  minimumDetectable: number | null;
  verdict: Finding;
  /** That it rests on. */
  instances: number;
  /** Look, as a number of instances, at which it was decided. */
  decidedAt: number | null;
}

/** One-sided, over all questions and looks of a matrix. */
export const FAMILY_ERROR_RATE = 0.005;
/** Of marginal intervals. */
export const CONFIDENCE = 0.99;

/**
 * Answers as of the last look. What is decided at a look stays decided with the data of that look, so that the same
 * questions give the same answers while they are measured and from the record. `errorRate` is one-sided, over all of
 * these questions and looks.
 */
export function answersTo(questions: readonly Question[], look: Look, errorRate: number = FAMILY_ERROR_RATE): Answer[] {
  const settled = new Map<string, Judged>();
  let latest = new Map<string, Judged>();
  for (const { instances, share } of looksUpTo(look.instances, look.final)) {
    const open = knownOf(questions, instances).filter(({ question }) => !settled.has(question.id));
    const verdicts = [...settled.values()].map(({ verdict }) => verdict);
    const judgements = judged(open, questions.length, verdicts, errorRate * share);
    latest = new Map(judgements.map((judgement) => [judgement.known.question.id, { ...judgement, instances }]));
    for (const [id, one] of latest) if (one.verdict !== 'inconclusive') settled.set(id, one);
  }
  // Before the first look there is no judgement at all.
  return knownOf(questions, look.instances).map((known) => {
    const judgement = settled.get(known.question.id) ?? latest.get(known.question.id);
    return judgement === undefined ? unjudged(known) : answered(judgement, judgement.instances);
  });
}

type Judged = Judgement & { instances: number };

function unjudged(known: Known): Answer {
  return {
    id: known.question.id,
    estimate: known.mean,
    interval: marginalInterval(known),
    adjusted: null,
    minimumDetectable: null,
    verdict: 'inconclusive',
    instances: known.instances,
    decidedAt: null,
  };
}

/** The answer that a judgement amounts to, at a look; `judgement.known` need not come from instances. */
export function answered(judgement: Judgement, atInstances: number): Answer {
  const { known, verdict, steps } = judgement;
  if (known.instances < 2) return unjudged(known);
  return {
    ...unjudged(known),
    adjusted: adjustedInterval(judgement),
    minimumDetectable: known.question.threshold + detectableChange(known, steps.aboveThreshold.level),
    verdict,
    decidedAt: verdict === 'inconclusive' ? null : atInstances,
  };
}

/** Two-sided, at `CONFIDENCE`; null with fewer than two instances. */
export function marginalInterval(known: Known): [number, number] | null {
  if (known.instances < 2) return null;
  const degreesOfFreedom = known.marginalDegreesOfFreedom ?? known.degreesOfFreedom;
  const half = studentQuantile(0.5 + CONFIDENCE / 2, degreesOfFreedom) * known.standardError;
  return [known.mean - half, known.mean + half];
}
