import { expectedDetectable } from '../comparison/foretelling.ts';
import { type EndpointLoad, gatedOn, isExact, isFixedRate, isTail } from '../comparison/gating.ts';
import { changeLimit, limitsFor, logBorders } from '../comparison/thresholds.ts';
import { serviceErrorRate } from '../comparison/undecided.ts';
import { type LimitGroup, limitGroups } from '../comparison/whole-service-key.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metrics } from '../metrics/registry.ts';
import type { Limit, ResolvedSpec } from '../spec/resolved.ts';
import { median } from '../statistics/quantile.ts';
import type { Case, Plan, PlannedStage } from './case.ts';
import { expectedDeviation } from './deviation.ts';
import type { Deviation } from './deviations.ts';
import { instancesWithin, lengthShare, type PlannedInstance, plannedInstance } from './duets.ts';
import { tailOutlook } from './tail-outlook.ts';

/** What comparing one service with a baseline takes, and what it can be expected to show. */
export interface Foretelling {
  service: string;
  pairing: 'duet' | 'interleaved';
  /** This service's part of the budget. */
  budgetSeconds: number;
  instance: PlannedInstance;
  /** That the budget is enough for, were no case decided before. */
  instances: number;
  /** In the order of the plan, and of reports. */
  questions: ForetoldQuestion[];
  /** Metrics that are limited and compared exactly: every difference beyond their limit shows. */
  exact: { metric: MetricDefinition; limit: Limit }[];
}

/** One gated metric of one case, or of all cases of a service with the same limit together. */
export interface ForetoldQuestion {
  /** What a comparison calls it: of a case, or `SERVICE/*`. */
  key: string;
  case: Case;
  /** How many cases are asked together, `case` being the first of them; null for a case by itself. */
  together: number | null;
  metric: MetricDefinition;
  limit: Limit;
  /** ln(1 + limit), turned so that up is worse; null where the limit is a quantity, whose share is not known yet. */
  threshold: number | null;
  /** Of an instance, as a logarithm; null where nothing like it was recorded. */
  deviation: number | null;
  /** How far beyond the threshold a change is called in nine of ten cases, as a logarithm; null as `deviation`, and with one instance. */
  beyond: number | null;
  note: string | null;
}

/** From so many instances on a run looks whether its questions are decided; fewer have one look, at the end. */
export const FEW_INSTANCES = 5;

/** What is known better than a spec tells. */
export interface Known {
  instances?: number;
  /** Of an endpoint's name; where absent, every endpoint of a spec with a database is taken to ask it. */
  asksDatabase?(endpoint: string): boolean;
  /** How null comparisons scatter; `DEVIATIONS` where absent. */
  deviations?: readonly Deviation[];
}

/**
 * For each service that is compared, in the order of the plan. `minimumDetectable` of a comparison tells the same of what was
 * measured, as long as its case was open until the budget ended: one that is decided sooner was held to fewer instances.
 */
export function foretoldOf(spec: ResolvedSpec, { stages }: Pick<Plan, 'stages'>, known: Known = {}): Foretelling[] {
  const subjects = stages.filter(({ service, cases }) => service.role === 'subject' && cases.length > 0);
  return subjects.map((stage) => foretold(spec, stage, spec.gate.budgetSeconds / subjects.length, known));
}

/** Whether the spec asks for a comparison of anything that the plan holds. */
export function isCompared({ gate: { baseline } }: ResolvedSpec, foretold: readonly Foretelling[]): boolean {
  return baseline !== 'none' && foretold.length > 0;
}

/** Of the budget of a whole run with so many services. */
export function secondsForInstances({ instance }: Foretelling, instances: number, services: number): number {
  return Math.ceil(instances * instance.seconds) * services;
}

function foretold(
  spec: ResolvedSpec,
  { service, cases }: PlannedStage,
  budgetSeconds: number,
  { instances: given, asksDatabase = () => spec.database !== null, deviations }: Known,
): Foretelling {
  const pairing = spec.gate.pairing ?? 'duet';
  const instance = plannedInstance(cases, spec, pairing, budgetSeconds);
  const { lengths } = instance;
  const instances = given ?? instancesWithin(budgetSeconds, instance.seconds);
  const judged = judgedMetrics(spec, cases, asksDatabase);
  const asked = judged.filter(({ metric }) => !isExact(metric));
  const whole = wholeServices(service.name, asked);
  const size = asked.length + whole.length;
  const groups = asked.map(({ case: { generator }, metric }) => `${metric.name} ${generator}`);
  const deviationOf = ({ case: { generator, keepAlive, connections, endpoint }, metric }: Judged, together: number) =>
    expectedDeviation(
      {
        metric: metric.name,
        generator,
        pairing,
        asksDatabase: asksDatabase(endpoint.name),
        keepAlive,
        connections,
      },
      { pairs: instance.pairsEach, length: lengthShare(lengths, generator), together },
      deviations,
    );
  const question = (one: Judged, deviation: number | null, neighbours: number): ForetoldQuestion => {
    const told = { instances, questions: size, neighbours, threshold: 0, errorRate: serviceErrorRate({ spec }) };
    const tail = isTail(one.metric) ? tailOutlook(one.case, instance) : null;
    const beyond =
      deviation === null || tail?.mayBeEnough === false ? null : expectedDetectable({ ...told, deviation });
    const note = [one.note, tail?.note ?? null].filter((each) => each !== null).join('; ');
    const { key } = one.case;
    return {
      key,
      together: null,
      ...one,
      threshold: thresholdOf(one),
      deviation,
      beyond,
      note: note === '' ? null : note,
    };
  };
  const questions = [
    ...asked.flatMap((one, index) => {
      if (whole.some(({ own }) => own.includes(one))) return [];
      const neighbours = groups.filter((group) => group === groups[index]).length - 1;
      return [question(one, deviationOf(one, 1), neighbours)];
    }),
    ...whole.map(({ key, own }) => {
      const known = own.flatMap((one) => deviationOf(one, own.length) ?? []);
      const told = question({ ...own[0]!, note: null }, known.length === 0 ? null : median(known), 0);
      return { ...told, key, together: own.length };
    }),
  ];
  const exact = new Map(judged.filter(({ metric }) => isExact(metric)).map((one) => [one.metric.name, one]));
  return {
    service: service.name,
    pairing,
    budgetSeconds,
    instance,
    instances,
    questions,
    exact: [...exact.values()].map(({ metric, limit }) => ({ metric, limit })),
  };
}

/** What is of the process is told of all cases with the same limit, as it is judged (`comparison/whole-service.ts`). */
function wholeServices(service: string, asked: readonly Judged[]): LimitGroup<Judged>[] {
  const all = new Set(asked.flatMap(({ metric }) => (metric.ofProcess === true ? [metric] : [])));
  return [...all].flatMap((metric) => {
    const limited = asked.filter((one) => one.metric === metric);
    return limitGroups(service, limited, ({ limit }) => limit).filter(({ own }) => own.length > 1);
  });
}

type Judged = Pick<ForetoldQuestion, 'case' | 'metric' | 'limit' | 'note'>;

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
      if (!limit || gated === null || metric.name === 'errors' || !isMeasured(metric, spec)) return [];
      return [{ case: each, metric, limit, note: gated.note }];
    });
  });
}

function endpointLoad(one: Case, cases: readonly Case[], sendsStatements: boolean): EndpointLoad {
  const same = cases.filter((each) => each.endpoint.name === one.endpoint.name && each.route === one.route);
  return { wrk: same.some(({ generator }) => generator === 'wrk'), fixedRate: same.some(isFixedRate), sendsStatements };
}

/** What only a database tells of is not there without one. */
function isMeasured({ name }: MetricDefinition, { database }: ResolvedSpec): boolean {
  return database !== null || !['queries-per-request', 'rows-per-request', 'database-cpu-per-request'].includes(name);
}

function thresholdOf({ metric, limit }: Judged): number | null {
  return limit.kind === 'absolute' && limit.value !== 0 ? null : logBorders(metric, limit, 1).worse;
}
