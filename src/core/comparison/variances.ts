import { commonRounds, independentSeries, LARGEST_CHANCE } from '../statistics/independent-series.ts';
import { MOST_PRIOR, moderatedVariance, sampleVariance, type Variance } from '../statistics/moderated-variance.ts';
import type { RoundLogRatio } from '../statistics/round-log-ratio.ts';
import type { Hypothesis } from './hypothesis.ts';
import { roundsTogether } from './rounds-together.ts';

/** More of them tell nothing more of how much they scatter, and a record of ten thousand cases would take minutes. */
const MOST_NEIGHBOURS = 500;

/** Nothing on a shared machine repeats better than this: standard deviation of a round, as a logarithm. */
export const LEAST_DEVIATION = 5e-4;

/** A hypothesis with what its rounds gave up to a look. */
export interface Seen {
  hypothesis: Hypothesis;
  /** As they count. */
  groups: Hypothesis['groups'];
  values: readonly number[];
  /** About their own mean. */
  residuals: readonly RoundLogRatio[];
  /** Of each of its cases. */
  ofCases: readonly (readonly RoundLogRatio[])[];
}

/**
 * Of rounds, for each hypothesis with two of them at least. Endpoints and cases borrow from others of the same metric, as far as
 * their rounds are chance of their own (`independentSeries`): of rounds in which all go up and down together, the others tell nothing.
 * A service borrows from its endpoints.
 */
export function variancesOf(seen: readonly Seen[], upToRound: number): Map<Hypothesis, Variance> {
  const known = new Map<Hypothesis, Variance>();
  const groups = new Map<string, Seen[]>();
  for (const one of seen) {
    const found = sampleVariance(one.values);
    if (found === null) continue;
    const { level, metric } = one.hypothesis;
    const variance = atLeast(found);
    known.set(one.hypothesis, level === 'service' ? lentByEndpoints(one, variance, upToRound) : variance);
    if (level !== 'service') groups.set(`${level} ${metric}`, [...(groups.get(`${level} ${metric}`) ?? []), one]);
  }
  const lent = [...groups.values()].flatMap((own) => {
    const independent = independentSeries(own.map(({ residuals }) => residuals));
    return own.map(({ hypothesis }) => {
      const others = own.slice(0, MOST_NEIGHBOURS + 1).filter((each) => each.hypothesis !== hypothesis);
      const neighbours = others.slice(0, MOST_NEIGHBOURS).map((each) => known.get(each.hypothesis)!);
      const worth = neighbours.length === 0 ? 0 : (independent - 1) / neighbours.length;
      return [hypothesis, moderatedVariance(known.get(hypothesis)!, neighbours, worth)] as const;
    });
  });
  return new Map([...known, ...lent]);
}

/**
 * Of a service of several endpoints: what it would scatter by if their rounds had nothing in common, as a mean over endpoints, is lent
 * to it as endpoints lend to each other, as far as that may be so. With r the correlation between its k cases, as high as it
 * may be, and as if all of them counted the same, 1 - kr / (1 + (k - 1) r) of its variance is their own.
 */
function lentByEndpoints({ groups, ofCases }: Seen, variance: Variance, upToRound: number): Variance {
  const common = commonRounds(ofCases);
  if (groups.length < 2 || common === null) return variance;
  const endpoints = groups.flatMap((group) => {
    const { rounds } = roundsTogether({ groups: [group] }, upToRound);
    const found = sampleVariance(rounds.map(({ value }) => value));
    return found === null ? [] : [{ ...found, value: atLeast(found).value / groups.length }];
  });
  const k = ofCases.length;
  const r = Math.min(1, Math.max(0, common.correlation) + LARGEST_CHANCE * common.chance);
  const theirOwn = 1 - (k * r) / (1 + (k - 1) * r);
  const lent = endpoints.reduce((sum, { degreesOfFreedom }) => sum + degreesOfFreedom, 0);
  return moderatedVariance(variance, endpoints, (theirOwn * MOST_PRIOR) / lent);
}

function atLeast(variance: Variance): Variance {
  return { ...variance, value: Math.max(variance.value, LEAST_DEVIATION ** 2) };
}
