import type { AskedEndpoint } from '../../core/config/asked-endpoint.ts';
import { type Case, casesOf } from '../../core/config/case.ts';
import { load } from '../../core/config/load.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { isWriting } from '../../core/config/writes.ts';
import { counted } from '../../core/format/figures.ts';
import { percent } from '../../core/format/percent.ts';
import { generators } from '../../core/generators/registry.ts';
import type { EndpointCapacity } from '../../core/plan/fitting-load.ts';
import { drained, mostRestSeconds } from '../measuring/drained.ts';
import { DataNotRestored, RECONNECTING, restoredData } from '../measuring/restored-data.ts';
import { GeneratorNotStarted, type GeneratorRun, type GeneratorRunner } from '../ports/generators.ts';
import type { HttpProbe } from '../ports/http-probe.ts';
import type { Clock } from '../ports/machine.ts';
import type { Progress } from '../ports/progress.ts';
import type { Testbed } from '../ports/testbed.ts';

export interface CapacityAdapters {
  generators: GeneratorRunner;
  probe: Pick<HttpProbe, 'ask'>;
  clock: Clock;
  progress: Pick<Progress, 'say'>;
}

export interface CapacityRequest {
  spec: ResolvedSpec;
  /** As the service answers them; all of them are the testbed's own. */
  endpoints: readonly AskedEndpoint[];
  /** Of the generator, in the kernel's notation. */
  cpus: string;
}

export interface EndpointCapacities {
  /** In the order of the request. */
  capacities: EndpointCapacity[];
  /** Why the others were not measured, for a person; a sentence each, which names the endpoint where it is of one. */
  unmeasured: string[];
}

/** Of an endpoint that was not measured. */
export const TOO_MANY_REQUESTS = 'it answers 429 (Too Many Requests) because of a rate limit';

const GENERATOR = 'wrk';
const ALONE = { connections: 1, seconds: 1 };
const TOGETHER = { connections: 16, seconds: 2 };
/** Of a request: one that takes longer is no longer a matter of how many connections there are. */
const TIMEOUT = '10s';
/** For all endpoints. */
const MOST_SECONDS = 40;
/** Of all requests: an endpoint that refuses more than that is not measured by those that it answers. */
const MOST_FAILED_SHARE = 0.1;

/**
 * What each endpoint of a service that is up answers: the time of one request by itself, and how many a closed loop gets. Those that
 * write come last, since what they leave makes others dearer. Rejects only with the signal's reason.
 */
export async function endpointCapacities(
  testbed: Testbed,
  request: CapacityRequest,
  adapters: CapacityAdapters,
  signal: AbortSignal,
): Promise<EndpointCapacities> {
  const { clock, progress } = adapters;
  const without = await whyWithout(testbed, adapters);
  if (without !== null) return { capacities: [], unmeasured: [without] };
  const asked = counted(request.endpoints.length, 'endpoint');
  progress.say(`Measuring how much ${testbed.service.name} answers at ${asked}.`);
  let endNs = clock.monotonicNs() + MOST_SECONDS * 1e9;
  const secondsLeft = () => (endNs - clock.monotonicNs()) / 1e9;
  const found = new Map<string, EndpointCapacity>();
  const unmeasured: string[] = [];
  let hasLostConnections = false;
  const rising = request.endpoints.toSorted((one, other) => Number(isWriting(one)) - Number(isWriting(other)));
  for (const endpoint of rising) {
    const { name } = endpoint;
    if (secondsLeft() < ALONE.seconds + TOGETHER.seconds) {
      unmeasured.push(`${name} was not measured: those before it took ${MOST_SECONDS} s.`);
      continue;
    }
    try {
      if (hasLostConnections) await reconnected(testbed, endpoint, request, adapters, signal);
      hasLostConnections = false;
      const { why, ...seen } = await capacityOf(testbed, endpoint, request, secondsLeft, adapters, signal);
      if (why === null) found.set(name, { endpoint: name, ...seen });
      else unmeasured.push(`${name} was not measured: ${why}.`);
      // The others as well, and each would be told the same of.
      if (why === TOO_MANY_REQUESTS) break;
      if (isWriting(endpoint)) {
        // A service that is started anew for that takes as long as it takes.
        const restoredFromNs = clock.monotonicNs();
        hasLostConnections = (await restoredData([testbed], signal)) !== 'kept';
        endNs += clock.monotonicNs() - restoredFromNs;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof GeneratorNotStarted || error instanceof DataNotRestored)) throw error;
      if (error instanceof DataNotRestored) {
        unmeasured.push(`The data could not be put back after the load of ${name}: ${error.message}`);
        break;
      }
      unmeasured.push(`${name} was not measured: ${error.message}`);
    }
    const failure = await testbed.failure();
    if (failure !== null) {
      unmeasured.push(`${testbed.service.name} did not outlast the load of ${name}: ${failure.message}`);
      break;
    }
  }
  return { capacities: request.endpoints.flatMap(({ name }) => found.get(name) ?? []), unmeasured };
}

async function whyWithout({ service }: Testbed, { generators: runner }: CapacityAdapters): Promise<string | null> {
  const { protocols, program } = generators[GENERATOR];
  if (!protocols.includes(service.protocol))
    return `${service.name} speaks ${service.protocol}, and ${GENERATOR} does not.`;
  return (await runner.version(GENERATOR)) === null
    ? `${GENERATOR} is not on this machine. Install it with ${program.advice}.`
    : null;
}

/** A service that has lost its connections to the database fails a request on each, and opens new ones. */
async function reconnected(
  testbed: Testbed,
  endpoint: AskedEndpoint,
  { spec, cpus }: CapacityRequest,
  { generators: runner }: CapacityAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { seconds } = RECONNECTING;
  const [, some] = casesFor(endpoint, spec, testbed);
  await runner.run({ case: some, origin: testbed.origins.direct!, durationSeconds: seconds, rate: null, cpus }, signal);
}

type Seen = Omit<EndpointCapacity, 'endpoint'> & { why: string | null };

/** Resolves when the service is at rest again, or has had as long for it as its backlog takes. */
async function capacityOf(
  testbed: Testbed,
  endpoint: AskedEndpoint,
  { spec, cpus }: CapacityRequest,
  secondsLeft: () => number,
  { generators: runner, probe, clock }: CapacityAdapters,
  signal: AbortSignal,
): Promise<Seen> {
  const origin = testbed.origins.direct!;
  const [one, some] = casesFor(endpoint, spec, testbed);
  const runOf = (testCase: Case, durationSeconds: number) =>
    runner.run({ case: testCase, origin, durationSeconds, rate: null, cpus }, signal);
  const alone = await runOf(one, ALONE.seconds);
  await drained([testbed], clock, signal);
  const together = await runOf(some, TOGETHER.seconds);
  const failure = failureOf(together);
  // At once: a limit may count for no longer than a second.
  const answer = failure === null ? null : await probe.ask(origin, testbed.service, endpoint, signal);
  const isLimited = answer?.kind === 'answered' && answer.status === 429;
  // With many at a time nobody may have been answered yet.
  const requestsPerSecond = Math.max(alone.outcome?.throughput ?? 0, together.outcome?.throughput ?? 0);
  const mostSeconds = Math.min(mostRestSeconds(some, requestsPerSecond || null), Math.max(0, secondsLeft()));
  // What waits for something else uses no CPU meanwhile, and is not at rest all the same.
  const backlogSeconds = Math.min(mostSeconds, TOGETHER.connections / (requestsPerSecond || 1));
  await clock.sleep(backlogSeconds, signal);
  await drained([testbed], clock, signal, mostSeconds - backlogSeconds);
  return {
    requestsPerSecond,
    aloneMs: alone.outcome?.latencyMs?.p50 ?? null,
    why: isLimited ? TOO_MANY_REQUESTS : failure,
  };
}

/** By one connection, and by some. */
function casesFor(endpoint: AskedEndpoint, spec: ResolvedSpec, { service }: Testbed): [Case, Case] {
  const connections = [ALONE.connections, TOGETHER.connections];
  const own = load.read({ wrk: { threads: 1, connections, 'keep-alive': 'on', timeout: TIMEOUT } });
  const known = spec.services.find(({ name }) => name === service.name);
  const closing = known?.keepAlive === 'closes' ? { ...service, keepAlive: known.keepAlive } : service;
  const asked = { ...spec, services: [closing], endpoints: [endpoint], gateway: null, load: own };
  return casesOf(asked) as [Case, Case];
}

function failureOf({ outcome, failure }: GeneratorRun): string | null {
  if (outcome === null) return failure ?? 'the generator left no result';
  const { requests = 0, errors = {} } = outcome;
  const failed = Object.values(errors).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return failed > MOST_FAILED_SHARE * requests
    ? `${percent(failed / Math.max(requests, failed))} of its requests failed over ${TOGETHER.connections} connections`
    : null;
}
