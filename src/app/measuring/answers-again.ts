import type { Case } from '../../core/config/case.ts';
import { sampledRequests } from '../../core/requests/sample.ts';
import type { Testbed } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { checkedAnswer } from './unexpected-parts.ts';

/** A service that has answered nothing for so long is not worth waiting for. */
const MOST_SECONDS = 60;
/** What connections leave behind takes no longer than this: the meters, or the next load's own beginning, allow for it. */
const WORTH_ASKING_SECONDS = 0.2;
const PAUSE_SECONDS = 0.1;

type Reached = Pick<Case, 'endpoint' | 'route' | 'service'>;
type Waiting = Pick<MeasuringAdapters, 'probe' | 'clock'>;

/**
 * Resolves when a service answers a request of the endpoint again, to whether that came to be. A generator ends with a request on every
 * connection, and many servers go on with them although nobody listens: with one worker and 50 ms for each, 200 of them are 10 s in
 * which nobody else is answered. That no CPU time is used tells nothing of a service that waits for another.
 */
async function answersAgain(
  origin: string,
  { endpoint, service }: Reached,
  { probe, clock }: Waiting,
  signal: AbortSignal,
): Promise<boolean> {
  const untilNs = clock.monotonicNs() + MOST_SECONDS * 1e9;
  const [asked = endpoint] = endpoint.requestSet === undefined ? [] : sampledRequests(endpoint.requestSet, 1);
  while ((await probe.ask(origin, service, asked, signal)).kind === 'failed') {
    if (clock.monotonicNs() > untilNs) return false;
    await clock.sleep(PAUSE_SECONDS, signal);
  }
  return true;
}

/** After a closed loop that answered so many requests per second in the end: where it left more than a moment's work, waits for that. */
export async function answeredLeftOver(
  origin: string,
  testCase: Case,
  requestsPerSecond: number,
  adapters: Waiting,
  signal: AbortSignal,
): Promise<void> {
  if (testCase.connections < WORTH_ASKING_SECONDS * requestsPerSecond) return;
  await answersAgain(origin, testCase, adapters, signal);
}

/**
 * How the endpoint's answer differs after a load; no answer at all is one only once what the load left over is answered, or never will
 * be. `isRestless`: it was waited for in vain before, and is not again.
 */
export async function differencesAfterLoad(
  testbed: Testbed,
  testCase: Case,
  adapters: Pick<MeasuringAdapters, 'probe' | 'clock' | 'bodySearch'>,
  signal: AbortSignal,
  isRestless = false,
): Promise<string[]> {
  const { differences, answer } = await checkedAnswer(testbed, testCase, adapters, signal);
  if (differences.length === 0 || answer.kind === 'answered' || isRestless) return differences;
  if (!(await answersAgain(testbed.origins[testCase.route]!, testCase, adapters, signal))) {
    return [
      `${differences.join('; ')}, and so for ${MOST_SECONDS} s: it may still work on requests that the load left to it`,
    ];
  }
  return (await checkedAnswer(testbed, testCase, adapters, signal)).differences;
}
