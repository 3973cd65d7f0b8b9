import type { Case } from '../../core/config/case.ts';
import type { UnloadedPass } from '../../core/measurement/measurement.ts';
import type { Reason } from '../../core/measurement/names.ts';
import type { SyscallCounter } from '../ports/syscalls.ts';
import { type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { testbedFailureReason } from './testbed-failure.ts';
import { type ReachedEndpoint, unexpectedParts } from './unexpected-parts.ts';

export function reachedEndpoints(cases: readonly Case[]): ReachedEndpoint[] {
  const byName = new Map(cases.map(({ endpoint, route }) => [`${route} ${endpoint.name}`, { endpoint, route }]));
  return [...byName.values()];
}

/** Enough that a query in every hundredth request shows, and few enough to take no time. */
const PASS_REQUESTS = 200;
/** A slow endpoint gets fewer, or else its pass would take longer than its load. */
const PASS_SECONDS = 3;
const LEAST_PASS_REQUESTS = 20;
/** Fill the service's connection pool and its prepared statements, which are not the request's own queries. */
const PRIMING_REQUESTS = 5;

/** By `passKey`: both sides of a comparison are asked as often, or a count of one in a pass would differ between them. */
export type PassRequests = Map<string, number>;

/** Sequential requests without load: what the database and the wire see of one request, exactly. */
export async function unloadedPass(
  testbed: Testbed,
  { endpoint, route }: ReachedEndpoint,
  known: PassRequests,
  { probe, clock, syscalls }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<UnloadedPass> {
  const origin = testbed.origins[route]!;
  const primingNs = clock.monotonicNs();
  await probe.askInTurn(origin, testbed.service, endpoint, PRIMING_REQUESTS, signal);
  const secondsEach = (clock.monotonicNs() - primingNs) / 1e9 / PRIMING_REQUESTS;
  const fitting = Math.min(PASS_REQUESTS, Math.max(LEAST_PASS_REQUESTS, Math.floor(PASS_SECONDS / secondsEach)));
  const requests = known.get(passKey({ endpoint, route })) ?? fitting;
  known.set(passKey({ endpoint, route }), requests);

  await testbed.database?.resetStatements();
  const measured = await withSyscalls(testbed, syscalls, async () => {
    const startedNs = clock.monotonicNs();
    const pass = await probe.askInTurn(origin, testbed.service, endpoint, requests, signal);
    return { pass, startedNs, durationNs: clock.monotonicNs() - startedNs };
  });
  const { pass, startedNs, durationNs } = measured.result;
  const all = (await testbed.database?.statements()) ?? null;
  const isWhole = (all ?? []).every(({ calls }) => calls % requests === 0);
  const hasSyscalls = measured.syscalls !== null && measured.syscalls > 0;
  const idle =
    isWhole && !hasSyscalls
      ? null
      : await idleWindow(testbed, durationNs / 1e9, hasSyscalls ? syscalls : null, clock, signal);
  const background = isWhole ? [] : (idle?.statements ?? []);
  return {
    service: testbed.service.name,
    variant: testbed.variant,
    round: testbed.round,
    endpoint: endpoint.name,
    route,
    startedNs,
    durationNs,
    requests: pass.answers,
    failures: pass.failures,
    bytes: pass.bytes,
    constantSize: pass.constantSize,
    statements: all === null ? null : all.filter(({ query }) => !background.includes(query)),
    ...(hasSyscalls && idle?.syscalls != null ? { syscalls: Math.max(0, measured.syscalls! - idle.syscalls) } : {}),
    ...(background.length === 0 ? {} : { background }),
  };
}

interface Idle {
  /** Texts of those that were sent. */
  statements: string[];
  syscalls: number | null;
}

/**
 * What the service does although nobody asks it for anything: a timer, a heartbeat, a job. Of 200 requests one statement of those
 * is 1/200 of a statement per request, and of 60 on the other side 1/60.
 */
async function idleWindow(
  testbed: Testbed,
  seconds: number,
  counter: SyscallCounter | null,
  clock: MeasuringAdapters['clock'],
  signal: AbortSignal,
): Promise<Idle> {
  await testbed.database?.resetStatements();
  const { syscalls } = await withSyscalls(testbed, counter, () => clock.sleep(seconds, signal));
  const sent = (await testbed.database?.statements()) ?? [];
  return { statements: sent.flatMap(({ query, calls }) => (calls > 0 ? query : [])), syscalls };
}

/** Without a counter, or one that cannot count here, only what `during` resolves to. */
async function withSyscalls<T>(
  testbed: Testbed,
  counter: SyscallCounter | null,
  during: () => Promise<T>,
): Promise<{ result: T; syscalls: number | null }> {
  if (counter === null || (await counter.obstacle()) !== null) return { result: await during(), syscalls: null };
  let result: T;
  const syscalls = await counter.count(testbed.serviceProcesses(), async () => {
    result = await during();
  });
  return { result: result!, syscalls };
}

export function passKey({ route, endpoint }: Pick<Case, 'route' | 'endpoint'>): string {
  return `${route} ${endpoint.name}`;
}

export interface Verified {
  passes: Map<string, UnloadedPass>;
  /** Keys of the passes whose cases are lost. */
  lost: Set<string>;
  /** What became of the testbed meanwhile, in the journal as the loss of the endpoint that was asked for; null where it stands. */
  fallen: Reason | null;
}

/**
 * The pass without load of every endpoint that answers as expected; the cases of the others are lost, with the difference.
 * A testbed that falls over costs the endpoint that it fell over at, and those after it are not asked.
 */
export async function verifiedPasses(
  testbed: Testbed,
  cases: readonly Case[],
  adapters: MeasuringAdapters,
  signal: AbortSignal,
  known: PassRequests = new Map(),
): Promise<Verified> {
  const counting = (reached: ReachedEndpoint) => unloadedPass(testbed, reached, known, adapters, signal);
  return await verifiedBy(counting, testbed, cases, adapters, signal);
}

/** The same by one answer of each endpoint, and without counting anything. */
export async function verifiedAnswers(
  testbed: Testbed,
  cases: readonly Case[],
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Verified> {
  return await verifiedBy(async () => null, testbed, cases, adapters, signal);
}

type Counting = (reached: ReachedEndpoint) => Promise<UnloadedPass | null>;

async function verifiedBy(
  counting: Counting,
  testbed: Testbed,
  cases: readonly Case[],
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Verified> {
  const { journal } = adapters.store;
  const verified: Verified = { passes: new Map(), lost: new Set(), fallen: null };
  for (const reached of reachedEndpoints(cases)) {
    const found = await verifiedEndpoint(counting, testbed, reached, adapters, signal);
    if ('pass' in found) {
      if (found.pass === null) continue;
      await journal.append({ kind: 'pass', ...found.pass });
      verified.passes.set(passKey(reached), found.pass);
      continue;
    }
    verified.lost.add(passKey(reached));
    for (const { key } of cases.filter((other) => passKey(other) === passKey(reached))) {
      await journal.append({ kind: 'lost', caseKey: key, variant: testbed.variant, reason: found.reason });
    }
    if (found.fallen) return { ...verified, fallen: found.reason };
  }
  return verified;
}

/** The pass, or why there is none: what became of the testbed, else how the answer differs. */
async function verifiedEndpoint(
  counting: Counting,
  testbed: Testbed,
  reached: ReachedEndpoint,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ pass: UnloadedPass | null } | { reason: Reason; fallen: boolean }> {
  try {
    const differences = await unexpectedParts(testbed, reached, adapters, signal);
    if (differences.length === 0) return { pass: await counting(reached) };
    const failure = await testbed.failure();
    if (failure === null) return { reason: await unexpected(testbed, reached, differences, adapters), fallen: false };
    return { reason: testbedFailureReason(testbed.service, failure), fallen: true };
  } catch (error) {
    if (!(error instanceof TestbedError)) throw error;
    // What the testbed says of itself holds the last lines of its log.
    return { reason: testbedFailureReason(testbed.service, (await testbed.failure()) ?? error), fallen: true };
  }
}

async function unexpected(
  { service, variant }: Testbed,
  { endpoint, route }: ReachedEndpoint,
  differences: string[],
  { store, progress }: MeasuringAdapters,
): Promise<Reason> {
  const who = variant === 'baseline' ? `The baseline of ${service.name}` : service.name;
  const where = `${endpoint.method} ${service.basePath}${endpoint.path}${route === 'gateway' ? ' through the gateway' : ''}`;
  const message = `${who} does not answer ${where} as expected: ${differences.join('; ')}`;
  progress.warn(`${message}. Its cases are invalid; the others are still measured.`);
  const name = endpoint.name;
  await store.journal.append({ kind: 'unexpected', service: service.name, endpoint: name, route, differences });
  return { code: 'unexpected-body', message };
}
