import type { RoundLogRatio } from '../statistics/round-log-ratio.ts';

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
  /** That the threshold is a mean over cases with unlike ones, by the weights that they have beforehand. */
  keepsWeights?: boolean;
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
  /** How much the case has to say within its group, as far as is known beforehand: it must not depend on these values. */
  weight: number;
  /** Cases of other endpoints with the same load tell how much this one scatters; absent where it counts by `weight` alone. */
  like?: { endpoint: string; load: string };
}
