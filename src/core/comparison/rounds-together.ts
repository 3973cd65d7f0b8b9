import { LEAST_VALUES } from '../statistics/interim-analyses.ts';
import { mean, sampleVariance } from '../statistics/moderated-variance.ts';
import type { RoundLogRatio } from '../statistics/round-log-ratio.ts';
import type { CaseSeries, Hypothesis } from './hypothesis.ts';

/** What the rounds of several cases give together, and how well their mean is known. */
export interface RoundsTogether {
  /** In order. */
  rounds: readonly RoundLogRatio[];
  /** The mean is known as if from so many of these rounds: from fewer than there are where a case is missing from some. */
  worth: number;
  /** Of the standard error of the mean. */
  degreesOfFreedom: number;
}

/** One value for each round, up to one of them: what is known later must not change an earlier look. */
export function roundsTogether({ groups }: Pick<Hypothesis, 'groups'>, upToRound: number): RoundsTogether {
  const ofCase = ({ values, weight }: CaseSeries): Part => {
    const rounds = values.filter(({ round, value }) => round <= upToRound && Number.isFinite(value));
    return { rounds, ...known(rounds.length), weight };
  };
  return together(groups.map((group) => ({ ...together(group.map(ofCase)), weight: 1 })));
}

interface Part extends RoundsTogether {
  weight: number;
}

/** The cases that a round holds. */
interface Membership {
  of: readonly Part[];
}

/** From so many rounds of all cases. */
function known(rounds: number): Omit<RoundsTogether, 'rounds'> {
  return { worth: rounds, degreesOfFreedom: rounds - 1 };
}

/**
 * A value for each round that holds half of the weight at least: less is another load. A case has a say once it could be judged by
 * itself: how much fewer rounds scatter is known too badly. A case that is missing from a round takes nothing with it by which it
 * differs from the others in all rounds alike:
 *
 *     value of a round = mean over all cases of their means + mean over the round's cases of what each is beyond its mean
 *
 * less the mean of the latter, so that the mean of all values is the mean of the cases'.
 */
function together(parts: readonly Part[]): RoundsTogether {
  const isEnough = parts.some(({ rounds }) => rounds.length >= LEAST_VALUES);
  const measured = parts.filter(({ rounds }) => rounds.length >= (isEnough ? LEAST_VALUES : 1));
  const [only] = measured;
  if (only === undefined) return { rounds: [], ...known(0) };
  if (measured.length === 1) {
    const { rounds, worth, degreesOfFreedom } = only;
    return { rounds, worth, degreesOfFreedom };
  }
  const all = weightOf(measured);
  const means = measured.map(({ rounds }) => mean(rounds.map(({ value }) => value)));
  const level = measured.reduce((sum, { weight }, index) => sum + weight * means[index]!, 0) / all;
  const found = new Map<number, { of: Part[]; beyond: number }>();
  for (const [index, part] of measured.entries()) {
    for (const { round, value } of part.rounds) {
      const { of, beyond } = found.get(round) ?? { of: [], beyond: 0 };
      of.push(part);
      found.set(round, { of, beyond: beyond + part.weight * (value - means[index]!) });
    }
  }
  const kept = [...found]
    .map(([round, { of, beyond }]) => ({ round, of, beyond: beyond / weightOf(of) }))
    .filter(({ of }) => weightOf(of) >= all / 2)
    .sort((one, other) => one.round - other.round);
  const count = kept.length;
  const isWhole = measured.every(({ rounds, worth }) => rounds.length === count && worth === count);
  const offset = isWhole ? 0 : mean(kept.map(({ beyond }) => beyond));
  const rounds = kept.map(({ round, beyond }) => ({ round, value: level + beyond - offset }));
  return { rounds, ...(isWhole ? known(count) : knownOf(measured, [...found.values()], kept)) };
}

/**
 * How the variance of the rounds' values stands to that of the mean of the cases' means. With w the weight of a case, s its standard
 * deviation over its n rounds and W the weight of all, or of those in a round, they are, of cases that have nothing in common,
 *
 *     of a round    sum of (w s)^2 / W^2            of the mean    sum of (w s)^2 / n / W^2
 *
 * and of cases that go up and down together, of which every two add what they have in common in the rounds of both,
 *
 *     of a round    (sum of w s)^2 / W^2            of the mean    sum over rounds of (sum of w s / n)^2 / W^2
 *
 * It is at least the smaller of the two ratios, whatever they have in common. The values of rounds are about the cases' own means, where
 * s^2 (n - 1) / n is left of s^2. Degrees of freedom are Satterthwaite's (Biometrics Bulletin 2, 1946) of the variance of the mean, from n - 1
 * of each case, and never more than of the rounds' values.
 */
function knownOf(
  parts: readonly Part[],
  rounds: readonly Membership[],
  kept: readonly Membership[],
): Omit<RoundsTogether, 'rounds'> {
  const variances = parts.map((part) => sampleVariance(part.rounds.map(({ value }) => value))?.value ?? null);
  // A single round tells nothing of how much its case scatters.
  const largest = Math.max(...variances.map((variance) => variance ?? 0));
  if (largest === 0) return known(Math.min(...parts.map((part) => part.rounds.length)));
  const deviations = new Map(parts.map((part, index) => [part, part.weight * Math.sqrt(variances[index] ?? largest)]));
  const deviation = (part: Part) => deviations.get(part)!;
  const ofOne = (part: Part) => deviation(part) ** 2 / part.worth;
  const ofMean = sumOf(parts, ofOne);
  const share = (part: Part) => deviation(part) / part.rounds.length;
  const inCommon = sumOf(rounds, ({ of }) => sumOf(of, share) ** 2 - sumOf(of, (part) => share(part) ** 2));
  const beyond = (part: Part) => deviation(part) * Math.sqrt(1 - 1 / part.rounds.length);
  const ofRounds = (varianceOf: (of: readonly Part[]) => number) =>
    sumOf(kept, ({ of }) => varianceOf(of) / weightOf(of) ** 2) / Math.max(1, kept.length - 1);
  const apart = ofRounds((of) => sumOf(of, (part) => beyond(part) ** 2)) / ofMean;
  const alike = ofRounds((of) => sumOf(of, beyond) ** 2) / (ofMean + inCommon);
  const whole = known(kept.length);
  const degrees = ofMean ** 2 / sumOf(parts, (part) => ofOne(part) ** 2 / Math.max(1, part.degreesOfFreedom));
  return {
    worth: Math.min(whole.worth, weightOf(parts) ** 2 * Math.min(apart, alike)),
    degreesOfFreedom: Math.min(whole.degreesOfFreedom, degrees),
  };
}

function weightOf(parts: readonly Part[]): number {
  return sumOf(parts, ({ weight }) => weight);
}

function sumOf<T>(all: readonly T[], of: (each: T) => number): number {
  return all.reduce((sum, each) => sum + of(each), 0);
}
