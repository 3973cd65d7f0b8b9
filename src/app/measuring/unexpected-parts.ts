import type { AskedEndpoint } from '../../core/config/asked-endpoint.ts';
import { shortened } from '../../core/format/text.ts';
import type { Route } from '../../core/measurement/names.ts';
import { sampledRequests } from '../../core/requests/sample.ts';
import type { Answer } from '../../core/verification/answer.ts';
import { differencesOf, isFailure } from '../../core/verification/expectation.ts';
import type { Testbed } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';

/** An endpoint as its cases reach it. */
export interface ReachedEndpoint {
  endpoint: AskedEndpoint;
  route: Route;
}

/** So many as expected after one that failed, and it was one of the few that `errors` lets pass. */
const AGAIN = 10;

/** Of requests that differ so many are asked for, since each has an answer of its own. */
const ASKED_OF_SET = 20;

/** Each way in which the endpoint's answer is not what the spec expects; empty where it is. */
export async function unexpectedParts(
  testbed: Testbed,
  reached: ReachedEndpoint,
  adapters: Pick<MeasuringAdapters, 'probe' | 'bodySearch'>,
  signal: AbortSignal,
): Promise<string[]> {
  return (await checkedAnswer(testbed, reached, adapters, signal)).differences;
}

/**
 * The same with the answer that was looked at last.
 *
 * A failure is what generators count as well, and the limit of `errors` says how many there may be; the one request that
 * asks here meets a rare one by chance. So it is asked again:
 *
 *     500  ok ok ok ok ok ok ok ok ok ok     one of the few: as expected, and `errors` judges how few they are
 *     500  ok ok 500                         not as expected
 *
 * Something else under a good status is seen by no generator, and needs no second answer.
 */
export async function checkedAnswer(
  testbed: Testbed,
  reached: ReachedEndpoint,
  adapters: Pick<MeasuringAdapters, 'probe' | 'bodySearch'>,
  signal: AbortSignal,
): Promise<{ differences: string[]; answer: Answer }> {
  const { requestSet } = reached.endpoint;
  if (requestSet === undefined) return await checkedRequest(testbed, reached, adapters, signal);
  let checked: { differences: string[]; answer: Answer } | null = null;
  for (const endpoint of sampledRequests(requestSet, ASKED_OF_SET)) {
    checked = await checkedRequest(testbed, { ...reached, endpoint }, adapters, signal);
    const { differences, answer } = checked;
    if (differences.length === 0) continue;
    const where = `${endpoint.method} ${testbed.service.basePath}${shortened(endpoint.path, LONGEST_PATH)}`;
    return { differences: differences.map((each) => `${where}: ${each}`), answer };
  }
  return checked!;
}

const LONGEST_PATH = 200;

async function checkedRequest(
  { origins, service }: Testbed,
  { endpoint, route }: ReachedEndpoint,
  { probe, bodySearch }: Pick<MeasuringAdapters, 'probe' | 'bodySearch'>,
  signal: AbortSignal,
): Promise<{ differences: string[]; answer: Answer }> {
  const ask = () => probe.ask(origins[route]!, service, endpoint, signal);
  const differencesIn = (answer: Answer) =>
    differencesOf(answer, endpoint.expect, (expression, body) => bodySearch.search(expression, body, signal));
  const first = await ask();
  const differences = await differencesIn(first);
  if (!isFailure(first, endpoint.expect)) return { differences, answer: first };
  let answer = first;
  for (let again = 0; again < AGAIN; again += 1) {
    answer = await ask();
    if ((await differencesIn(answer)).length > 0) return { differences, answer };
  }
  return { differences: [], answer };
}
