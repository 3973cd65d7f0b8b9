import { leadInSeconds } from '../generators/k6/lead-in.ts';
import type { ResolvedSpec, WarmUp } from '../spec/resolved.ts';
import type { Case } from './case.ts';
import { EXPECTED_SECONDS } from './estimate.ts';

/**
 * Long enough for hundreds of scheduler periods and short enough that many instances fit into a budget. wrk stops on
 * ticks of 100 ms; k6 loses its first moments to opening connections, and its percentiles want more requests.
 */
export const DUET_SECONDS = { wrk: 2, k6: 3, ab: 0 } as const;

/** More of them in one instance teach little: what differs from start to start stays as it is. */
const MOST_DUETS = 4;

/** Number of the instance that the published figures are from; those that compare count from 1. */
export const PUBLISHING_INSTANCE = 0;

/** No interval gets much narrower by more of them. */
export const MOST_INSTANCES = 40;

/** One start of both sides, which serves all of its cases. */
export interface PlannedInstance {
  /** Duets, or pairs of slices in turn, of each case. */
  pairsEach: number;
  /** Of wall clock. */
  seconds: number;
}

/** What one instance of both sides does with these cases, the slices for published figures left out. */
export function plannedInstance(
  cases: readonly Case[],
  { database, load }: Pick<ResolvedSpec, 'database' | 'load'>,
  pairing: 'duet' | 'interleaved',
): PlannedInstance {
  const setUpSeconds = instanceSetUpSeconds(cases, database !== null, load.warmUp);
  const duetsSeconds = cases.reduce((sum, each) => sum + duetSeconds(each), 0);
  if (pairing === 'interleaved') return { pairsEach: 1, seconds: setUpSeconds + 2 * duetsSeconds };
  const pairsEach = duetsPerInstance(cases.length, setUpSeconds, duetsSeconds);
  return { pairsEach, seconds: setUpSeconds + pairsEach * duetsSeconds };
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
export function duetSeconds({ generator, load }: Case): number {
  const { generatorStart, duetRest, abRequestsPerSecond } = EXPECTED_SECONDS;
  const loadSeconds = load.generator === 'ab' ? load.requests / abRequestsPerSecond : DUET_SECONDS[generator];
  const leadIn = load.generator === 'k6' && load.arrival.kind !== 'vus' ? leadInSeconds : 0;
  return leadIn + loadSeconds + generatorStart + duetRest;
}
