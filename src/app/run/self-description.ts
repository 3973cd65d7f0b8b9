import type { SeenAnswer } from '../../core/detection/asking/answers.ts';
import { apiOfAnswer, documentPaths, readingCandidate } from '../../core/detection/asking/endpoint-candidate.ts';
import type { Api } from '../../core/detection/open-api.ts';
import type { MeasuringAdapters } from '../measuring/adapters.ts';
import type { Testbed } from '../ports/testbed.ts';
import { type Requests, requestsTo } from './asked-requests.ts';

/** What a service says of itself, wherever it is asked: at its roots, and in a document. */

/** Where the root of an API may list what it has. */
const ROOTS = ['/', '/api/'];
const START_ATTEMPTS = 10;
const DOCUMENT_SECONDS = 20;

/** Answer to the path of a root. */
export interface RootAnswer {
  path: string;
  answer: SeenAnswer;
}

/** The root, once it answers: what has just opened its port may not have come as far yet. */
export async function rootAnswers(
  requests: Requests,
  basePath: string,
  { clock }: Pick<MeasuringAdapters, 'clock'>,
  signal: AbortSignal,
  time: AbortSignal,
): Promise<RootAnswer[]> {
  const answers: RootAnswer[] = [];
  for (const path of new Set([...ROOTS, `${basePath}/`])) {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await unlessOver(() => requests.seen(readingCandidate(path, '')), signal, time);
      if (answer === null) return answers;
      const isUp = !('failure' in answer) && answer.status < 500;
      if (isUp || attempt === START_ATTEMPTS || path !== ROOTS[0]) {
        answers.push({ path, answer });
        break;
      }
      await clock.sleep(1, signal);
    }
  }
  return answers;
}

/** The document that the service itself answers with; null where it has none. */
export async function servedApi(
  basePaths: readonly string[],
  testbed: Testbed,
  { probe }: Pick<MeasuringAdapters, 'probe'>,
  signal: AbortSignal,
  time: AbortSignal,
): Promise<Api | null> {
  const own = AbortSignal.any([time, AbortSignal.timeout(DOCUMENT_SECONDS * 1000)]);
  const requests = requestsTo(testbed, probe, { signal, time: own });
  for (const path of documentPaths(basePaths)) {
    const answer = await unlessOver(() => requests.seen(readingCandidate(path, '')), signal, own);
    if (answer === null) return null;
    if ('failure' in answer || answer.status !== 200) continue;
    const api = apiOfAnswer(path, answer.body);
    if (api !== null) return api;
  }
  return null;
}

/** Null where the time was over before it came. */
export async function unlessOver<T>(
  action: () => Promise<T>,
  signal: AbortSignal,
  time: AbortSignal,
): Promise<T | null> {
  if (time.aborted) return null;
  try {
    return await action();
  } catch (error) {
    if (signal.aborted || !time.aborted) throw error;
    return null;
  }
}
