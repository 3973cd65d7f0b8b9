import type { Case } from '../config/case.ts';
import type { ResolvedSpec, WarmUp } from '../config/resolved.ts';
import type { GeneratorName } from '../generators/registry.ts';
import { generators } from '../generators/registry.ts';
import { EXPECTED_SECONDS } from './estimate.ts';

/** Seconds of each generator's duets; 0 of one that sends a number of requests instead. */
export type DuetLengths = Record<GeneratorName, number>;

const lengthsBy = (kind: 'duet' | 'shortDuet' | 'shortSolo') =>
  Object.fromEntries(Object.values(generators).map(({ name, seconds }) => [name, seconds[kind]])) as DuetLengths;

/** What a start of both sides is worth is soon told by trials of a second. */
export const DUET_SECONDS = lengthsBy('duet');

/** Of a matrix so large that with longer ones the longest budget would not be enough for `USUAL_ROUNDS`. */
export const SHORT_DUET_SECONDS = lengthsBy('shortDuet');

/** Some more than the first look takes. */
const USUAL_ROUNDS = 10;

/** Shorter comparisons would show little on a machine that is busier than usual; longer ones nobody waits for. */
export const AUTO_BUDGET_SECONDS = { least: 120, most: 720 } as const;

/** What `auto` takes at most until there are rounds enough for a verdict: of a large matrix, or on a machine that is busier than usual. */
export const MOST_SECONDS_TO_VERDICT = 900;

/** What `auto` takes at most once a regression is found: the next run can decide what is left open. */
export const RED_SECONDS = 300;

/** Of the trials of each side alone where only the change is of interest, as in a pull request. */
export const SHORT_SOLO_SECONDS = lengthsBy('shortSolo');

/** More of them in one round teach little: what differs from start to start stays as it is. */
const MOST_DUETS = 4;

/** No interval gets much narrower by more of them. */
export const MOST_ROUNDS = 60;

/** One start of both sides, which serves all of its cases. */
export interface PlannedRound {
  lengths: DuetLengths;
  /** Duets, or pairs of solo trials in turn, of each case. */
  pairsEach: number;
  /** Of wall clock. */
  seconds: number;
}

/**
 * What one round of both sides does with these cases, the trials for published figures left out. A verdict rests on rounds, so
 * each is as short as it can be: a matrix of few cases loads about as long as it takes to start, a large one each case once.
 * `lengths` are those of the matrix that the cases are left of.
 */
export function plannedRound(
  cases: readonly Case[],
  spec: Pick<ResolvedSpec, 'database' | 'load'>,
  pairing: 'duet' | 'interleaved',
  lengths: DuetLengths = duetLengths(cases, spec),
): PlannedRound {
  const setUpSeconds = roundSetUpSeconds(cases, spec.database !== null, spec.load.warmUp);
  const loadSeconds = loadSecondsOf(cases, lengths);
  const pairsEach = pairing === 'duet' ? duetsPerRound(cases.length, setUpSeconds, loadSeconds) : 1;
  return { lengths, pairsEach, seconds: setUpSeconds + (pairing === 'duet' ? pairsEach : 2) * loadSeconds };
}

/** Trials as long as they are worth it, and shorter where `USUAL_ROUNDS` of a service by itself would else take too long. */
export function duetLengths(
  cases: readonly Case[],
  { database, load }: Pick<ResolvedSpec, 'database' | 'load'>,
): DuetLengths {
  const seconds = roundSetUpSeconds(cases, database !== null, load.warmUp) + loadSecondsOf(cases, DUET_SECONDS);
  return USUAL_ROUNDS * seconds <= AUTO_BUDGET_SECONDS.most ? DUET_SECONDS : SHORT_DUET_SECONDS;
}

function loadSecondsOf(cases: readonly Case[], lengths: DuetLengths): number {
  return cases.reduce((sum, each) => sum + duetSeconds(each, lengths), 0);
}

/** How many rounds a budget is enough for: one at least, which is measured whatever it takes. */
export function roundsWithin(budgetSeconds: number, secondsEach: number): number {
  return Math.max(1, Math.min(MOST_ROUNDS, Math.floor(budgetSeconds / secondsEach)));
}

/**
 * How many duets a case gets in one round: so many that loading takes about as long as bringing both sides up. A matrix of one
 * case would otherwise spend its budget on starting containers.
 */
export function duetsPerRound(caseCount: number, setUpSeconds: number, loadSeconds: number): number {
  if (caseCount === 0) return 0;
  return Math.max(1, Math.min(MOST_DUETS, Math.round(setUpSeconds / loadSeconds)));
}

/** Until both sides are up, asked and warm; and away again. */
export function roundSetUpSeconds(cases: readonly Case[], hasDatabase: boolean, warmUp: WarmUp): number {
  const { roundStart, roundDatabase, briefVerification, warmUpTogether } = EXPECTED_SECONDS;
  const endpoints = new Set(cases.map(endpointKey)).size;
  const warm = warmUp.kind === 'auto' ? Math.min(warmUpTogether, mostWarmUpSeconds(endpoints)) : warmUp.seconds;
  return roundStart + (hasDatabase ? roundDatabase : 0) + endpoints * (2 * briefVerification + warm);
}

/** Of a whole round, seconds: what its endpoints have in common, each of them warms up for the others. */
const WARM_UP_OF_ALL = 2;
const WARM_UP_OF_EACH = { least: 0.5, most: 1.5 } as const;

/**
 * How long a round after the first warms up an endpoint of so many at most. CPU per request of two equal Node.js servers with four
 * endpoints scattered by 1 to 2.5 % over the cases of each after 0.5 s of warm-up, and by 1 to 3 % after 1.5 s.
 */
export function mostWarmUpSeconds(endpoints: number): number {
  return Math.min(WARM_UP_OF_EACH.most, Math.max(WARM_UP_OF_EACH.least, WARM_UP_OF_ALL / endpoints));
}

/** Cases with the same key are warmed up by one of them. */
export function endpointKey({ endpoint, route }: Pick<Case, 'endpoint' | 'route'>): string {
  return `${route} ${endpoint.name}`;
}

/** One duet, with what it takes to start its generators and to look at the answers. */
export function duetSeconds({ generator, load }: Case, lengths: DuetLengths): number {
  const { seconds } = generators[generator];
  const loadSeconds = lengths[generator] || seconds.load(load);
  return seconds.leadInOfDuet(load) + loadSeconds + seconds.start + EXPECTED_SECONDS.duetRest;
}
