import { mean } from '../statistics/moderated-variance.ts';

/**
 * What a metric is judged for. What must be decided is the service and each endpoint; a case by itself is red when it shows a
 * regression, and holds up nothing when it does not.
 *
 *     service    /ping and /users together                 a change of everything is seen at once
 *     endpoint   /ping           /users                    a change of one endpoint soon
 *     case       100  1000 …     100  1000 …               a change that only one way of asking shows is still found
 */
export type Level = 'case' | 'endpoint' | 'service';

/** That a metric of a service, an endpoint or a case did not change. */
export interface Hypothesis {
  id: string;
  level: Level;
  metric: string;
  /** A series for each case that it is about, in groups: for a service a group is an endpoint, and each has the same say. */
  groups: readonly (readonly CaseSeries[])[];
  /** ln(1 + limit), 0 or more. */
  threshold: number;
  /** How far down an improvement begins, 0 or more; `threshold` where absent. */
  improvement?: number;
  /** Of the family's error rate: all shares of a family add up to 1 at most. */
  share: number;
  /** Another one that must have been called a regression before this one may: both then spend the same share. Null for none. */
  after: string | null;
}

export interface CaseSeries {
  /** ln(candidate/baseline) of each round, turned so that up is worse; in order of round. */
  values: readonly RoundLogRatio[];
  /** How much the case has to say within its group. Known beforehand: it must not depend on these values. */
  weight: number;
}

export interface RoundLogRatio {
  round: number;
  value: number;
}

/** One value for each round, up to one of them: what is known later must not change an earlier look. */
export function roundValues({ groups }: Pick<Hypothesis, 'groups'>, upToRound: number): number[] {
  const isSeen = ({ round, value }: RoundLogRatio) => round <= upToRound && Number.isFinite(value);
  const each = groups.map((group) => ({
    values: together(group.map(({ values, weight }) => ({ values: values.filter(isSeen), weight }))),
    weight: 1,
  }));
  return together(each).map(({ value }) => value);
}

/**
 * A value for each round that holds half of the weight at least: less is another load. A case that is missing from a round
 * takes nothing with it by which it differs from the others in all rounds alike:
 *
 *     value of a round = mean over all cases of their means + mean over the round's cases of what each is beyond its mean
 */
function together(series: readonly CaseSeries[]): RoundLogRatio[] {
  const measured = series.filter(({ values }) => values.length > 0);
  const [only] = measured;
  if (only === undefined || measured.length === 1) return [...(only?.values ?? [])];
  const all = weightOf(measured);
  const means = measured.map(({ values }) => mean(values.map(({ value }) => value)));
  const level = measured.reduce((sum, { weight }, index) => sum + weight * means[index]!, 0) / all;
  const rounds = new Map<number, { weight: number; beyond: number }>();
  for (const [index, { values, weight }] of measured.entries()) {
    for (const { round, value } of values) {
      const known = rounds.get(round) ?? { weight: 0, beyond: 0 };
      const beyond = known.beyond + weight * (value - means[index]!);
      rounds.set(round, { weight: known.weight + weight, beyond });
    }
  }
  return [...rounds]
    .filter(([, { weight }]) => weight >= all / 2)
    .sort(([one], [other]) => one - other)
    .map(([round, { weight, beyond }]) => ({ round, value: level + beyond / weight }));
}

function weightOf(series: readonly CaseSeries[]): number {
  return series.reduce((sum, { weight }) => sum + weight, 0);
}
