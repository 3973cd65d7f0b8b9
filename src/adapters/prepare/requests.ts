import type { RepeatedRequest } from '../../core/config/prepare.ts';
import { numberedRequest } from '../../core/config/prepare-texts.ts';
import type { Service } from '../../core/config/resolved.ts';
import { grouped } from '../../core/format/figures.ts';
import { filledRequest, RequestValueError, type RequestValues } from '../../core/requests/request-values.ts';
import type { Answer } from '../../core/verification/answer.ts';
import { takenValues } from '../../core/verification/taken-values.ts';
import type { Connection, ProbeRequest } from '../http/connection.ts';
import { connectionTo } from '../http/probe.ts';

/** What makes data may take longer than what reads them; a body is looked at only where it says what is wrong. */
const LIMITS = { timeoutSeconds: 30, answerBytes: 16 * 1024 ** 2 };
const SHOWN_CHARACTERS = 200;
/** Of all requests of a step. */
const MOST_SECONDS = 1800;

/** `failure`: a sentence about the first wrong answer; null where all are right. */
export interface SentRequests {
  failure: string | null;
  /** What stands for `${prepare.NAME}` by now. */
  values: RequestValues;
}

/**
 * Sends each request as often as it says, one after the other over one connection: what the service numbers by itself then has the
 * number of its request, on both sides. `before`: values that earlier steps took. `onAnswered`: after each, how many are. Rejects only
 * with the signal's reason.
 */
export async function sendRequests(
  requests: readonly RepeatedRequest[],
  { service, origin }: { service: Pick<Service, 'protocol' | 'basePath'>; origin: string },
  before: RequestValues,
  signal: AbortSignal,
  onAnswered: (count: number) => void,
): Promise<SentRequests> {
  let values = before;
  let answered = 0;
  const failed = (failure: string) => ({ failure, values });
  const connection = connectionTo(service);
  const deadline = performance.now() + MOST_SECONDS * 1000;
  try {
    for (const request of requests) {
      for (let number = 1; number <= request.repeat; number += 1) {
        const written = numberedRequest(request, number);
        const which = `${written.method} ${service.basePath}${written.path}${ordinal(number, request.repeat)}`;
        const asked = filledOrWhy(written, values);
        if (typeof asked === 'string') return failed(`${which} cannot be sent: ${asked}`);
        const target = { ...asked, origin, path: `${service.basePath}${asked.path}` };
        const answer = await askedOnce(connection, target, signal);
        const failure = failureIn(answer, request);
        if (failure !== null) return failed(`${which} ${failure}`);
        answered += 1;
        onAnswered(answered);
        if (performance.now() > deadline)
          return failed(`it was not done after ${MOST_SECONDS} s, at ${which}. Repeat less.`);
        if (number < request.repeat || request.take === undefined || answer.kind === 'failed') continue;
        const found = takenValues(answer, request.take);
        if (found.missing.length > 0) return failed(`${which}: ${found.missing.join('; ')}${beginningOf(answer.body)}`);
        values = { ...values, ...named(found.values) };
      }
    }
    return { failure: null, values };
  } finally {
    connection.close();
  }
}

/** The request with what was taken in it; a sentence where that is not all that it wants. */
function filledOrWhy<Asked extends Parameters<typeof filledRequest>[0]>(
  asked: Asked,
  values: RequestValues,
): Asked | string {
  try {
    return filledRequest(asked, values);
  } catch (error) {
    if (error instanceof RequestValueError) return error.message;
    throw error;
  }
}

function named(values: Record<string, string>): RequestValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`prepare.${name}`, value]));
}

function ordinal(number: number, repeat: number): string {
  return repeat === 1 ? '' : `, request ${grouped(number)} of ${grouped(repeat)},`;
}

async function askedOnce(connection: Connection, request: ProbeRequest, signal: AbortSignal): Promise<Answer> {
  const { answer, unread } = await connection.exchange(request, LIMITS, signal);
  // The server closed a connection at rest, and the request never reached it.
  return unread ? (await connection.exchange(request, LIMITS, signal)).answer : answer;
}

function failureIn(answer: Answer, { status }: RepeatedRequest): string | null {
  if (answer.kind === 'failed') return `got no answer: ${answer.message}.`;
  if (status === null ? answer.status < 400 : answer.status === status) return null;
  const expected = status === null ? '' : ` instead of ${status}`;
  return `was answered with status ${answer.status}${expected}${beginningOf(answer.body)}`;
}

/** As JSON, so that line ends and control characters of a server show as what they are. */
function beginningOf(body: Uint8Array): string {
  if (body.byteLength === 0) return ' and an empty body.';
  const text = new TextDecoder().decode(body.subarray(0, 4 * SHOWN_CHARACTERS));
  const isCut = text.length > SHOWN_CHARACTERS || body.byteLength > 4 * SHOWN_CHARACTERS;
  return `; its body${isCut ? ' begins with' : ' is'} ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}.`;
}
