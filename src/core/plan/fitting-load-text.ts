import type { ResolvedSpec } from '../config/resolved.ts';
import { type LoadText, limitLines, USUAL_LOAD, USUAL_PERCENTS } from '../detection/load-text.ts';
import { plain } from '../detection/spec-text.ts';
import { counted, span, throughput } from '../format/figures.ts';
import { wrapped } from '../format/text.ts';
import { durationText } from './duration-text.ts';
import {
  type EndpointCapacity,
  type FittingLoad,
  fittingLoad,
  K6_RATE,
  LEAST_FOR_CLOSING,
  LEAST_K6_REQUESTS,
  LONGEST_K6_SECONDS,
  type LoadShape,
  MOST_WAIT_SECONDS,
  WIDER_LIMITS,
} from './fitting-load.ts';

/** What was measured of the endpoints of a spec. */
export interface MeasuredEndpoints {
  capacities: readonly EndpointCapacity[];
  /** Why others were not, a sentence each. */
  unmeasured: readonly string[];
  /** Of the machine. */
  cpus: number;
  /** Until the service answered; 0 where that is not known. */
  startSeconds: number;
}

const COLUMNS = 110;
const LONGEST_PATH = 60;
const USUAL_TIMEOUT_SECONDS = 2;

export interface FittedLoad {
  /** The lines of a spec, each with what shows that it fits. */
  text: LoadText;
  /** Names of those that it is for, the first of the spec: as many as a pull request has the time for. */
  endpoints: readonly string[];
  /** What the owner has to know beyond that, a sentence each. */
  sentences: readonly string[];
}

/** With fewer endpoints the spec says little of its service: then a pull request waits longer. */
const LEAST_ENDPOINTS = 3;

/**
 * A load that fits what was measured, for as many endpoints as a pull request has the time for; the standard one, and a word about it, where
 * nothing was measured.
 */
export function fittedLoad(whole: ResolvedSpec, all: MeasuredEndpoints): FittedLoad {
  const { spec, measured, fitting } = fittingFirst(whole, all);
  const { unmeasured } = measured;
  const endpoints = spec.endpoints.map(({ name }) => name);
  if (fitting === null) {
    const seen = comment(`not measured: ${unmeasured[0] ?? NOTHING_ANSWERS} ${FEWER_CONNECTIONS}`);
    return { text: { ...USUAL_LOAD, load: [...seen, ...USUAL_LOAD.load] }, endpoints, sentences: unmeasured };
  }
  const sentences = [...unmeasured, ...tooSlowTexts(fitting, spec), ...waitText(fitting, spec)];
  return { text: loadText(fitting, spec, measured), endpoints, sentences };
}

interface Fitting {
  spec: ResolvedSpec;
  measured: MeasuredEndpoints;
  fitting: FittingLoad | null;
}

/** The first endpoints, as many as a verdict comes in time for; all of them where three are too many already. */
function fittingFirst(spec: ResolvedSpec, measured: MeasuredEndpoints): Fitting {
  const { startSeconds } = measured;
  const whole = { spec, measured, fitting: fittingLoad(spec, measured.capacities, startSeconds) };
  if (whole.fitting === null || whole.fitting.isInTime) return whole;
  for (let count = spec.endpoints.length - 1; count >= LEAST_ENDPOINTS; count -= 1) {
    const own = { ...spec, endpoints: spec.endpoints.slice(0, count) };
    const names = new Set(own.endpoints.map(({ name }) => name));
    const capacities = measured.capacities.filter(({ endpoint }) => names.has(endpoint));
    const fitting = fittingLoad(own, capacities, startSeconds);
    if (fitting?.isInTime === true) return { spec: own, measured: { ...measured, capacities }, fitting };
  }
  return whole;
}

const NOTHING_ANSWERS = 'no endpoint answers as many as 2 requests/s.';
const FEWER_CONNECTIONS = 'A service that answers fewer than 4,000/s needs fewer connections.';

function loadText(fitting: FittingLoad, spec: ResolvedSpec, measured: MeasuredEndpoints): LoadText {
  const { shape, budgetSeconds, waitSeconds } = fitting;
  const seen = comment(measuredText(spec, measured));
  if (shape === null) return { ...USUAL_LOAD, load: [...seen, ...USUAL_LOAD.load], waitSeconds };
  const { connections, keepAlive, timeoutSeconds, k6Connections } = shape;
  const wrk = [
    'threads: 1',
    `connections: [${connections.join(', ')}]`,
    ...(keepAlive.length === 2 ? [] : [`keep-alive: ${keepAlive[0]}`]),
    ...(timeoutSeconds === USUAL_TIMEOUT_SECONDS ? [] : [`timeout: ${timeoutSeconds}s`]),
  ];
  return {
    load: [
      ...seen,
      ...comment(whyFitting(fitting, shape, spec)),
      `  wrk: {${wrk.join(', ')}}`,
      ...(k6Connections === null
        ? comment(whyWithoutK6(fitting, spec))
        : [
            `  k6: {rate: ${K6_RATE}, connections: [${k6Connections}], keep-alive: on}   # latency at 60 % of what the service can do`,
          ]),
    ],
    gate: [
      ...(budgetSeconds === null
        ? []
        : [
            `  budget: ${writtenDuration(budgetSeconds)}   # a pull request waits for ${durationText(waitSeconds)} at most; a longer one shows smaller changes`,
          ]),
      ...limitsOf(fitting, spec),
    ],
    waitSeconds,
  };
}

function limitsOf({ needsWiderLimits, dearest, shape }: FittingLoad, spec: ResolvedSpec): string[] {
  const hasFixedRate = shape === null || shape.k6Connections !== null;
  if (!needsWiderLimits) return limitLines(USUAL_PERCENTS, hasFixedRate);
  const few = `${requestOf(dearest, spec)} answers too few requests to decide the usual limits (${hasFixedRate ? '3 %, 5 % and 5 %' : '3 % and 5 %'}) in this time`;
  return [...comment(few), ...limitLines(WIDER_LIMITS, hasFixedRate)];
}

function tooSlowTexts({ tooSlow }: FittingLoad, spec: ResolvedSpec): string[] {
  return tooSlow.map((each) => {
    const perSecond = throughput(each.requestsPerSecond);
    return `${requestOf(each, spec)} answers ${perSecond} requests/s, too few to compare two versions by: ask it for less, or leave it out.`;
  });
}

function waitText({ tooSlow, isInTime, waitSeconds }: FittingLoad, { endpoints }: ResolvedSpec): string[] {
  if (isInTime) return [];
  const asked = counted(endpoints.length - tooSlow.length, 'endpoint');
  return [
    `${durationText(MOST_WAIT_SECONDS)} are too few for a verdict on ${asked} of this service: a pull request waits about ${durationText(waitSeconds)}. Compare fewer endpoints to wait less.`,
  ];
}

function measuredText(spec: ResolvedSpec, { capacities, cpus }: MeasuredEndpoints): string {
  const rising = capacities.toSorted((one, other) => one.requestsPerSecond - other.requestsPerSecond);
  const each = rising.map((one) => `${requestOf(one, spec)} ${throughput(one.requestsPerSecond)}/s`);
  return `measured: ${each.join(', ')}, on ${counted(cpus, 'CPU')}`;
}

function whyFitting({ dearest }: FittingLoad, { connections, keepAlive }: LoadShape, spec: ResolvedSpec): string {
  const most = Math.max(...connections);
  const seconds = span(Math.max(0.1, most / dearest.requestsPerSecond));
  return [
    `all endpoints share this load, which fits the dearest: at ${counted(most, 'connection')} ${requestOf(dearest, spec)} takes ${seconds}`,
    ...(keepAlive.length === 2
      ? []
      : dearest.requestsPerSecond < LEAST_FOR_CLOSING
        ? ['keep-alive off would show the same: opening a connection is little beside such answers']
        : [`with keep-alive off too a pull request waits longer than ${durationText(MOST_WAIT_SECONDS)}`]),
  ].join('; ');
}

function whyWithoutK6({ withoutK6, k6Requests, dearest }: FittingLoad, spec: ResolvedSpec): string {
  return withoutK6 === 'too few requests'
    ? `without k6: at ${K6_RATE} of its capacity ${requestOf(dearest, spec)} is sent ${counted(k6Requests, 'request')} in ${LONGEST_K6_SECONDS} s, and a median takes ${LEAST_K6_REQUESTS}`
    : `without k6, which tells latencies at a fixed rate: with it a pull request waits longer than ${durationText(MOST_WAIT_SECONDS)}`;
}

/** `/v1/entries`, `PUT /v1/entries`, without a query; the name where another endpoint would be called the same. */
function requestOf({ endpoint }: EndpointCapacity, { endpoints }: ResolvedSpec): string {
  const texts = endpoints.map(({ name, method, path }) => {
    const [bare] = path.split('?') as [string];
    const shown = bare.length > LONGEST_PATH ? `${bare.slice(0, LONGEST_PATH - 3)}...` : bare;
    return { name, text: method === 'GET' ? shown : `${method} ${shown}` };
  });
  const own = texts.find(({ name }) => name === endpoint);
  return own === undefined || texts.filter(({ text }) => text === own.text).length > 1 ? endpoint : own.text;
}

function comment(text: string): string[] {
  return wrapped(plain(text), COLUMNS).map((line) => `  # ${line}`);
}

function writtenDuration(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${minutes === 0 ? '' : `${minutes}m`}${rest === 0 ? '' : `${rest}s`}`;
}
