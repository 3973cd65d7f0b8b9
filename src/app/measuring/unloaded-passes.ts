import type { Case } from '../../core/config/case.ts';
import type { UnloadedPass } from '../../core/measurement/measurement.ts';
import type { SyscallCounter } from '../ports/syscalls.ts';
import { type Testbed, UncountedStatements } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import type { RestAfterStart } from './rest-after-start.ts';
import type { ReachedEndpoint } from './unexpected-parts.ts';

/** Enough that a query in every hundredth request shows, and few enough to take no time. */
const PASS_REQUESTS = 200;
/** A slow endpoint gets fewer, or else its pass would take longer than its load; what varies is counted again in each round, and added up. */
const PASS_SECONDS = { first: 3, again: 1 };
const LEAST_PASS_REQUESTS = 20;
/** Fill the service's connection pool and its prepared statements, which are not the request's own queries. */
const PRIMING_REQUESTS = 5;

/** How many requests the pass of a `passKey` has, where `fitting` of them would fit it. */
export type PassRequests = (key: string, fitting: number) => Promise<number>;

export function passKey({ route, endpoint }: Pick<Case, 'route' | 'endpoint'>): string {
  return `${route} ${endpoint.name}`;
}

/** A pass with all that was counted in it, also what the service does although nobody asks it for anything. */
export interface CountedPass {
  pass: UnloadedPass;
  /** Null where they cannot be counted. */
  syscalls: number | null;
}

/** Sequential requests without load: what the database and the wire see of one request, exactly. */
export async function countedPass(
  testbed: Testbed,
  { endpoint, route }: ReachedEndpoint,
  { requestsOf, rested }: { requestsOf: PassRequests; rested: RestAfterStart },
  { probe, clock, syscalls }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<CountedPass> {
  const origin = testbed.origins[route]!;
  const primingNs = clock.monotonicNs();
  await probe.askInTurn(origin, testbed.service, endpoint, PRIMING_REQUESTS, signal);
  const secondsEach = (clock.monotonicNs() - primingNs) / 1e9 / PRIMING_REQUESTS;
  const seconds = testbed.round === 0 ? PASS_SECONDS.first : PASS_SECONDS.again;
  const fitting = Math.min(PASS_REQUESTS, Math.max(LEAST_PASS_REQUESTS, Math.floor(seconds / secondsEach)));
  const requests = await requestsOf(passKey({ endpoint, route }), fitting);

  const countOnce = async (): Promise<CountedPass> => {
    await testbed.database?.resetStatements();
    await testbed.database?.markStatements();
    const measured = await withSyscalls(testbed, syscalls, async () => {
      const startedNs = clock.monotonicNs();
      const pass = await probe.askInTurn(origin, testbed.service, endpoint, requests, signal);
      return { pass, startedNs, durationNs: clock.monotonicNs() - startedNs };
    });
    const { pass, startedNs, durationNs } = measured.result;
    await testbed.database?.markStatements();
    const counted = await countedStatements(testbed);
    return {
      pass: {
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
        ...counted,
      },
      // An answer takes a call: where none was seen, they are not seen.
      syscalls: measured.syscalls === 0 ? null : measured.syscalls,
    };
  };
  const counted = await countOnce();
  if (isWhole(counted.pass)) return counted;
  // What a service does for itself after its start is over in a while, and would be counted as sent by some of the requests.
  return (await rested(statementsPerSecond(counted.pass), signal)) ? await countOnce() : counted;
}

function statementsPerSecond({ statements, durationNs }: UnloadedPass): number {
  return (statements ?? []).reduce((sum, { calls }) => sum + calls, 0) / (durationNs / 1e9);
}

/**
 * Takes off what the service does although nobody asks it for anything: a timer, a heartbeat, a job. Of 200 requests one statement of
 * those is 1/200 of a statement per request, and of 60 on the other side 1/60. What that is, one window without a request tells for all
 * passes of a testbed, as long as the longest of those that need it.
 */
export async function withoutBackground(
  counted: readonly CountedPass[],
  testbed: Testbed,
  { syscalls, clock }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<UnloadedPass[]> {
  const open = counted.filter((each) => each.syscalls !== null || !isWhole(each.pass));
  if (open.length === 0) return counted.map(({ pass }) => pass);
  const windowNs = Math.max(...open.map(ownWindowNs));
  const counter = open.some((each) => each.syscalls !== null) ? syscalls : null;
  const idle = await idleWindow(testbed, windowNs / 1e9, counter, clock, signal);
  return counted.map((each) => {
    const idleCalls = isWhole(each.pass) ? new Map<string, number>() : idle.calls;
    const background = [...idleCalls.keys()];
    const own = each.pass.statements?.flatMap((one) => ofRequests(one, idleCalls.get(one.query), each.pass)) ?? null;
    return {
      ...each.pass,
      statements: own,
      ...(each.syscalls === null || idle.syscalls === null
        ? {}
        : { syscalls: Math.max(0, each.syscalls - Math.round((idle.syscalls * each.pass.durationNs) / windowNs)) }),
      ...(background.length === 0 ? {} : { background }),
    };
  });
}

/** System calls are taken off by their share of it, which a window no longer than a usual pass tells as well. */
function ownWindowNs({ pass }: CountedPass): number {
  return isWhole(pass) ? Math.min(pass.durationNs, PASS_SECONDS.first * 1e9) : pass.durationNs;
}

type Statement = NonNullable<UnloadedPass['statements']>[number];

/** Of a statement that was sent at rest too: as many as each request can have sent, of what the time at rest does not explain. */
function ofRequests(one: Statement, idleCalls: number | undefined, { requests, failures }: UnloadedPass): Statement[] {
  if (idleCalls === undefined) return [one];
  const asked = requests + failures;
  const calls = Math.floor((one.calls - idleCalls) / asked) * asked;
  if (!(calls > 0)) return [];
  const share = calls / one.calls;
  return [{ ...one, calls, rows: Math.round(one.rows * share), totalMs: one.totalMs * share }];
}

/** Each statement was sent as often in each request: none of them is the background's. */
export function isWhole({ statements, requests, failures }: UnloadedPass): boolean {
  return (statements ?? []).every(({ calls }) => calls % (requests + failures) === 0);
}

interface Idle {
  /** Text of each statement that was sent → how often. */
  calls: ReadonlyMap<string, number>;
  syscalls: number | null;
}

async function idleWindow(
  testbed: Testbed,
  seconds: number,
  counter: SyscallCounter | null,
  clock: MeasuringAdapters['clock'],
  signal: AbortSignal,
): Promise<Idle> {
  await testbed.database?.resetStatements();
  const { syscalls } = await withSyscalls(testbed, counter, () => clock.sleep(seconds, signal));
  const { statements: sent } = await countedStatements(testbed);
  const calls = new Map((sent ?? []).flatMap(({ query, calls }) => (calls > 0 ? [[query, calls] as const] : [])));
  return { calls, syscalls };
}

/** Null where they were not counted, with the reason. */
async function countedStatements({ database }: Testbed): Promise<Pick<UnloadedPass, 'statements' | 'uncounted'>> {
  try {
    return { statements: (await database?.statements()) ?? null };
  } catch (error) {
    if (!(error instanceof UncountedStatements)) throw error;
    return { statements: null, uncounted: error.message };
  }
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
