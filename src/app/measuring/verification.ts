import type { Case, Route } from '../../core/plan/case.ts';
import type { UnloadedPass } from '../../core/record/measurement.ts';
import type { Endpoint } from '../../core/spec/resolved.ts';
import { differencesOf } from '../../core/verification/expectation.ts';
import type { Stage } from '../ports/stage.ts';
import type { MeasuringAdapters } from './adapters.ts';

/** An endpoint as its cases reach it. */
export interface ReachedEndpoint {
  endpoint: Endpoint;
  route: Route;
}

export function reachedEndpoints(cases: readonly Case[]): ReachedEndpoint[] {
  const byName = new Map(cases.map(({ endpoint, route }) => [`${route} ${endpoint.name}`, { endpoint, route }]));
  return [...byName.values()];
}

/** Each way in which the endpoint's answer is not what the spec expects; empty where it is. */
export async function unexpectedParts(
  stage: Stage,
  { endpoint, route }: ReachedEndpoint,
  { probe }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<string[]> {
  const answer = await probe.ask(stage.origins[route]!, stage.service, endpoint, signal);
  return differencesOf(answer, endpoint.expect);
}

/** Enough that a query in every hundredth request shows, and few enough to take no time. */
const PASS_REQUESTS = 200;
/** A slow endpoint gets fewer, or else its pass would take longer than its load. */
const PASS_SECONDS = 3;
const LEAST_PASS_REQUESTS = 20;
/** Fill the service's connection pool and its prepared statements, which are not the request's own queries. */
const PRIMING_REQUESTS = 5;

/** Sequential requests without load: what the database and the wire see of one request, exactly. */
export async function unloadedPass(
  stage: Stage,
  { endpoint, route }: ReachedEndpoint,
  { probe, clock }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<UnloadedPass> {
  const origin = stage.origins[route]!;
  const primingNs = clock.monotonicNs();
  await probe.askInTurn(origin, stage.service, endpoint, PRIMING_REQUESTS, signal);
  const secondsEach = (clock.monotonicNs() - primingNs) / 1e9 / PRIMING_REQUESTS;
  const requests = Math.min(PASS_REQUESTS, Math.max(LEAST_PASS_REQUESTS, Math.floor(PASS_SECONDS / secondsEach)));

  await stage.database?.resetStatements();
  const startedNs = clock.monotonicNs();
  const pass = await probe.askInTurn(origin, stage.service, endpoint, requests, signal);
  const durationNs = clock.monotonicNs() - startedNs;
  return {
    service: stage.service.name,
    variant: stage.variant,
    instance: stage.instance,
    endpoint: endpoint.name,
    route,
    startedNs,
    durationNs,
    requests: pass.answers,
    failures: pass.failures,
    bytes: pass.bytes,
    constantSize: pass.constantSize,
    statements: (await stage.database?.statements()) ?? null,
  };
}

export const passKey = ({ route, endpoint }: Pick<Case, 'route' | 'endpoint'>) => `${route} ${endpoint.name}`;

/** The pass without load of every endpoint that answers as expected; the cases of the others are lost, with the difference. */
export async function verifiedPasses(
  stage: Stage,
  cases: readonly Case[],
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Map<string, UnloadedPass>> {
  const { store, progress } = adapters;
  const passes = new Map<string, UnloadedPass>();
  for (const reached of reachedEndpoints(cases)) {
    const { endpoint, route } = reached;
    const differences = await unexpectedParts(stage, reached, adapters, signal);
    if (differences.length === 0) {
      const pass = await unloadedPass(stage, reached, adapters, signal);
      await store.journal.append({ kind: 'pass', ...pass });
      passes.set(passKey(reached), pass);
      continue;
    }
    const { service, variant } = stage;
    const who = variant === 'baseline' ? `The baseline of ${service.name}` : service.name;
    const where = `${endpoint.method} ${service.basePath}${endpoint.path}${route === 'gateway' ? ' through the gateway' : ''}`;
    const message = `${who} does not answer ${where} as expected: ${differences.join('; ')}`;
    progress.warn(`${message}. Its cases are invalid; the others go on.`);
    await store.journal.append({
      kind: 'unexpected',
      service: service.name,
      endpoint: endpoint.name,
      route,
      differences,
    });
    for (const { key } of cases.filter((other) => passKey(other) === passKey(reached))) {
      const reason = { code: 'unexpected-body', message };
      await store.journal.append({ kind: 'lost', caseKey: key, variant, reason });
    }
  }
  return passes;
}
