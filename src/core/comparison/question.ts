import type { Estimate } from '../statistics/estimate.ts';
import { mean, moderatedVariance, sampleVariance, type Variance } from '../statistics/moderated-variance.ts';
import { winsorised } from '../statistics/winsorising.ts';
import { varianceWithinInstances } from '../statistics/within-instances.ts';

/** Whether one metric of one case changed. */
export interface Question {
  id: string;
  /** Variance is borrowed among the questions of one group: metric, generator and how it was paired. */
  group: string;
  /** ln(candidate/baseline) of each instance (robust over its pairs), turned so that up is worse; in order of instance. */
  logRatios: readonly InstanceLogRatio[];
  /** ln(1 + limit), 0 or more. */
  threshold: number;
  /** How far down an improvement begins, 0 or more; `threshold` where absent. */
  improvement?: number;
}

export interface InstanceLogRatio {
  instance: number;
  value: number;
  /** Of its pairs each, where they are known. */
  pairs?: readonly number[];
}

/** What is known of a question's ratio, on the log scale. */
export interface Known extends Estimate {
  question: Question;
  instances: number;
  /** Of the marginal interval; `degreesOfFreedom` where absent. */
  marginalDegreesOfFreedom?: number;
}

/** Nothing on a shared machine repeats better than this: standard deviation of an instance, as a logarithm. */
const LEAST_DEVIATION = 5e-4;

/** What the instances up to a number tell: wild ones pulled in, and each question's variance moderated by those of its group. */
export function knownOf(questions: readonly Question[], upToInstance: number): Known[] {
  const seen = questions.map((question) => {
    const usable = question.logRatios.filter(
      ({ instance, value }) => instance <= upToInstance && Number.isFinite(value),
    );
    const { values, pulledIn } = winsorised(usable.map(({ value }) => value));
    const pairs = usable.map((each) => each.pairs ?? []);
    return { question, values, pairs, own: scatterOf(values, pulledIn) };
  });
  const groups = new Map<string, typeof seen>();
  for (const one of seen) {
    const group = groups.get(one.question.group);
    if (group === undefined) groups.set(one.question.group, [one]);
    else group.push(one);
  }
  return seen.map((one) => {
    const { question, values, pairs, own } = one;
    const known = { question, instances: values.length, mean: mean(values) };
    if (own === null) return { ...known, standardError: Number.NaN, degreesOfFreedom: 0 };
    const neighbours = groups.get(question.group)!.flatMap((other) => (other === one ? [] : (other.own ?? [])));
    const { value, ...degrees } = moderatedVariance(own, neighbours);
    // Five instances that agree by luck cannot be surer than their own pairs are.
    const least = varianceWithinInstances(pairs)?.value ?? 0;
    return { ...known, ...degrees, standardError: Math.sqrt(Math.max(value, least) / values.length) };
  });
}

/**
 * Values that were pulled in tell nothing of the scatter. With h of n values left, the standard error of the mean is, as in
 * Yuen (Biometrika 61, 1974) for trimmed means,
 *
 *     SE^2 = (n - 1) s_w^2 / (h (h - 1))   with h - 1 degrees of freedom
 *
 * given here as the variance of a value, n SE^2.
 */
function scatterOf(values: readonly number[], pulledIn: number): Variance | null {
  const own = sampleVariance(values);
  if (own === null) return null;
  const [all, left] = [values.length, values.length - pulledIn];
  const told = (own.value * all * (all - 1)) / (left * (left - 1));
  return { value: Math.max(told, LEAST_DEVIATION ** 2), degreesOfFreedom: left - 1 };
}
