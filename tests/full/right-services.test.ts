// needs: wrk, k6, ab, linux
// seconds: 118
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { reasonsIn, recordIn, wrkbench } from '../e2e/support/command.ts';
import { temporaryFolder } from '../support/spec-folder.ts';

const CASES = fileURLToPath(new URL('../../fixtures/cases', import.meta.url));

/** Key of each case → the codes of why it is invalid, and all messages. */
async function measured(spec: string) {
  const out = temporaryFolder();
  const { stderr } = await wrkbench(['run', `${CASES}/${spec}`, '--runtime', 'process', '--quick', '--out', out]);
  const record = recordIn(out);
  const messages = record.cases.flatMap(({ reasons }) => reasons.map(({ message }) => message));
  return { reasons: reasonsIn(out), messages, stderr };
}

describe('a service that answers its own requests alone', () => {
  it.each([
    ['bearer', 'api/me/direct/wrk/keep-alive/8'],
    ['post', 'api/add/direct/wrk/keep-alive/8'],
    ['missing', 'api/missing/direct/k6/keep-alive/5@200ps'],
    ['host', 'api/me/direct/wrk/keep-alive/8'],
    ['accept', 'api/me/direct/wrk/keep-alive/8'],
  ])('is up and valid: %s.yml', async (name, key) => {
    expect((await measured(`ready/${name}.yml`)).reasons).toEqual({ [key]: [] });
  });
});

describe('a large or slow body', () => {
  it.each([
    ['stream', 'api/page/direct/wrk/keep-alive/100'],
    ['stream-off', 'api/page/direct/wrk/keep-alive-off/50'],
    ['halves', 'api/page/direct/wrk/keep-alive/64'],
    ['w50m', 'api/file/direct/wrk/keep-alive/8'],
  ])('is valid, though it is under way when the load ends: %s.yml', async (name, key) => {
    const { [key]: codes, ...others } = (await measured(`big-bodies/${name}.yml`)).reasons;
    // Where a core is slow, wrk itself is what such bodies fill: a finding of its own.
    expect(codes?.filter((code) => code !== 'generator-bound')).toEqual([]);
    expect(others).toEqual({});
  });
});

describe('a body that ends with the connection', () => {
  const wrk = 'api/ping/direct/wrk/keep-alive-off/8';
  const advice = 'load it with k6 or ab and keep-alive off, or let the service send a Content-Length';

  it.each(['wrk-off-http10', 'wrk-off-close'])('is told for wrk, with what to use: %s.yml', async (name) => {
    const { reasons, messages } = await measured(`close-delimited/${name}.yml`);
    expect(reasons).toEqual({ [wrk]: ['unreadable-body'] });
    expect(messages).toEqual([
      `not loaded: api answers GET / with a body that only the end of the connection ends (no Content-Length, not chunked), and wrk counts each such answer as a failed request; ${advice}`,
    ]);
  });

  it('is told for wrk, and measured by k6: both.yml', async () => {
    const { reasons } = await measured('close-delimited/both.yml');
    expect(reasons).toEqual({
      'api/ping/direct/wrk/keep-alive-off/4': ['unreadable-body'],
      'api/ping/direct/k6/keep-alive-off/5@100ps': [],
    });
  });

  it('is told after the load where only a request to close has it: only-when-asked.yml', async () => {
    const { reasons, messages } = await measured('close-delimited/only-when-asked.yml');
    expect(reasons[wrk]).toContain('errors');
    const told = messages.find((message) => message.startsWith('wrk counted each of '));
    expect(told).toMatch(/^wrk counted each of [\d,]+ answers as a failed request when its connection ended: /);
    expect(told).toContain(advice);
  });

  it.each([
    ['ab-http10', 'api/ping/direct/ab/keep-alive-off/8'],
    ['k6-http10', 'api/ping/direct/k6/keep-alive-off/5@200ps'],
  ])('is valid with the others: %s.yml', async (name, key) => {
    expect((await measured(`close-delimited/${name}.yml`)).reasons).toMatchObject({ [key]: [] });
  });
});
