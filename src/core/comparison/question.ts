import type { Estimate } from '../statistics/estimate.ts';
import { mean, moderatedVariance, sampleVariance, type Variance } from '../statistics/moderated-variance.ts';

/** Whether one metric of one case changed. */
export interface Question {
  id: string;
  /** Variance is borrowed among the questions of one group: metric, generator and how it was paired. */
  group: string;
  /** ln(candidate/baseline) of each instance (robust over its pairs), turned so that up is worse; in order of instance. */
  logRatios: readonly { instance: number; value: number }[];
  /** ln(1 + limit), 0 or more. */
  threshold: number;
  /** How far down an improvement begins, 0 or more; `threshold` where absent. */
  improvement?: number;
}

/** What is known of a question's ratio, on the log scale. */
export interface Known extends Estimate {
  question: Question;
  instances: number;
}

/** Nothing on a shared machine repeats better than this: standard deviation of an instance, as a logarithm. */
const LEAST_DEVIATION = 5e-4;

/** What the instances up to a number tell, each question's variance moderated by those of its group. */
export function knownOf(questions: readonly Question[], upToInstance: number): Known[] {
  const seen = questions.map((question) => {
    const values = question.logRatios
      .filter(({ instance, value }) => instance <= upToInstance && Number.isFinite(value))
      .map(({ value }) => value);
    return { question, values, own: scatterOf(values) };
  });
  return seen.map((one) => {
    const { question, values, own } = one;
    const known = { question, instances: values.length, mean: mean(values) };
    if (own === null) return { ...known, standardError: Number.NaN, degreesOfFreedom: 0 };
    const neighbours = seen.flatMap((other) =>
      other === one || other.question.group !== question.group ? [] : (other.own ?? []),
    );
    const { value, degreesOfFreedom } = moderatedVariance(own, neighbours);
    return { ...known, standardError: Math.sqrt(value / values.length), degreesOfFreedom };
  });
}

function scatterOf(values: readonly number[]): Variance | null {
  const own = sampleVariance(values);
  return own && { ...own, value: Math.max(own.value, LEAST_DEVIATION ** 2) };
}
