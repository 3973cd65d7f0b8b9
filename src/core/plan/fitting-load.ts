import { load, PRESETS } from '../config/load.ts';
import { pairingOf } from '../config/pairing.ts';
import type { Load, ResolvedSpec } from '../config/resolved.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../statistics/interim-analyses.ts';
import { ratioOf, secondsOf } from '../values/units.ts';
import { budgetSecondsOf } from './budget.ts';
import { MOST_SECONDS_TO_VERDICT, plannedRound } from './duets.ts';
import { planOf } from './plan.ts';
import { pullRequestSeconds } from './pull-request-time.ts';

/** What one endpoint of a service was seen to answer. */
export interface EndpointCapacity {
  /** Its name in the spec. */
  endpoint: string;
  /** Held by a closed loop of a few connections. */
  requestsPerSecond: number;
  /** Median of one connection by itself; null where that was not measured. */
  aloneMs: number | null;
}

/** Cases for each endpoint that a service answers in time, and a verdict on them that nobody waits too long for. */
export interface FittingLoad {
  /** Null for the standard matrix: the service holds it. */
  shape: LoadShape | null;
  /** Of those that are loaded, the one that answers least. */
  dearest: EndpointCapacity;
  /** Why k6 is not part of the shape; null where it is, and with the standard matrix. */
  withoutK6: 'too few requests' | 'too little time' | null;
  /** That each side of the dearest endpoint is sent by k6 in the longest trial of both. */
  k6Requests: number;
  /** For `gate.budget`; null where the automatic one keeps the wait short enough, or no budget does. */
  budgetSeconds: number | null;
  /** What a pull request waits, at most where there is a budget, images being built. */
  waitSeconds: number;
  /** Whether a pull request waits for `MOST_WAIT_SECONDS` at most. */
  isInTime: boolean;
  /** Whether a round holds too few answers for the usual limits to be decided. */
  needsWiderLimits: boolean;
  /** Endpoints that a trial of both sides would see a handful of answers from: better not loaded at all. */
  tooSlow: EndpointCapacity[];
}

export interface LoadShape {
  connections: number[];
  keepAlive: ('on' | 'off')[];
  timeoutSeconds: number;
  /** Null without k6. */
  k6Connections: number | null;
}

/** Nobody waits longer for a pull request without looking elsewhere. */
export const MOST_WAIT_SECONDS = 480;
/** Of the capacity. */
export const K6_RATE = '60%' satisfies (typeof PRESETS.standard.k6)['rate'];
/** Of each side in a trial: the median of fewer says little. */
export const LEAST_K6_REQUESTS = 50;

/**
 * Per second. From round to round, CPU per request of one case scattered by 4.6 %, throughput by 5.8 % and the median latency at a fixed
 * rate by 7.0 %: medians of 131 cases of ten applications (`fixtures/applications`), nearly all of which answer fewer. Changes within the
 * usual limits are then undecided after all of the budget.
 */
const LEAST_FOR_USUAL_LIMITS = 1000;
/** In percent: by these, most endpoints of those applications that had not changed were decided after 8 rounds, and few by the usual ones. */
export const WIDER_LIMITS = { cpuPerRequest: 5, throughput: 10, latencyP50: 10 };

/**
 * So many times as long as a request takes at most with all connections waiting: both sides of a duet take twice as long, and half of
 * what is left then is for the requests that take longer than others.
 */
const ROOM = 8;
/**
 * An application is saturated by two to four times as many connections as it has workers. Where its pool holds more connections to the
 * database than wait, it opens and closes some by chance: CPU per request of Miniflux scattered by 4 to 13 % from round to round at 16
 * connections, and by 1 to 2.4 % at 64. Of one number alone it is therefore the largest that fits.
 */
const SMALL = 16;
const LARGE = 64;
/** Two workers are saturated by these. Where they do not fit, an answer may take longer; more would only make trials longer. */
const FEWEST = 4;
const TIMEOUTS = { usual: 2, long: 5 };
/** Per second: opening a connection is little beside what answers of fewer take. */
export const LEAST_FOR_CLOSING = 1000;
/** Per second: a trial of both sides, 4 s at the longest, sees four of each. */
const LEAST_LOADABLE = 2;
/** Rounds of this machine, so that a slower one still comes to a first verdict within a written budget. */
const WANTED_ROUNDS = 1.5 * FIRST_ANALYSIS_ROUNDS;
/** Trials of a closed loop are as much longer than planned as it takes both sides to answer so many requests … */
const ANSWERS_OF_TRIAL = { wanted: 300, least: 100 };
/** … at most these seconds, and those that are wanted in this share of the timeout. */
const LONGEST_TRIAL_SECONDS = 4;
const TRIAL_SHARE_OF_TIMEOUT = 0.9;
/** Trials of k6 are longer until each side is sent enough: worth it up to here. */
export const LONGEST_K6_SECONDS = 10;
/** In steps of which a budget is written. */
const BUDGET_STEP_SECONDS = 30;

/**
 * What fits endpoints of these capacities: the standard matrix where all of them hold it, else the most cases of which enough rounds are
 * measured in the time that a pull request may take. A spec has one load, so that it fits the dearest endpoint. `startSeconds`: until the
 * service answers, which each round waits for on both sides. `spec` may have any load. Null without a capacity.
 */
export function fittingLoad(
  spec: ResolvedSpec,
  capacities: readonly EndpointCapacity[],
  startSeconds = 0,
): FittingLoad | null {
  const [dearest, ...others] = capacities
    .filter(({ requestsPerSecond }) => requestsPerSecond >= LEAST_LOADABLE)
    .toSorted((one, other) => one.requestsPerSecond - other.requestsPerSecond);
  if (dearest === undefined) return null;
  const tooSlow = capacities.filter(({ requestsPerSecond }) => requestsPerSecond < LEAST_LOADABLE);
  const slow = new Set(tooSlow.map(({ endpoint }) => endpoint));
  const needsWiderLimits = dearest.requestsPerSecond < LEAST_FOR_USUAL_LIMITS;
  const own = {
    spec: {
      ...spec,
      endpoints: spec.endpoints.filter(({ name }) => !slow.has(name)),
      gate: needsWiderLimits ? withWiderLimits(spec.gate) : spec.gate,
    },
    capacities: [dearest, ...others],
    startSeconds,
  };
  const common = { dearest, tooSlow };
  if (holdsStandard(dearest)) return { ...common, ...standard(own) };

  const shapes = shapesFor(own);
  const k6Requests = Math.floor(k6PerSecond(dearest) * LONGEST_K6_SECONDS);
  const able = k6Requests < LEAST_K6_REQUESTS ? shapes.filter(({ k6Connections }) => k6Connections === null) : shapes;
  const times = able.map((shape) => ({ shape, ...timeOf(shape, own) }));
  const { shape, ...time } = times.find(({ rounds }) => rounds >= WANTED_ROUNDS) ?? times.at(-1)!;
  const { automaticSeconds } = time;
  const isLong = automaticSeconds > MOST_WAIT_SECONDS;
  const hasRounds = time.rounds >= WANTED_ROUNDS;
  const isWritten = isLong && hasRounds;
  // The automatic budget is made for endpoints that scatter less: it is enough for these where there is room for more rounds.
  const isEnough = !isLong && (!needsWiderLimits || hasRounds);
  return {
    ...common,
    shape,
    withoutK6: shape.k6Connections !== null ? null : able === shapes ? 'too little time' : 'too few requests',
    k6Requests,
    budgetSeconds: isWritten ? time.budgetSeconds : null,
    waitSeconds: isWritten ? time.besidesSeconds + time.budgetSeconds : automaticSeconds,
    isInTime: isWritten || isEnough,
    needsWiderLimits,
  };
}

/** What is asked for a load: a spec of the endpoints that are loaded, and what is known of them. */
interface Setting {
  spec: ResolvedSpec;
  /** The dearest first. */
  capacities: readonly EndpointCapacity[];
  startSeconds: number;
}

function withWiderLimits(gate: ResolvedSpec['gate']): ResolvedSpec['gate'] {
  const ratio = (percent: number) => ({ kind: 'ratio' as const, value: percent / 100 });
  const metrics = {
    ...gate.metrics,
    'cpu-per-request': { maxIncrease: ratio(WIDER_LIMITS.cpuPerRequest) },
    throughput: { maxDecrease: ratio(WIDER_LIMITS.throughput) },
    'latency-p50': { maxIncrease: ratio(WIDER_LIMITS.latencyP50) },
  };
  return { ...gate, metrics };
}

/** How many connections wait at most an eighth of the timeout for an answer (Little's law). */
function fittingConnections({ requestsPerSecond }: EndpointCapacity, timeoutSeconds: number): number {
  return (requestsPerSecond * timeoutSeconds) / ROOM;
}

function holdsStandard(dearest: EndpointCapacity): boolean {
  const { connections, timeout } = PRESETS.standard.wrk;
  return fittingConnections(dearest, secondsOf(timeout)) >= Math.max(...connections);
}

function standard({ spec }: Setting): Omit<FittingLoad, 'dearest' | 'tooSlow'> {
  const { automaticSeconds } = waitOf({ ...spec, load: load.read({ preset: 'standard' }) });
  return {
    shape: null,
    withoutK6: null,
    k6Requests: LEAST_K6_REQUESTS,
    budgetSeconds: null,
    waitSeconds: automaticSeconds,
    isInTime: automaticSeconds <= MOST_WAIT_SECONDS,
    needsWiderLimits: false,
  };
}

/** From the one with the most cases on; k6 goes last, since only a fixed rate tells latencies. */
function shapesFor({ capacities }: Setting): LoadShape[] {
  const [dearest] = capacities as [EndpointCapacity];
  const isUsual = fittingConnections(dearest, TIMEOUTS.usual) >= FEWEST;
  const timeoutSeconds = isUsual ? TIMEOUTS.usual : TIMEOUTS.long;
  const most = fittingConnections(dearest, timeoutSeconds);
  const one = Math.max(1, Math.min(isUsual ? LARGE : FEWEST, 2 ** Math.floor(Math.log2(most))));
  const both = one === LARGE ? [SMALL, LARGE] : [one];
  const k6Connections = connectionsOfK6(capacities);
  const kept: LoadShape = { connections: both, keepAlive: ['on'], timeoutSeconds, k6Connections };
  const shapes = [
    ...(dearest.requestsPerSecond < LEAST_FOR_CLOSING ? [] : [{ ...kept, keepAlive: ['on', 'off'] as const }]),
    kept,
    ...(both.length === 1 ? [] : [{ ...kept, connections: [one] }]),
    ...(both.length === 1 ? [] : [{ ...kept, k6Connections: null }]),
    { ...kept, connections: [one], k6Connections: null },
  ];
  return shapes.map((shape) => ({ ...shape, keepAlive: [...shape.keepAlive] }));
}

/** Virtual users for the requests that are under way at once, and for as many again and more where some take longer. */
function connectionsOfK6(capacities: readonly EndpointCapacity[]): number {
  const underWay = capacities.map(({ requestsPerSecond, aloneMs }) =>
    aloneMs === null ? 0 : (ratioOf(K6_RATE) * requestsPerSecond * aloneMs) / 1000,
  );
  return Math.min(LARGE, Math.max(SMALL, 2 ** Math.ceil(Math.log2(4 * Math.max(...underWay, 1)))));
}

/** Of each side. */
function k6PerSecond({ requestsPerSecond }: EndpointCapacity): number {
  return (ratioOf(K6_RATE) / 2) * requestsPerSecond;
}

interface ShapeTime {
  /** Rounds of this machine that there is time for. */
  rounds: number;
  /** What is left for comparing, in whole steps. */
  budgetSeconds: number;
  /** All that a pull request waits for besides. */
  besidesSeconds: number;
  automaticSeconds: number;
}

function timeOf(shape: LoadShape, setting: Setting): ShapeTime {
  const spec = withShape(setting.spec, shape);
  const { besidesSeconds, automaticSeconds } = waitOf(spec);
  const startsSeconds = 2 * setting.startSeconds;
  const left = MOST_WAIT_SECONDS - besidesSeconds - startsSeconds;
  const roundSeconds = roundSecondsOf(shape, { ...setting, spec }) + startsSeconds;
  const toVerdictSeconds = besidesSeconds + Math.min(MOST_SECONDS_TO_VERDICT, FIRST_ANALYSIS_ROUNDS * roundSeconds);
  return {
    rounds: left / roundSeconds,
    budgetSeconds: BUDGET_STEP_SECONDS * Math.floor(left / BUDGET_STEP_SECONDS),
    besidesSeconds: besidesSeconds + startsSeconds,
    automaticSeconds: Math.max(automaticSeconds, toVerdictSeconds) + startsSeconds,
  };
}

function waitOf(spec: ResolvedSpec): Pick<ShapeTime, 'besidesSeconds' | 'automaticSeconds'> {
  const plan = planOf(spec, { seed: 0 });
  const automatic = { ...spec, gate: { ...spec.gate, budgetSeconds: null } };
  return {
    besidesSeconds: pullRequestSeconds(spec, plan, 0),
    automaticSeconds: pullRequestSeconds(spec, plan, budgetSecondsOf(automatic, plan)),
  };
}

/** As planned, with trials as long as these endpoints make them. */
function roundSecondsOf(shape: LoadShape, { spec, capacities }: Setting): number {
  const rounds = planOf(spec, { seed: 0 }).services.map(({ cases }) =>
    plannedRound(cases, spec, pairingOf(spec) ?? 'duet'),
  );
  const { lengths, pairsEach } = rounds[0]!;
  const casesOfWrk = shape.connections.length * shape.keepAlive.length * pairsEach;
  const casesOfK6 = shape.k6Connections === null ? 0 : pairsEach;
  const longer = capacities.map((capacity) => {
    const wrk = Math.max(0, wrkSeconds(capacity, shape) - lengths.wrk);
    const k6 = Math.max(0, LEAST_K6_REQUESTS / k6PerSecond(capacity) - lengths.k6);
    return casesOfWrk * wrk + casesOfK6 * k6;
  });
  return sum(rounds.map(({ seconds }) => seconds)) + sum(longer);
}

function wrkSeconds({ requestsPerSecond }: EndpointCapacity, { timeoutSeconds }: LoadShape): number {
  const { wanted, least } = ANSWERS_OF_TRIAL;
  return Math.min(
    LONGEST_TRIAL_SECONDS,
    Math.max(least / requestsPerSecond, Math.min(TRIAL_SHARE_OF_TIMEOUT * timeoutSeconds, wanted / requestsPerSecond)),
  );
}

function withShape(spec: ResolvedSpec, shape: LoadShape): ResolvedSpec {
  return { ...spec, load: loadOfShape(shape) };
}

function loadOfShape({ connections, keepAlive, timeoutSeconds, k6Connections }: LoadShape): Load {
  return load.read({
    wrk: { threads: 1, connections, 'keep-alive': keepAlive, timeout: `${timeoutSeconds}s` },
    ...(k6Connections === null ? {} : { k6: { rate: K6_RATE, connections: [k6Connections], 'keep-alive': 'on' } }),
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
