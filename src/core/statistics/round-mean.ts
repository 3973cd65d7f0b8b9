import { skewnessFactor } from './skewness.ts';
import { studentQuantile } from './student.ts';

/** A mean over independent repetitions, with what its data say of how far Student's t can be believed. */
export interface RoundMean extends Estimate {
  /** Repetitions: rounds, or past runs. */
  count: number;
  /** Of the values; 0 where it is not known. */
  skewness: number;
  /** How much of what a next run finds will be chance; absent where that of normal, independent values is meant. */
  chance?: {
    /** By how much more than of normal values variances scatter (`varianceScatter`). */
    scatter: number;
    /** So many independent series tell how values hang together and how skewed they are. */
    independent: number;
    /** Share by which a standard error is greater for each step of the autocorrelation as it is found (`SerialCorrelation`). */
    sensitivity: number;
    /** Of the standard error, as far as it is from what was seen, and not allowed for whatever is seen. */
    standardErrorShare: number;
    /** Of what was seen. */
    degreesOfFreedom: number;
  };
}

/** Standard deviation of the skewness that is found of a series, times sqrt(n): about half of the time it counts as none. */
const OF_SKEWNESS = 2.6;

/** 0.9 quantile of the normal distribution: a detectable change is found in nine of ten runs. */
const POWER_QUANTILE = 1.2815515655446004;

/** The same of critical values, whose chance reaches further up than down: simulated, 85 to 95 % are found (`npm run bench:verdict`). */
const CRITICAL_QUANTILE = 1.37;

/**
 * Border of a one-sided interval: `side` 1 gives the lower end, above which the truth lies with an error of `level`, -1 the
 * upper end.
 */
export function bound(known: RoundMean, side: 1 | -1, level: number): number {
  return known.mean - side * critical(known, side, level) * known.standardError;
}

function critical({ degreesOfFreedom, skewness, count }: RoundMean, side: 1 | -1, level: number): number {
  return upperQuantile(level, degreesOfFreedom) * skewnessFactor(side * skewness, normalQuantile(level), count);
}

const normalQuantile = (level: number) => upperQuantile(level, 1e9);

const MOST_KNOWN = 1000;
const quantiles = new Map<string, number>();

/** Hypotheses of a look share few levels and degrees of freedom, and a quantile takes a search. */
function upperQuantile(level: number, degreesOfFreedom: number): number {
  const name = `${level} ${degreesOfFreedom}`;
  const found = quantiles.get(name) ?? studentQuantile(1 - level, degreesOfFreedom);
  if (quantiles.size >= MOST_KNOWN) quantiles.clear();
  quantiles.set(name, found);
  return found;
}

/**
 * How far beyond its border a truth must lie so that another run like this one calls it in nine of ten cases, at `level`.
 * Both this run's standard error and that of the other one are chance, each with a relative variance of f / (2 v), and so is what
 * either allows for autocorrelation and skewness, with w. With t the critical value and v the degrees of freedom
 *
 *     ln(c / t)^2 = ln((t + 1.28) / t)^2 + 1.37^2 * 2 (f / (2 v) + w)
 *     w = (s^2 + (2.2 a)^2) / (n k),            a what a skewness of -1 adds to t, as a share of it
 *
 * c times the standard error, for n rounds and k independent series, with f and s as in `chance`: t + 1.28, where nothing but the
 * other run's mean is chance. Same scale as the mean.
 */
export function detectableBeyond(known: RoundMean, level: number): number {
  const t = critical(known, 1, level);
  const { scatter = 1, standardErrorShare = 1, degreesOfFreedom = known.degreesOfFreedom } = known.chance ?? {};
  const ofMean = Math.log1p((POWER_QUANTILE * standardErrorShare) / t);
  const ofErrors = scatter / (2 * degreesOfFreedom) + allowanceVariance(known, level);
  return t * Math.exp(Math.sqrt(ofMean ** 2 + CRITICAL_QUANTILE ** 2 * 2 * ofErrors)) * known.standardError;
}

/** Relative variance of what is allowed for autocorrelation and skewness, as a share of the critical value. */
function allowanceVariance({ count, chance }: RoundMean, level: number): number {
  if (chance === undefined) return 0;
  const ofSkewness = OF_SKEWNESS * (skewnessFactor(-1, normalQuantile(level), count) - 1);
  return (chance.sensitivity ** 2 + ofSkewness ** 2) / (count * chance.independent);
}

/** What is known of one quantity: enough for an interval at any level by Student's t. */
interface Estimate {
  mean: number;
  /** Of the mean. 0 where it is exact; NaN where it is unknown (a single repetition). */
  standardError: number;
  /** Need not be whole; Infinity for a normal distribution. */
  degreesOfFreedom: number;
}
