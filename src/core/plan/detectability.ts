import { serviceErrorRate } from '../comparison/error-rates.ts';
import { familyOf } from '../comparison/family.ts';
import { type EndpointLoad, gatedOn, isExact, isFixedRate, isGatingLoop } from '../comparison/gating.ts';
import type { Level } from '../comparison/hypothesis.ts';
import { usualThreshold } from '../comparison/sensitivity.ts';
import { changeLimit, limitsFor, logBorders } from '../comparison/thresholds.ts';
import { endpointKey, limitGroups, serviceKey } from '../comparison/unit-key.ts';
import { isUnmeasuredIn } from '../comparison/unmeasured-in-duets.ts';
import type { Case } from '../config/case.ts';
import { pairingOf } from '../config/pairing.ts';
import type { Limit, ResolvedSpec } from '../config/resolved.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metrics } from '../metrics/registry.ts';
import { analysesUpTo, FIRST_ANALYSIS_ROUNDS } from '../statistics/interim-analyses.ts';
import { MOST_PRIOR } from '../statistics/moderated-variance.ts';
import { detectableBeyond } from '../statistics/round-mean.ts';
import { DUET_SECONDS, MOST_ROUNDS, type PlannedRound, plannedRound, roundsWithin } from './duets.ts';
import { expectedDeviations, type NoiseProfileRow, roundDeviation } from './expected-deviation.ts';
import type { Plan, PlannedService } from './plan.ts';
import { tailOutlook } from './tail-outlook.ts';

/** What comparing one service with a baseline takes, and the smallest changes that it can be expected to show. */
export interface Detectability {
  service: string;
  pairing: 'duet' | 'interleaved';
  /** This service's part of the budget. */
  budgetSeconds: number;
  round: PlannedRound;
  /** That the budget is enough for, were nothing decided before. */
  rounds: number;
  /** In the order of the metrics, and of reports. */
  units: DetectableUnit[];
  /** Metrics that are limited and compared exactly: every difference beyond their limit shows. */
  exact: { metric: MetricDefinition; limit: Limit }[];
}

/** One gated metric of a service, an endpoint or a case. */
export interface DetectableUnit {
  /** What a comparison calls it. */
  key: string;
  level: Level;
  metric: MetricDefinition;
  limit: Limit;
  cases: readonly Case[];
  /** ln(1 + limit), turned so that up is worse; null where the limit is a quantity, whose share is not known yet. */
  threshold: number | null;
  /** Of a round, as a logarithm; null where nothing like it was recorded. */
  deviation: number | null;
  /** Of the error rate of the service. */
  share: number;
  /** Degrees of freedom that units of the same level and metric lend; a service has none beside it. */
  lent: number;
  /** How far beyond the threshold a change is called in nine of ten runs, as a logarithm; null as `deviation`, and with too few rounds. */
  beyond: number | null;
  note: string | null;
}

/** What is known better than a spec tells. */
export interface KnownFigures {
  rounds?: number;
  /** Of an endpoint's name; where absent, every endpoint of a spec with a database is taken to ask it. */
  asksDatabase?(endpoint: string): boolean;
  /** How null comparisons scatter; the recorded noise profile where absent. */
  noiseProfile?: readonly NoiseProfileRow[];
}

/** For each service that is compared, in the order of the plan; `budgetSeconds` is that of the whole run. */
export function detectabilityOf(
  spec: ResolvedSpec,
  { services }: Pick<Plan, 'services'>,
  budgetSeconds: number,
  known: KnownFigures = {},
): Detectability[] {
  const subjects = subjectsOf(services);
  return subjects.map((planned) => detectability(spec, planned, budgetSeconds / subjects.length, known));
}

export function subjectsOf(services: readonly PlannedService[]): PlannedService[] {
  return services.filter(({ service, cases }) => service.role === 'subject' && cases.length > 0);
}

/** Whether the spec asks for a comparison of anything that the plan holds. */
export function isCompared({ gate: { baseline } }: ResolvedSpec, found: readonly Detectability[]): boolean {
  return baseline !== 'none' && found.length > 0;
}

function detectability(
  spec: ResolvedSpec,
  planned: PlannedService,
  budgetSeconds: number,
  known: KnownFigures,
): Detectability {
  const pairing = pairingOf(spec) ?? 'duet';
  const round = plannedRound(planned.cases, spec, pairing);
  const rounds = known.rounds ?? roundsWithin(budgetSeconds, round.seconds);
  const judged = judgedMetrics(spec, planned.cases, known.asksDatabase ?? (() => spec.database !== null));
  // What is watched takes its part of the error rate, and no comparison goes on until it shows.
  const units = unitsOf(planned.service.name, judged, { spec, pairing, round, known }).filter(
    ({ limit }) => !limit.watched,
  );
  const errorRate = serviceErrorRate({ spec });
  return {
    service: planned.service.name,
    pairing,
    budgetSeconds,
    round,
    rounds,
    units: units.map((unit) => ({ ...unit, beyond: beyondOf(unit, rounds, errorRate, round) })),
    exact: [
      ...new Map(judged.flatMap((one) => (isExact(one.metric) ? [[one.metric.name, one] as const] : []))).values(),
    ].map(({ metric, limit }) => ({ metric, limit })),
  };
}

/** Rounds are not quite independent and normal, and what is found of that is allowed for: as seen with twelve rounds or so. */
const USUAL_ALLOWANCE = 1.1;

/** Null with fewer rounds than a verdict takes. `lent`: degrees of freedom that neighbours lend (`moderatedVariance`). */
function beyondWithin(deviation: number, rounds: number, level: number, lent = 0): number | null {
  if (rounds < FIRST_ANALYSIS_ROUNDS) return null;
  const standardError = (USUAL_ALLOWANCE * deviation) / Math.sqrt(rounds);
  const known = { mean: 0, standardError, degreesOfFreedom: rounds - 1 + lent, count: rounds, skewness: 0 };
  const { share } = analysesUpTo(rounds, true).at(-1)!;
  return detectableBeyond(known, level * share);
}

function beyondOf(unit: Unit, rounds: number, errorRate: number, round: PlannedRound): number | null {
  return isSeeable(unit, round) ? beyondWithin(unit.deviation, rounds, errorRate * unit.share, unit.lent) : null;
}

/** Whether any number of rounds shows changes of it, and it is known how many. */
function isSeeable(unit: Unit, round: PlannedRound): unit is Unit & { deviation: number } {
  return unit.deviation !== null && tailOutlook(unit.metric, unit.cases[0]!, round)?.mayBeEnough !== false;
}

/**
 * Rounds until each limit of a service and its endpoints is seen twice over, as far as it is seen at all; null where `MOST_ROUNDS`
 * are too few. What is exact shows in the first. The share of a quantity is not known: such a limit asks for as much as the default one.
 */
export function roundsNeeded({ units, round }: Detectability, errorRate: number): number | null {
  const judged = units.filter((unit) => unit.level !== 'case').filter((unit) => isSeeable(unit, round));
  if (judged.length === 0) return 1;
  const isSeen = (rounds: number) =>
    judged.every((unit) => {
      const beyond = beyondWithin(unit.deviation, rounds, errorRate * unit.share, unit.lent);
      return beyond !== null && beyond <= (unit.threshold || usualThreshold(unit.metric));
    });
  for (let rounds = FIRST_ANALYSIS_ROUNDS; rounds <= MOST_ROUNDS; rounds += 1) if (isSeen(rounds)) return rounds;
  return null;
}

type Judged = Pick<DetectableUnit, 'metric' | 'limit' | 'note'> & { case: Case };
type Unit = Omit<DetectableUnit, 'beyond'>;

interface Setting {
  spec: ResolvedSpec;
  pairing: 'duet' | 'interleaved';
  round: PlannedRound;
  known: KnownFigures;
}

/** As a comparison makes them out of its cases (`comparison/levels.ts`). */
function unitsOf(service: string, judged: readonly Judged[], setting: Setting): Unit[] {
  const asked = judged.filter(({ metric }) => !isExact(metric));
  const found: (Omit<Unit, 'share' | 'lent'> & { sameData: string | null })[] = [];
  const add = (key: string, level: Level, own: readonly Judged[], endpoints: number) => {
    const { metric, limit, note } = own[0]!;
    const cases = own.map((each) => each.case);
    const ofTail = tailOutlook(metric, cases[0]!, setting.round)?.note ?? null;
    const isDirect = cases.every(({ route }) => route === 'direct');
    const isOfDuets = setting.pairing === 'duet' && metric.sameDataAs !== null && isDirect;
    found.push({
      key,
      level,
      metric,
      limit,
      note: [note, ofTail].filter((each) => each !== null).join('; ') || null,
      cases,
      threshold: thresholdOf(own[0]!),
      deviation: deviationOf(metric, cases, endpoints, setting),
      sameData: isOfDuets ? cases.map((each) => each.key).join(' ') : null,
    });
  };
  // Nobody has recorded how a start scatters.
  const watched = asked.filter(({ limit, metric }) => limit.watched && !metric.ofProcess);
  for (const one of watched) add(one.case.key, 'case', [one], 1);
  for (const metric of new Set(asked.map((one) => one.metric))) {
    const all = asked.filter((one) => one.metric === metric && !one.limit.watched);
    for (const { key, own } of limitGroups(serviceKey(service), all, ({ limit }) => limit)) {
      const endpoints = new Map<string, Judged[]>();
      for (const one of own) {
        const name = one.case.endpoint.name;
        endpoints.set(name, [...(endpoints.get(name) ?? []), one]);
      }
      if (metric.ofProcess ? own.length > 1 : endpoints.size > 1) add(key, 'service', own, endpoints.size);
      for (const [name, cases] of endpoints) {
        if (!metric.ofProcess && cases.length > 1) add(endpointKey(service, name), 'endpoint', cases, 1);
        const level: Level = metric.ofProcess
          ? own.length > 1
            ? 'case'
            : 'endpoint'
          : cases.length > 1
            ? 'case'
            : 'endpoint';
        for (const one of cases) add(one.case.key, level, [one], 1);
      }
    }
  }
  const shares = new Map(
    familyOf(
      found.map(({ key, level, metric, threshold, sameData }) => ({
        ...{ id: `${key} ${metric.name}`, level, metric: metric.name, groups: [] },
        ...{ threshold: threshold ?? 0, sameData },
      })),
    ).map(({ id, share }) => [id, share]),
  );
  return found.map(({ sameData: _, ...unit }) => {
    const isNeighbour = (other: (typeof found)[number]) => other.level === unit.level && other.metric === unit.metric;
    const lent = unit.level !== 'service' && found.filter(isNeighbour).length > 1 ? MOST_PRIOR : 0;
    return { ...unit, lent, share: shares.get(`${unit.key} ${unit.metric.name}`)! };
  });
}

function deviationOf(
  metric: MetricDefinition,
  cases: readonly Case[],
  endpoints: number,
  setting: Setting,
): number | null {
  const { spec, pairing, round, known } = setting;
  const asksDatabase = known.asksDatabase ?? (() => spec.database !== null);
  const each = cases.map(({ generator, keepAlive, connections, endpoint }) => {
    const found = expectedDeviations(
      { metric: metric.name, generator, pairing, asksDatabase: asksDatabase(endpoint.name), keepAlive, connections },
      known.noiseProfile,
    );
    // Recorded of trials as long as they usually are.
    const shorter = DUET_SECONDS[generator] / (round.lengths[generator] || 1);
    return found === null ? null : { ...found, within: found.within * Math.sqrt(Math.max(1, shorter)) };
  });
  const recorded = each.flatMap((one) => one ?? []);
  if (recorded.length < each.length) return null;
  return roundDeviation(recorded, {
    pairs: round.pairsEach,
    endpoints,
    ofProcess: metric.ofProcess && cases.length > 1,
  });
}

/** What the gate will judge of each case, by the rules that it goes by itself. */
function judgedMetrics(
  spec: ResolvedSpec,
  cases: readonly Case[],
  asksDatabase: (endpoint: string) => boolean,
): Judged[] {
  return cases.flatMap((each) => {
    const { endpoint, service, key } = each;
    const load = endpointLoad(each, cases, asksDatabase(endpoint.name));
    return metrics.flatMap((metric): Judged[] => {
      const limits = limitsFor(spec.gate, [key, service.name, endpoint.path], metric.name);
      const limit = changeLimit(metric, limits) ?? (isExact(metric) ? limits.maxDecrease : null);
      const gated = gatedOn(metric, each, load);
      if (!limit || gated === null || metric.limitedByLevelAlone || !isMeasured(metric, spec)) return [];
      if (isUnmeasuredIn(pairingOf(spec) ?? 'duet', metric)) return [];
      return [{ case: each, metric, limit, note: gated.note }];
    });
  });
}

function endpointLoad(one: Case, cases: readonly Case[], sendsStatements: boolean): EndpointLoad {
  const same = cases.filter((each) => each.endpoint.name === one.endpoint.name && each.route === one.route);
  return {
    closedLoop: same.some(isGatingLoop),
    fixedRate: same.some(isFixedRate),
    sendsStatements,
  };
}

/** What only a database tells of is not there without one. */
function isMeasured({ needsDatabase }: MetricDefinition, { database }: ResolvedSpec): boolean {
  return database !== null || !needsDatabase;
}

function thresholdOf({ metric, limit }: Judged): number | null {
  return limit.kind === 'absolute' && limit.value !== 0 ? null : logBorders(metric, limit, 1).worse;
}
