import type { Case } from '../../core/config/case.ts';
import { requestText } from '../../core/config/request-text.ts';
import type { UnloadedPass } from '../../core/measurement/measurement.ts';
import type { Reason, Variant } from '../../core/measurement/names.ts';
import { unreadableBody } from '../../core/validity/unreadable-body.ts';
import type { Answer } from '../../core/verification/answer.ts';
import { type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { restAfterStart } from './rest-after-start.ts';
import { DataNotRestored, restoredBetween } from './restored-data.ts';
import { testbedFailureReason } from './testbed-failure.ts';
import { checkedAnswer, type ReachedEndpoint } from './unexpected-parts.ts';
import {
  type CountedPass,
  countedPass,
  isWhole,
  type PassRequests,
  passKey,
  withoutBackground,
} from './unloaded-passes.ts';

function reachedEndpoints(cases: readonly Case[]): ReachedEndpoint[] {
  const byName = new Map(cases.map(({ endpoint, route }) => [`${route} ${endpoint.name}`, { endpoint, route }]));
  return [...byName.values()];
}

export interface Verified {
  passes: Map<string, UnloadedPass>;
  /** Keys of the cases that cannot be loaded. */
  lost: Set<string>;
  /** What became of the testbed meanwhile; null where it stands. */
  fallen: Reason | null;
}

/**
 * The pass without load of every endpoint that answers as expected, or of those of them that are counted; the cases of the others are
 * lost, with the difference.
 * A testbed that falls over costs the endpoint that it fell over at, and those after it are not asked.
 */
export async function verifiedPasses(
  testbed: Testbed,
  cases: readonly Case[],
  adapters: MeasuringAdapters,
  signal: AbortSignal,
  {
    isCounted = () => true,
    requestsOf = async (_key, fitting) => fitting,
    neverAtRest = new Set(),
  }: {
    isCounted?: (reached: ReachedEndpoint) => boolean;
    requestsOf?: PassRequests;
    /** Sides that need not be waited for. */
    neverAtRest?: Set<Variant>;
  } = {},
): Promise<Verified> {
  const { journal } = adapters.store;
  const counted: CountedPass[] = [];
  const passing = { requestsOf, rested: restAfterStart(testbed, adapters.clock, neverAtRest) };
  const count = async (reached: ReachedEndpoint) => {
    if (isCounted(reached)) counted.push(await countedPass(testbed, reached, passing, adapters, signal));
  };
  const { lost, fallen } = await verifiedBy(count, testbed, cases, adapters, signal);
  const kept = await keptPasses(counted, fallen, testbed, adapters, signal);
  for (const pass of kept.passes) await journal.append({ kind: 'pass', ...pass });
  return {
    lost,
    fallen: kept.fallen,
    passes: new Map(kept.passes.map((pass) => [`${pass.route} ${pass.endpoint}`, pass])),
  };
}

/** Where the testbed has fallen over, before or while it was watched at rest, only those that need not be told from the background. */
async function keptPasses(
  counted: readonly CountedPass[],
  fallen: Reason | null,
  testbed: Testbed,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ passes: UnloadedPass[]; fallen: Reason | null }> {
  const whole = counted.map(({ pass }) => pass).filter(isWhole);
  if (fallen !== null) return { passes: whole, fallen };
  try {
    return { passes: await withoutBackground(counted, testbed, adapters, signal), fallen: null };
  } catch (error) {
    if (!(error instanceof TestbedError)) throw error;
    const failure = (await testbed.failure()) ?? error;
    return { passes: whole, fallen: testbedFailureReason(testbed.service, failure) };
  }
}

/** `counting`: of an endpoint that answers as expected. */
async function verifiedBy(
  counting: (reached: ReachedEndpoint) => Promise<void>,
  testbed: Testbed,
  cases: readonly Case[],
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Omit<Verified, 'passes'>> {
  const lost = new Set<string>();
  const all = reachedEndpoints(cases);
  for (const [index, reached] of all.entries()) {
    const own = cases.filter((other) => passKey(other) === passKey(reached));
    const found = await verifiedEndpoint(counting, testbed, { reached, cases: own }, adapters, signal);
    for (const { key, reason } of found.lost) {
      lost.add(key);
      await adapters.store.journal.append({ kind: 'lost', caseKey: key, variant: testbed.variant, reason });
    }
    if (found.fallen !== null) return { lost, fallen: found.fallen };
    try {
      await restoredBetween(reached, all[index + 1] ?? null, testbed, adapters, signal);
    } catch (error) {
      if (error instanceof DataNotRestored) return { lost, fallen: error.reason };
      throw error;
    }
  }
  return { lost, fallen: null };
}

interface LostCase {
  key: string;
  reason: Reason;
}

/** What of its cases is lost, and why: nothing where it answers as expected, all of them where it does not or the testbed fell over. */
async function verifiedEndpoint(
  counting: (reached: ReachedEndpoint) => Promise<void>,
  testbed: Testbed,
  { reached, cases }: { reached: ReachedEndpoint; cases: readonly Case[] },
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ lost: LostCase[]; fallen: Reason | null }> {
  const all = (reason: Reason) => cases.map(({ key }) => ({ key, reason }));
  try {
    const { differences, answer } = await checkedAnswer(testbed, reached, adapters, signal);
    if (differences.length === 0) {
      const lost = unreadable(answer, cases, adapters);
      if (lost.length < cases.length) await counting(reached);
      return { lost, fallen: null };
    }
    const failure = await testbed.failure();
    if (failure === null) return { lost: all(await unexpected(testbed, reached, differences, adapters)), fallen: null };
    const reason = testbedFailureReason(testbed.service, failure);
    return { lost: all(reason), fallen: reason };
  } catch (error) {
    if (!(error instanceof TestbedError)) throw error;
    // What the testbed says of itself holds the last lines of its log.
    const reason = testbedFailureReason(testbed.service, (await testbed.failure()) ?? error);
    return { lost: all(reason), fallen: reason };
  }
}

/** Cases whose generator cannot read what is answered, however right it is; said once for each generator. */
function unreadable(answer: Answer, cases: readonly Case[], { progress }: MeasuringAdapters): LostCase[] {
  const lost = cases.flatMap((testCase) => {
    const reason = unreadableBody(answer, testCase);
    return reason === null ? [] : [{ key: testCase.key, reason }];
  });
  for (const message of new Set(lost.map(({ reason }) => reason.message))) progress.warn(message);
  return lost;
}

async function unexpected(
  { service, variant }: Testbed,
  { endpoint, route }: ReachedEndpoint,
  differences: string[],
  { store, progress }: MeasuringAdapters,
): Promise<Reason> {
  const who = variant === 'baseline' ? `The baseline of ${service.name}` : service.name;
  const where = `${requestText(endpoint, service)}${route === 'gateway' ? ' through the gateway' : ''}`;
  const message = `${who} does not answer ${where} as expected: ${differences.join('; ')}`;
  progress.warn(`${message}. Its cases are invalid; the others are still measured.`);
  const name = endpoint.name;
  await store.journal.append({ kind: 'unexpected', service: service.name, endpoint: name, route, differences });
  return { code: 'unexpected-body', message };
}
