import type { RepeatedRequest } from '../../core/config/prepare.ts';
import { numberedRequest } from '../../core/config/prepare-texts.ts';
import type { Service } from '../../core/config/resolved.ts';
import { grouped } from '../../core/format/figures.ts';
import type { Answer } from '../../core/verification/answer.ts';
import type { Connection, ProbeRequest } from '../http/connection.ts';
import { connectionTo } from '../http/probe.ts';

/** What makes data may take longer than what reads them; a body is looked at only where it says what is wrong. */
const LIMITS = { timeoutSeconds: 30, answerBytes: 16 * 1024 ** 2 };
const SHOWN_CHARACTERS = 200;
/** Of all requests of a step. */
const MOST_SECONDS = 1800;

/**
 * Sends each request as often as it says, one after the other over one connection: what the service numbers by itself then has the
 * number of its request, on both sides. Resolves to a sentence about the first wrong answer, else to null; rejects only with the
 * signal's reason.
 */
export async function sendRequests(
  requests: readonly RepeatedRequest[],
  service: Pick<Service, 'protocol' | 'basePath'>,
  origin: string,
  signal: AbortSignal,
): Promise<string | null> {
  const connection = connectionTo(service);
  const deadline = performance.now() + MOST_SECONDS * 1000;
  try {
    for (const request of requests) {
      for (let number = 1; number <= request.repeat; number += 1) {
        const asked = numberedRequest(request, number);
        const which = `${asked.method} ${service.basePath}${asked.path}${ordinal(number, request.repeat)}`;
        const target = { ...asked, origin, path: `${service.basePath}${asked.path}` };
        const failure = failureIn(await askedOnce(connection, target, signal), request);
        if (failure !== null) return `${which} ${failure}`;
        if (performance.now() > deadline) return `it was not done after ${MOST_SECONDS} s, at ${which}. Repeat less.`;
      }
    }
    return null;
  } finally {
    connection.close();
  }
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
