// needs: wrk, k6, linux
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { CaseLoad } from '../../../src/core/generators/registry.ts';
import { caseOf } from '../../unit/generators/cases.ts';
import { type CountingServer, startCountingServer } from './counting-server.ts';

const never = new AbortController().signal;
const specDirectory = fileURLToPath(new URL('../../../fixtures/cases/scripts/', import.meta.url));
const runner = createGeneratorRunner({ specDirectory });

const loadOf = (script: string): CaseLoad =>
  script.endsWith('.lua')
    ? { generator: 'wrk', threads: 1, durationSeconds: 1, timeoutSeconds: 1, script }
    : { generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 1, timeoutSeconds: 1, script };
const requestTo = (server: CountingServer, script: string, rate: number | null) => ({
  ...{ case: caseOf(loadOf(script), { connections: 2 }), origin: server.origin },
  ...{ durationSeconds: 1, rate, cpus: null },
});

// Most of their time they wait.
describe.concurrent('what lies beside a script', () => {
  test.for([
    ['wrk opens it', 'file.lua', /^\/[ab]$/],
    ['wrk requires it', 'require.lua', /^\/from-require$/],
    ['wrk opens it under a name that it makes up', 'computed.lua', /^\/part-[12]$/],
    ['k6 opens it', 'open.js', /\?u=a$/],
    ['k6 imports it', 'import.js', /^\/from-import$/],
  ] as const)('is found where %s', async ([, script, target], { expect }) => {
    const server = await startCountingServer();
    const run = await runner.run(requestTo(server, `./${script}`, null), never);
    await server.close();
    expect(run.failure).toBeNull();
    expect(server.first!.target).toMatch(target);
  });

  test('knows its own side in a duet', async ({ expect }) => {
    const servers = [await startCountingServer(), await startCountingServer()] as const;
    const [first, second] = servers;
    const runs = await runner.runTogether(
      [requestTo(first, './import.js', 20), requestTo(second, './import.js', 20)],
      never,
    );
    await Promise.all(servers.map((server) => server.close()));
    expect(runs.map(({ failure }) => failure)).toEqual([null, null]);
    for (const server of servers) expect(server.first!.target).toBe('/from-import');
  });
});
