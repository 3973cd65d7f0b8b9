import type { Case } from '../../core/config/case.ts';
import type { WarmUp } from '../../core/config/resolved.ts';
import type { ObservedAnswer, ObservedProcesses } from '../../core/measurement/observation.ts';
import type { GeneratorRunRequest } from '../ports/generators.ts';
import type { Testbed } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { type WarmedUp, warmUp } from './warm-up.ts';

/** Of load, so that pools and threads that come with the first requests are there. */
const LOADED_SECONDS = 0.4;
/** How long what a service writes is added up. */
const LOOK_SECONDS = 0.3;
/** In less of it nothing is seen that says how much is written in a second. */
const LEAST_LOOK_SECONDS = 0.1;
/** An answer's headers are the service's own words: so many of them, and so long, are enough to compare. */
const MOST_HEADERS = 40;
const MOST_NAME = 64;

/**
 * The one in whose warm-up a service is looked at: with the most connections, of these the first; through a gateway where all of them
 * are. Null of no cases.
 */
export function observedCase(cases: readonly Case[]): Case | null {
  const direct = cases.filter(({ route }) => route === 'direct');
  const own = direct.length > 0 ? direct : cases;
  const most = Math.max(...own.map(({ connections }) => connections));
  return own.find(({ connections }) => connections === most) ?? null;
}

/**
 * A warm-up in which the service is looked at once; what was seen is in the journal when it resolves. No measured figure holds what
 * that costs. Where there was no load to look at, the service is looked at at rest, and that is noted.
 */
export async function observedWarmUp(
  testCase: Case,
  load: WarmUp,
  target: Pick<GeneratorRunRequest, 'origin' | 'cpus'> & { testbed: Testbed },
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<WarmedUp> {
  const { testbed, ...warmed } = target;
  // The service's own answer, and not what a gateway makes of it.
  const answer = await observedAnswer(testCase, testbed.origins.direct ?? target.origin, testbed, adapters, signal);
  let looking: ReturnType<typeof look> | null = null;
  const { loadedSeconds, lookSeconds } = lookIn(load);
  const onTick = ({ elapsedNs }: { elapsedNs: number }) => {
    if (looking !== null || elapsedNs < loadedSeconds * 1e9) return;
    looking = look(testbed, lookSeconds, signal);
    // Awaited once the load has ended; a rejection before that is the abort's, which ends the load as well.
    looking.catch(() => undefined);
  };
  const warmedUp = await warmUp(testCase, load, { ...warmed, onTick }, adapters, signal);
  const isLoaded = looking !== null;
  const seen = await (looking ?? look(testbed, lookSeconds, signal));
  const unseen = [
    ...seen.unseen,
    ...(isLoaded ? [] : ['There was no warm-up to look at: all of it was seen at rest.']),
  ];
  const { service, variant } = testbed;
  const { key: caseKey, connections } = testCase;
  const entry = { kind: 'observed', service: service.name, variant, caseKey, connections } as const;
  await adapters.store.journal.append({ ...entry, ...seen, ...answer, unseen });
  return warmedUp;
}

/** Of a short warm-up the second third, so that the trial does not wait for the look. */
function lookIn(load: WarmUp): { loadedSeconds: number; lookSeconds: number } {
  const third = load.kind === 'auto' ? Number.POSITIVE_INFINITY : load.seconds / 3;
  return {
    loadedSeconds: Math.min(LOADED_SECONDS, third),
    lookSeconds: Math.max(LEAST_LOOK_SECONDS, Math.min(LOOK_SECONDS, third)),
  };
}

async function look(
  testbed: Testbed,
  seconds: number,
  signal: AbortSignal,
): Promise<ObservedProcesses & { databaseConnections?: number }> {
  const [processes, databaseConnections] = await Promise.all([
    testbed.observed(seconds, signal),
    testbed.database?.connections().catch(() => null) ?? null,
  ]);
  return { ...processes, ...(databaseConnections === null ? {} : { databaseConnections }) };
}

async function observedAnswer(
  { endpoint }: Case,
  origin: string,
  { service }: Testbed,
  { probe }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<ObservedAnswer> {
  const answer = await probe.ask(origin, service, endpoint, signal);
  if (answer.kind === 'failed') return {};
  const { headers, wireBytes, body } = answer;
  const encoding = headers['content-encoding'];
  return {
    headerBytes: Math.max(0, wireBytes - body.byteLength),
    headers: Object.keys(headers)
      .sort()
      .slice(0, MOST_HEADERS)
      .map((name) => name.slice(0, MOST_NAME)),
    keepsConnection: !/\bclose\b/i.test(headers.connection ?? ''),
    ...(encoding === undefined ? {} : { encoding: encoding.slice(0, MOST_NAME) }),
  };
}
