import type { Case } from '../../core/config/case.ts';
import { grouped } from '../../core/format/figures.ts';
import { type CaseLoad, generators } from '../../core/generators/registry.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { endpointKey } from '../../core/plan/duets.ts';
import type { GeneratorRunRequest } from '../ports/generators.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { leftOverSeconds } from './drained.ts';

const CALIBRATION_SECONDS = 2;
/** Above half of what a generator itself can send, its own queueing shows in the latencies. */
const SHARE_OF_GENERATOR = 0.5;
/** A rate that the spec names is sent to each side of a duet while both together stay below this share of the capacity. */
export const MOST_SHARE_OF_DUET = 0.7;

export interface ChosenRate {
  /** Requests per second; null for a closed loop. */
  rate: number | null;
  /** The same for each side of a duet, which share the server's CPUs and the generator. */
  duetRate: number | null;
  /** Seconds of load that choosing it took. */
  seconds: number;
  warning: Reason | null;
}

/** What a closed loop of a case's endpoint reached, in its way of opening connections. */
export interface Capacity {
  case: Case;
  origin: string;
  requestsPerSecond: number;
  /** While it was warmed up, two sides that compare often both together; or in trials of each side alone, the slower one's. */
  from: 'warm-up' | 'trials';
}

/** Of the endpoints of a service while it stands, by `capacityKey`. */
export type Capacities = Map<string, Capacity>;

export function capacityKey(testCase: Pick<Case, 'endpoint' | 'route' | 'keepAlive'>): string {
  return `${endpointKey(testCase)} ${testCase.keepAlive}`;
}

/** Of a case; of its endpoint with the other way of opening connections, where it was warmed up in that alone. */
export function capacityOf(testCase: Case, capacities: Capacities): number | null {
  const other = { ...testCase, keepAlive: !testCase.keepAlive };
  const found = capacities.get(capacityKey(testCase)) ?? capacities.get(capacityKey(other));
  return found?.requestsPerSecond ?? null;
}

/**
 * Keeps what a closed loop has shown. Trials of each side alone know better than a warm-up of both together: of two endpoints of an
 * application whose newer release was 20 times as fast, a warm-up showed 755/s, of which the older one held 111/s. And a server that has
 * just started shows too little: 780/s in a warm-up, 1,700/s in trials after it. Of several trials the one that reached most counts.
 */
export function learnCapacity(capacities: Capacities, found: Capacity): void {
  const key = capacityKey(found.case);
  const known = capacities.get(key);
  const isBetter =
    known === undefined ||
    (found.from === known.from
      ? found.from === 'warm-up' || found.requestsPerSecond > known.requestsPerSecond
      : found.from === 'trials');
  if (found.requestsPerSecond > 0 && isBetter) capacities.set(key, found);
}

/**
 * The arrival rate of a case: the share of the capacity that its warm-up or its trials found, and never more than half of what the
 * generator can send from its CPUs, which a short closed loop tells by the CPU time that it spends on each request. `known` is kept
 * for all cases of a run.
 */
export async function chosenRate(
  testCase: Case,
  capacities: Capacities,
  target: Pick<GeneratorRunRequest, 'origin' | 'cpus'>,
  known: GeneratorCapacities,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<ChosenRate> {
  const { load } = testCase;
  const capacity = capacityOf(testCase, capacities);
  const arrival = generators[load.generator].arrivalOf(load);
  if (arrival === null) {
    return { rate: null, duetRate: null, seconds: 0, warning: null };
  }
  if (arrival.kind === 'rate') {
    const rate = arrival.requestsPerSecond;
    const most = capacity === null ? rate : (capacity * MOST_SHARE_OF_DUET) / 2;
    return { rate, duetRate: Math.max(1, Math.round(Math.min(rate, most))), seconds: 0, warning: null };
  }

  const startedNs = adapters.clock.monotonicNs();
  const { canSend, throughput } = await generatorCapacity(
    testCase,
    capacity === null ? null : fastestOf(testCase, capacities),
    target,
    capacity === null ? new Map() : known,
    adapters,
    signal,
  );
  const seconds = (adapters.clock.monotonicNs() - startedNs) / 1e9;
  const measured = capacity ?? throughput;
  if (measured === null) return { rate: 1, duetRate: 1, seconds, warning: null };

  const wanted = measured * arrival.shareOfCapacity;
  const most = canSend === null ? wanted : canSend * SHARE_OF_GENERATOR;
  const rate = Math.max(1, Math.round(Math.min(wanted, most)));
  const warning =
    most < wanted
      ? {
          code: 'rate-capped',
          message: `${Math.round(arrival.shareOfCapacity * 100)} % of the capacity would be ${grouped(wanted)}/s; ${load.generator} can send some ${grouped(most / SHARE_OF_GENERATOR)}/s from its CPUs, so half of that was sent`,
        }
      : null;
  return { rate, duetRate: Math.max(1, Math.round(rate / 2)), seconds, warning };
}

/** Generator, protocol, keep-alive and script → how much it can send from its CPUs. */
export type GeneratorCapacities = Map<string, { requestsPerSecond: number; askedAt: number }>;

/** A generator is asked again where an endpoint is found that answers so many times as many as the one that it was asked at. */
const MUCH_FASTER = 1.5;

/**
 * One short closed loop for a whole run, of the endpoint that answers most. What a request costs the generator depends little on
 * what is answered, but much on how many come in, as it is woken for each where they are few: on one machine k6 seemed to be able to
 * send 1,864/s by a loop of /users, and 3,752/s by one of /ping.
 */
async function generatorCapacity(
  testCase: Case,
  fastest: Capacity | null,
  target: Pick<GeneratorRunRequest, 'origin' | 'cpus'>,
  known: GeneratorCapacities,
  { generators: runner, cpus, clock }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ canSend: number | null; throughput: number | null }> {
  const { load, keepAlive } = testCase;
  const { asClosedLoop, openModelCost } = generators[load.generator];
  const closedLoop = asClosedLoop(load, CALIBRATION_SECONDS);
  if (closedLoop === null) return { canSend: null, throughput: null };
  const key = `${load.generator} ${testCase.service.protocol} ${keepAlive} ${scriptOf(load)}`;
  const already = known.get(key);
  const askedAt = fastest?.requestsPerSecond ?? 0;
  if (already !== undefined && askedAt <= MUCH_FASTER * already.askedAt) {
    return { canSend: already.requestsPerSecond, throughput: null };
  }
  const { endpoint, route } = fastest?.case ?? testCase;
  const closed: Case = { ...testCase, endpoint, route, load: closedLoop as CaseLoad };
  const { origin } = fastest ?? target;
  const run = await runner.run(
    { ...target, origin, case: closed, durationSeconds: CALIBRATION_SECONDS, rate: null },
    signal,
  );
  const requests = run.outcome?.requests ?? 0;
  const rest = leftOverSeconds(closed.connections, requests / CALIBRATION_SECONDS, CALIBRATION_SECONDS);
  if (rest > 0) await clock.sleep(rest, signal);
  const cpuCount = target.cpus === null ? 1 : cpus.count(target.cpus);
  const canSend = requests > 0 && run.cpuNs > 0 ? ((requests / (run.cpuNs / 1e9)) * cpuCount) / openModelCost : null;
  if (canSend !== null) known.set(key, { requestsPerSecond: canSend, askedAt });
  return { canSend, throughput: run.outcome?.throughput || null };
}

/** Of the endpoints that were warmed up in the case's way of opening connections; null where it asks by a script, which has its own costs. */
function fastestOf(testCase: Case, capacities: Capacities): Capacity | null {
  if (scriptOf(testCase.load) !== '') return null;
  const own = [...capacities.values()].filter((each) => each.case.keepAlive === testCase.keepAlive);
  return own.reduce<Capacity | null>(
    (most, each) => (most === null || each.requestsPerSecond > most.requestsPerSecond ? each : most),
    null,
  );
}

function scriptOf(load: CaseLoad): string {
  return ('script' in load && load.script) || '';
}
