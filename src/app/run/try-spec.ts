import type { Endpoint, Placement, ResolvedSpec, Service } from '../../core/config/resolved.ts';
import type { WantedRuntime } from '../../core/doctor/runtime.ts';
import { placementFor } from '../../core/topology/placement.ts';
import type { MeasuringAdapters } from '../measuring/adapters.ts';
import { testbedFailureReason } from '../measuring/testbed-failure.ts';
import { unexpectedParts } from '../measuring/unexpected-parts.ts';
import { type PreparedService, type Testbed, TestbedError, type TestbedRuntime } from '../ports/testbed.ts';

export type TryAdapters = Pick<MeasuringAdapters, 'runtime' | 'probe' | 'bodySearch' | 'progress'>;

export interface TryRequest {
  runId: string;
  spec: ResolvedSpec;
  specDirectory: string;
  placement: Placement;
}

/** What came of starting one service and asking it once for each endpoint. */
export interface TriedService {
  service: string;
  /** Why it did not come up; null where it did. */
  failure: string | null;
  /** Endpoints that answered as expected. */
  answered: string[];
  /** Endpoint → how its answer differs. */
  unexpected: Map<string, string>;
}

/** Containers where an engine answers and every service has an image, else processes. */
export async function runtimeFor(
  { services }: ResolvedSpec,
  wanted: WantedRuntime,
  runtimes: Record<'docker' | 'process', TestbedRuntime>,
): Promise<TestbedRuntime> {
  if (wanted !== 'auto') return runtimes[wanted];
  const isBuilt = services.every(({ image }) => image !== null);
  const engine = isBuilt ? await runtimes.docker.version().catch(() => null) : null;
  return runtimes[engine === null ? 'process' : 'docker'];
}

/** Starts each service as a run does, and verifies each endpoint once. Rejects only with the signal's reason. */
export async function trySpec(
  request: TryRequest,
  adapters: TryAdapters,
  signal: AbortSignal,
): Promise<TriedService[]> {
  const { spec, specDirectory, runId } = request;
  const { runtime, progress } = adapters;
  for (const sentence of await runtime.sweep()) progress.say(sentence);
  const prepared = await runtime.prepare(
    { runId, spec, services: spec.services, specDirectory, onLine: (line) => progress.say(line) },
    signal,
  );
  const tried: TriedService[] = [];
  try {
    for (const service of spec.services) {
      progress.say(`Starting ${service.name}.`);
      tried.push(
        await triedService(service, prepared.find((each) => each.service === service.name)!, request, adapters, signal),
      );
    }
  } finally {
    await runtime.release(runId);
  }
  return tried;
}

async function triedService(
  service: Service,
  prepared: PreparedService,
  request: TryRequest,
  adapters: TryAdapters,
  signal: AbortSignal,
): Promise<TriedService> {
  const result: TriedService = { service: service.name, failure: null, answered: [], unexpected: new Map() };
  if (prepared.failure !== null) return { ...result, failure: messageOf(service, prepared.failure) };
  const { spec, runId, specDirectory } = request;
  const placement = placementFor(service, request.placement);
  let left = spec.endpoints;
  let own = service;
  for (let round = 1; ; round += 1) {
    let testbed: Testbed;
    try {
      const start = { runId, spec, service: own, variant: 'candidate' as const, round, placement, specDirectory };
      testbed = await adapters.runtime.start({ ...start, artifact: prepared.artifact }, signal);
    } catch (error) {
      if (!(error instanceof TestbedError)) throw error;
      const [first, ...others] = left;
      const next = others.find(({ method }) => method === 'GET');
      // Whether it is up was asked by its first endpoint: with another one it may be.
      if (error.code !== 'not-ready' || first === undefined || next === undefined || !isAskedBy(own, first)) {
        return { ...result, failure: messageOf(service, error) };
      }
      result.unexpected.set(first.name, error.message);
      left = others;
      own = { ...own, ready: { ...own.ready, path: `${own.basePath}${next.path}` } };
      continue;
    }
    try {
      for (const endpoint of left) await ask(testbed, endpoint, result, adapters, signal);
      return result;
    } finally {
      await testbed.stop();
    }
  }
}

function isAskedBy({ ready, basePath }: Service, { path }: Endpoint): boolean {
  return ready.path === `${basePath}${path}`;
}

async function ask(
  testbed: Testbed,
  endpoint: Endpoint,
  result: TriedService,
  adapters: TryAdapters,
  signal: AbortSignal,
): Promise<void> {
  const differences = await unexpectedParts(testbed, { endpoint, route: 'direct' }, adapters, signal);
  if (differences.length === 0) {
    result.answered.push(endpoint.name);
    return;
  }
  const failure = await testbed.failure();
  result.unexpected.set(endpoint.name, failure === null ? differences.join('; ') : messageOf(testbed.service, failure));
}

function messageOf(service: Service, error: TestbedError): string {
  return testbedFailureReason(service, error).message;
}
