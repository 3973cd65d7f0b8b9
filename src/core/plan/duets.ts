import { expectedDetectable } from '../comparison/foretelling.ts';
import { leadInSeconds } from '../generators/k6/lead-in.ts';
import type { ResolvedSpec, WarmUp } from '../spec/resolved.ts';
import type { Case, GeneratorName } from './case.ts';
import { instanceDeviation } from './deviation.ts';
import { EXPECTED_SECONDS } from './estimate.ts';

/** Seconds of each generator's duets; ab sends a number of requests instead. */
export type DuetLengths = Record<GeneratorName, number>;

/**
 * Long enough for hundreds of scheduler periods and short enough that many instances fit into a budget. k6 loses its
 * first moments to opening connections, and its percentiles want more requests.
 */
export const DUET_SECONDS: DuetLengths = { wrk: 2, k6: 3, ab: 0 };

const SHORT_DUET_SECONDS: DuetLengths = { wrk: 1, k6: 2, ab: 0 };

/** More of them in one instance teach little: what differs from start to start stays as it is. */
const MOST_DUETS = 4;

/** Number of the instance that the published figures are from; those that compare count from 1. */
export const PUBLISHING_INSTANCE = 0;

/** No interval gets much narrower by more of them. */
export const MOST_INSTANCES = 40;

/** One start of both sides, which serves all of its cases. */
export interface PlannedInstance {
  lengths: DuetLengths;
  /** Duets, or pairs of slices in turn, of each case. */
  pairsEach: number;
  /** Of wall clock. */
  seconds: number;
}

/**
 * What one instance of both sides does with these cases, the slices for published figures left out, in a service's part of
 * the budget: of all ways to divide it into instances the one that can be expected to show the smallest change. An instance
 * with fewer or shorter duets tells less, but of 3 instances hardly anything is decided whatever they tell: t with their 4
 * degrees of freedom, at the level of a large matrix, is 12 standard errors; with the 8 of 5 instances it is 6.
 */
export function plannedInstance(
  cases: readonly Case[],
  { database, load }: Pick<ResolvedSpec, 'database' | 'load'>,
  pairing: 'duet' | 'interleaved',
  budgetSeconds: number,
): PlannedInstance {
  const setUpSeconds = instanceSetUpSeconds(cases, database !== null, load.warmUp);
  const loading = (lengths: DuetLengths) => cases.reduce((sum, each) => sum + duetSeconds(each, lengths), 0);
  const instance = (lengths: DuetLengths, pairsEach: number): PlannedInstance => ({
    lengths,
    pairsEach,
    seconds: setUpSeconds + (pairing === 'duet' ? pairsEach : 2) * loading(lengths),
  });
  const most = pairing === 'duet' ? duetsPerInstance(cases.length, setUpSeconds, loading(DUET_SECONDS)) : 1;
  const ways = [
    ...Array.from({ length: most }, (_, index) => instance(DUET_SECONDS, most - index)),
    instance(SHORT_DUET_SECONDS, Math.min(most, 1)),
  ];
  const detectable = ways.map((way) => expectedOf(way, cases.length, budgetSeconds));
  // Of equals, and where nothing is to be seen anyway, the shortest.
  return ways[detectable.lastIndexOf(Math.min(...detectable))]!;
}

/** Usual parts of a full duet's variance: what differs from start to start, and from duet to duet. */
const USUAL_VARIANCE = { between: 0.1, within: 0.9 };

/** Smallest change that such instances show, in standard deviations of a full duet; infinite where two do not fit. */
function expectedOf({ lengths, pairsEach, seconds }: PlannedInstance, cases: number, budgetSeconds: number): number {
  const data = { pairs: Math.max(1, pairsEach), length: lengthShare(lengths, 'wrk'), together: 1 };
  const deviation = instanceDeviation(USUAL_VARIANCE, data);
  const instances = instancesWithin(budgetSeconds, seconds);
  // Two or three metrics of a case are gated.
  const questions = 2.5 * Math.max(1, cases);
  const told = { deviation, instances, questions, neighbours: Math.max(0, cases - 1), threshold: 0 };
  return expectedDetectable(told) ?? Number.POSITIVE_INFINITY;
}

/** Of full duets; ab sends the same number of requests in any. */
export function lengthShare(lengths: DuetLengths, generator: GeneratorName): number {
  return DUET_SECONDS[generator] === 0 ? 1 : lengths[generator] / DUET_SECONDS[generator];
}

/** How many instances a budget is enough for: one at least, which is measured whatever it takes. */
export function instancesWithin(budgetSeconds: number, secondsEach: number): number {
  return Math.max(1, Math.min(MOST_INSTANCES, Math.floor(budgetSeconds / secondsEach)));
}

/**
 * How many duets a case gets in one instance: so many that loading takes about as long as bringing the instance up. A
 * matrix of one case would otherwise spend its budget on starting containers.
 */
export function duetsPerInstance(caseCount: number, setUpSeconds: number, slicesSeconds: number): number {
  if (caseCount === 0) return 0;
  return Math.max(1, Math.min(MOST_DUETS, Math.round(setUpSeconds / slicesSeconds)));
}

/** Until both sides of an instance are up, checked and warm; and away again. */
export function instanceSetUpSeconds(cases: readonly Case[], hasDatabase: boolean, warmUp: WarmUp): number {
  const { serviceStart, databaseStart, serviceStop, verification, warmUpTogether } = EXPECTED_SECONDS;
  const endpoints = new Set(cases.map(({ endpoint, route }) => `${endpoint.name} ${route}`)).size;
  const warmUps = new Set(cases.map(warmUpKey)).size;
  const warm = warmUp.kind === 'auto' ? warmUpTogether : warmUp.seconds;
  const starts = 2 * (serviceStart + serviceStop + (hasDatabase ? databaseStart : 0));
  return starts + endpoints * 2 * verification + warmUps * warm;
}

/** Cases with the same key are warmed up by one of them. */
export function warmUpKey({ endpoint, route, keepAlive }: Case): string {
  return `${endpoint.name} ${route} ${keepAlive}`;
}

/** One duet, with what it takes to start its generators and to look at the answers. */
export function duetSeconds({ generator, load }: Case, lengths: DuetLengths): number {
  const { generatorStart, duetRest, abRequestsPerSecond } = EXPECTED_SECONDS;
  const loadSeconds = load.generator === 'ab' ? load.requests / abRequestsPerSecond : lengths[generator];
  const leadIn = load.generator === 'k6' && load.arrival.kind !== 'vus' ? leadInSeconds : 0;
  return leadIn + loadSeconds + generatorStart + duetRest;
}
