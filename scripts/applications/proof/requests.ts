import { type Answer, takenFrom } from './taken-values.ts';
import { filled, filledEach, type Values, type WrittenRequest } from './written-spec.ts';

const TIMEOUT_MS = 30_000;

/** Sends one request and holds its status against what is written. Without a word any below 400 will do. Rejects with a sentence where it is another. */
export async function send(origin: string, request: WrittenRequest, values: Values, row: Values = {}): Promise<Answer> {
  const { form, body, expect } = request;
  const { method = body === undefined && form === undefined ? 'GET' : 'POST' } = request;
  const path = withRow(filled(request.path, values), row, encodeURIComponent);
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: filledEach(request.headers, values),
    ...(form === undefined ? {} : { body: new URLSearchParams(filledEach(form, values)) }),
    ...(body === undefined ? {} : { body: withRow(filled(body, values), row, String) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = { status: response.status, headers: response.headers, body: await response.text() };
  const wanted = typeof expect === 'number' ? expect : (expect?.status ?? null);
  if (wanted === null ? answer.status < 400 : answer.status === wanted) return answer;
  throw new Error(
    `${method} ${path} answered ${answer.status}, where ${wanted ?? 'a status below 400'} is expected: ${answer.body.slice(0, 500)}`,
  );
}

/** Braces around anything but the name of a value mean themselves, as in JSON. */
function withRow(text: string, row: Values, written: (value: string) => string): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (row[name] === undefined ? whole : written(row[name])));
}

/** Sends each request as often as it says, in order; what they take is known to those after. */
export async function sendAll(origin: string, requests: readonly WrittenRequest[], values: Values): Promise<Values> {
  const taken: Values = {};
  for (const request of requests) {
    for (let n = 1; n <= (request.repeat ?? 1); n += 1) {
      const answer = await send(origin, request, { ...values, ...taken, n: String(n) });
      if (request.take === undefined) continue;
      for (const [name, value] of Object.entries(takenFrom(answer, request.take))) taken[`prepare.${name}`] = value;
    }
  }
  return taken;
}
