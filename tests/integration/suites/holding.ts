import { expect } from 'vitest';
import { ask, rawAnswer, withService } from './asking.ts';
import type { Asked, Contract } from './contracts.ts';

/** Starts the service by its command and holds it to its contract. */
export async function holdTo(suite: string, contract: Contract): Promise<void> {
  await withService(suite, contract.service, async (origin) => {
    for (const { asked, status = 200, type, body } of contract.answers) {
      const answer = await ask(origin, asked);
      expect(answer, asked.path).toEqual({
        status,
        type,
        body: typeof body === 'string' ? body : expect.stringMatching(body),
        keptOpen: contract.closes !== true,
      });
      await holdToClosing(origin, asked, status, answer.body, contract.bytesToAb);
    }
    const { status } = await ask(origin, { path: '/none/such' });
    expect(status).toBe(contract.knowsNoPaths === true ? 200 : 404);
  });
}

/** As ab asks, and as wrk does without keep-alive: the connection ends with the answer. */
async function holdToClosing(
  origin: string,
  asked: Asked,
  status: number,
  body: string,
  bytes?: number,
): Promise<void> {
  const old = await rawAnswer(origin, asked, '1.0');
  expect(old.head, asked.path).toMatch(new RegExp(`^HTTP/1\\.[01] ${status} `));
  if (!asked.path.endsWith('time')) expect(old.body, asked.path).toBe(body);
  if (bytes !== undefined) expect(old.bytes).toBe(bytes);
  const closing = await rawAnswer(origin, asked, '1.1');
  expect(closing.head, asked.path).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
}
