import { describe, expect, it } from 'vitest';
import { unexpectedParts } from '../../../src/app/measuring/unexpected-parts.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import type { Answer } from '../../../src/core/verification/answer.ts';
import { smallSpec } from '../support/comparing.ts';

const answered = (status: number, body: string): Answer => {
  const bytes = new TextEncoder().encode(body);
  return { kind: 'answered', status, headers: {}, body: bytes, wireBytes: bytes.length };
};
const ok = answered(200, 'ok');
const broken = answered(500, '');
const other = answered(200, 'no');
const reset: Answer = { kind: 'failed', message: 'connection reset' };

const expected = { status: 200, contentType: null, body: 'ok', sizeBytes: null, matches: null };
const { endpoints, services } = smallSpec([{ expect: expected }]);
const [endpoint] = endpoints;
const [service] = services;

/** What is said of one whose requests differ, by the answer to each path; and the paths that were asked for. */
async function saidOf(paths: readonly string[], answerTo: (path: string) => Answer) {
  const asked: string[] = [];
  const probe = {
    async ask(_origin: string, _service: unknown, { path }: { path: string }) {
      asked.push(path);
      return answerTo(path);
    },
    askInTurn: () => Promise.reject(new Error('nobody asks in turn here')),
  };
  const bodySearch = { search: () => Promise.reject(new Error('nothing is searched here')) };
  const testbed = { service, origins: { direct: 'http://127.0.0.1:1' } } as unknown as Testbed;
  const requests = paths.map((path) => ({ ...endpoint!, path }));
  const requestSet = { requests, order: Uint32Array.from(requests.keys()) };
  const reached = { endpoint: { ...endpoint!, requestSet }, route: 'direct' as const };
  const differences = await unexpectedParts(testbed, reached, { probe, bodySearch }, new AbortController().signal);
  return { differences, asked };
}

/** What is said of a service with these answers, the last again and again, and how often it was asked. */
async function said(...answers: Answer[]): Promise<{ differences: string[]; asked: number }> {
  let asked = 0;
  const probe = {
    ask: async () => answers[Math.min(asked++, answers.length - 1)]!,
    askInTurn: () => Promise.reject(new Error('nobody asks in turn here')),
  };
  const bodySearch = { search: () => Promise.reject(new Error('nothing is searched here')) };
  const testbed = { service, origins: { direct: 'http://127.0.0.1:1' } } as unknown as Testbed;
  const reached = { endpoint: endpoint!, route: 'direct' as const };
  const differences = await unexpectedParts(testbed, reached, { probe, bodySearch }, new AbortController().signal);
  return { differences, asked };
}

const FAILED = ['status: expected 200, got 500 (body: "")', 'body: expected "ok", got ""'];

describe('an endpoint', () => {
  it('whose answer is as expected is asked once', async () => {
    expect(await said(ok)).toEqual({ differences: [], asked: 1 });
  });

  it('that fails once and then answers ten times as expected is as expected: `errors` judges how few fail', async () => {
    expect(await said(broken, ok)).toEqual({ differences: [], asked: 11 });
    expect(await said(reset, ok)).toEqual({ differences: [], asked: 11 });
  });

  it('that fails a second time is not, and the first failure is what is shown', async () => {
    expect(await said(broken)).toEqual({ differences: FAILED, asked: 2 });
    expect(await said(broken, ok, ok, ok, reset, ok)).toEqual({ differences: FAILED, asked: 5 });
    expect(await said(reset, ok, ok, ok, ok, ok, ok, ok, ok, ok, broken)).toEqual({
      differences: ['no answer: connection reset'],
      asked: 11,
    });
  });

  it('that fails once and then answers something else is not', async () => {
    expect(await said(broken, ok, other, ok)).toEqual({ differences: FAILED, asked: 3 });
  });

  it('that answers something else under a good status is not, at once: no generator counts that', async () => {
    const differences = ['body: expected "ok", got "no"'];
    expect(await said(other, ok)).toEqual({ differences, asked: 1 });
    expect(await said(answered(204, 'ok'), ok)).toEqual({
      differences: ['status: expected 200, got 204 (body: "ok")'],
      asked: 1,
    });
  });

  it('whose answer must match an expression is not as expected where the search takes too long', async () => {
    const { signal } = new AbortController();
    const asked: unknown[] = [];
    const probe = { ask: async () => ok, askInTurn: () => Promise.reject(new Error('nobody asks in turn here')) };
    const bodySearch = {
      async search(...given: unknown[]) {
        asked.push(given);
        return { kind: 'stopped' as const, seconds: 1 };
      },
    };
    const [matching] = smallSpec([{ expect: { ...expected, matches: 'o+$' } }]).endpoints;
    const testbed = { service, origins: { direct: 'http://127.0.0.1:1' } } as unknown as Testbed;
    const reached = { endpoint: matching!, route: 'direct' as const };
    expect(await unexpectedParts(testbed, reached, { probe, bodySearch }, signal)).toEqual([
      'body: expected a match of /o+$/, which took longer than 1 s on 2 bytes: simplify the expression',
    ]);
    expect(asked).toEqual([['o+$', 'ok', signal]]);
  });
});

describe('an endpoint whose requests differ', () => {
  const paths = Array.from({ length: 1000 }, (_, id) => `/${id}`);

  it('is asked for several of them, from all over', async () => {
    const { differences, asked } = await saidOf(paths, () => ok);
    expect(differences).toEqual([]);
    expect(new Set(asked).size).toBe(20);
    expect(asked.some((path) => Number(path.slice(1)) > 900)).toBe(true);
  });

  it('says which of them was not answered as expected', async () => {
    const { differences } = await saidOf(['/a', '/b', '/c'], (path) => (path === '/b' ? other : ok));
    expect(differences).toEqual(['GET /b: body: expected "ok", got "no"']);
  });
});
