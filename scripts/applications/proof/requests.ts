import { type Answer, takenFrom } from './taken-values.ts';
import { filled, filledEach, type Values, type WrittenRequest } from './written-spec.ts';

const TIMEOUT_MS = 30_000;

/** Sends one request and holds its status against what is written. Rejects with a sentence where it is another. */
export async function send(origin: string, request: WrittenRequest, values: Values): Promise<Answer> {
  const { method = 'GET', body, expect = 200 } = request;
  const path = filled(request.path, values).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return encodeURIComponent(filled(`\${values.${name}}`, values));
  });
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: filledEach(request.headers, values),
    ...(body === undefined ? {} : { body: filled(body, values) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = { status: response.status, headers: response.headers, body: await response.text() };
  const wanted = typeof expect === 'number' ? expect : (expect.status ?? 200);
  if (answer.status === wanted) return answer;
  throw new Error(
    `${method} ${path} answered ${answer.status}, where ${wanted} is expected: ${answer.body.slice(0, 500)}`,
  );
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
