import { digamma } from '../statistics/digamma.ts';
import { mean, sampleVariance } from '../statistics/moderated-variance.ts';
import type { CaseSeries, Hypothesis } from './hypothesis.ts';
import { LEAST_DEVIATION } from './variances.ts';

/** Of a single other endpoint nothing says whether others would agree with it. */
const LEAST_PEERS = 2;
/** More of them tell nothing more of a load, and a record of ten thousand cases would take a minute. */
const MOST_PEERS = 100;
/** Fewer rounds tell too little of a variance. */
const LEAST_ROUNDS = 4;

/** The logarithm of a case's variance, times the weight that it has beforehand: alike for all cases where those weights are right. */
interface Scatter {
  endpoint: string;
  log: number;
  /** What `log` scatters by. */
  variance: number;
}

/**
 * The groups of each hypothesis, a case of an endpoint counting by how much such a case scatters here, up to a round: of one application a
 * closed loop scatters by ten times as much as a fixed rate does, of another one by a quarter. It is the *other* endpoints that tell, so that no
 * endpoint's weights depend on its own values:
 *
 *     scatter of a load    x = mean over the other endpoints of ln(s^2 weight)
 *     weight of a case     weight exp(-c (x - mean of x)),   c = 1 - chance / variance of x, 0 at least
 *
 * By c, weights stay what they were beforehand as far as loads differ by no more than chance (Efron and Morris, Journal of the American
 * Statistical Association 70, 1975). Chance is by how much the endpoints disagree, and at least what so few rounds tell of a variance.
 */
export function measuredWeights(hypotheses: readonly Hypothesis[], upToRound: number): Hypothesis['groups'][] {
  const known = new Map<string, Map<string, Scatter[]>>();
  const scatterOf = (metric: string) => {
    if (!known.has(metric)) known.set(metric, scatterByLoad(seriesOf(hypotheses, metric), upToRound));
    return known.get(metric)!;
  };
  return hypotheses.map(({ groups, keepsWeights, metric }) =>
    keepsWeights ? groups : groups.map((group) => (group.length < 2 ? group : weighed(group, scatterOf(metric)))),
  );
}

function seriesOf(hypotheses: readonly Hypothesis[], metric: string): Set<CaseSeries> {
  return new Set(hypotheses.filter((own) => own.metric === metric).flatMap(({ groups }) => groups.flat()));
}

function scatterByLoad(all: Iterable<CaseSeries>, upToRound: number): Map<string, Scatter[]> {
  const found = new Map<string, Scatter[]>();
  for (const { values, weight, like } of all) {
    const rounds = values.filter(({ round, value }) => round <= upToRound && Number.isFinite(value));
    const variance = sampleVariance(rounds.map(({ value }) => value));
    if (like === undefined || variance === null || rounds.length < LEAST_ROUNDS) continue;
    const half = variance.degreesOfFreedom / 2;
    const log = Math.log(Math.max(variance.value, LEAST_DEVIATION ** 2)) - digamma(half) + Math.log(half);
    // The trigamma function of half the degrees of freedom, by the first terms of its series.
    const own = { endpoint: like.endpoint, log: log + Math.log(weight), variance: 1 / half + 1 / (2 * half ** 2) };
    const known = found.get(like.load);
    if (known === undefined) found.set(like.load, [own]);
    else if (known.length < MOST_PEERS) known.push(own);
  }
  return found;
}

function weighed(
  group: readonly CaseSeries[],
  scatter: ReadonlyMap<string, readonly Scatter[]>,
): readonly CaseSeries[] {
  const peers = group.map(({ like }) =>
    like === undefined ? [] : (scatter.get(like.load) ?? []).filter(({ endpoint }) => endpoint !== like.endpoint),
  );
  if (peers.some(({ length }) => length < LEAST_PEERS)) return group;
  const means = peers.map((own) => mean(own.map(({ log }) => log)));
  const between = sampleVariance(means)!.value;
  const disagreement = peers.flatMap((own, index) => own.map(({ log }) => (log - means[index]!) ** 2));
  const degrees = sum(peers.map(({ length }) => length - 1));
  const ofOne = Math.max(sum(disagreement) / degrees, mean(peers.flat().map(({ variance }) => variance)));
  const chance = ofOne * mean(peers.map(({ length }) => 1 / length));
  const share = Math.max(0, 1 - chance / between);
  if (!(share > 0)) return group;
  const centre = mean(means);
  return group.map((own, index) => ({ ...own, weight: own.weight * Math.exp(-share * (means[index]! - centre)) }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
