// needs: engine
// seconds: 21
import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { Testbed, TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { Database } from '../../../src/core/config/resolved.ts';
import {
  buildFixtureImages,
  databaseWith,
  docker,
  never,
  newRunId,
  POSTGRES,
  REST_FOLDER,
  requestFor,
  restService,
  specWith,
  thingsOf,
} from '../../integration/docker/given.ts';

const specDirectory = REST_FOLDER;
/** Its server is killed where others are asked to end. */
const KILLED = 'wrkbench-test/killed-postgres:latest';
const UNPRIVILEGED = 'wrkbench-test/unprivileged-postgres:latest';

const volumes = (runId: string) =>
  docker('volume', 'ls', '--filter', `label=wrkbench.run=${runId}`, '--format', '{{.Name}}').trim();

const userCount = async (testbed: Testbed) =>
  ((await (await fetch(`${testbed.origins.direct}/users`)).json()) as unknown[]).length;

/** Whether the image's own set-up has run in it. */
const wasSetUp = async (testbed: Testbed) =>
  (await testbed.logLines('database', 200)).some((line) => line.includes('init process complete'));

beforeAll(() => {
  buildFixtureImages('rest-node', 'postgres');
  for (const [tag, line] of [
    [UNPRIVILEGED, 'USER postgres'],
    [KILLED, 'STOPSIGNAL SIGKILL'],
  ] as const) {
    execFileSync('docker', ['build', '--quiet', '--tag', tag, '-'], { input: `FROM ${POSTGRES}\n${line}` });
  }
});
afterAll(() => execFileSync('docker', ['image', 'rm', '--force', UNPRIVILEGED, KILLED]));

describe('the database of a run that starts it again and again', () => {
  let runtime = dockerRuntime({ environment: process.env });
  let runId = '';
  let up: Testbed[] = [];

  const request = (round: number, database: Partial<Database> = {}, variant: TestbedRequest['variant'] = 'candidate') =>
    requestFor(
      runId,
      specWith(restService(), { database: databaseWith({ init: ['schema.sql', 'users.sql'], ...database }) }),
      {
        specDirectory,
        round,
        variant,
      },
    );
  const started = async (...of: Parameters<typeof request>) => {
    const testbed = await runtime.start(request(...of), never());
    up.push(testbed);
    return testbed;
  };
  const begin = () => {
    runtime = dockerRuntime({ environment: process.env });
    runId = newRunId();
    up = [];
  };

  afterEach(async () => {
    await Promise.all(up.map((testbed) => testbed.stop()));
    await runtime.release(runId);
    expect(thingsOf(runId)).toEqual([]);
  });

  it('is set up in the first two starts, and copied from then on', async () => {
    begin();
    for (const round of [1, 2]) {
      const testbed = await started(round);
      expect(await wasSetUp(testbed)).toBe(true);
      await testbed.stop();
    }
    expect(volumes(runId)).toBe('');
    for (const round of [3, 4]) {
      const testbed = await started(round);
      expect(await wasSetUp(testbed)).toBe(false);
      expect(await userCount(testbed)).toBe(20);
      // What is written to a copy stays there.
      await testbed.database!.resetStatements();
      await userCount(testbed);
      expect(await testbed.database!.statements()).toHaveLength(1);
      docker(
        'exec',
        `wrkbench-${runId}-rest-candidate-${round}-database`,
        'psql',
        '-U',
        'postgres',
        '-c',
        'DELETE FROM users',
        'bench',
      );
      await testbed.stop();
    }
    expect(volumes(runId)).toBe(`wrkbench-database-${runId}-1`);
  });

  it('is copied to both sides from one template, from the first start on, where rounds will follow', async () => {
    begin();
    const own = { user: 'shop', password: 'as the spec says' };
    const sides = await Promise.all((['baseline', 'candidate'] as const).map((variant) => started(0, own, variant)));
    for (const testbed of sides) {
      expect(await wasSetUp(testbed)).toBe(false);
      expect(await userCount(testbed)).toBe(20);
      expect(await testbed.failure()).toBeNull();
    }
    expect(volumes(runId)).toBe(`wrkbench-database-${runId}-1`);
  });

  it('is another one where its init SQL or its image is another, such as one that runs as another user than root', async () => {
    begin();
    const [empty, unprivileged] = await Promise.all([
      started(0, { init: ['schema.sql'] }, 'baseline'),
      started(0, { image: UNPRIVILEGED }, 'candidate'),
    ]);
    expect(await userCount(empty)).toBe(0);
    expect(await userCount(unprivileged)).toBe(20);
    expect(await wasSetUp(unprivileged)).toBe(false);
    expect(volumes(runId).split('\n')).toHaveLength(2);
  });

  it('is set up in every start where its image does not end cleanly', async () => {
    begin();
    const sides = await Promise.all(
      (['baseline', 'candidate'] as const).map((variant) => started(0, { image: KILLED }, variant)),
    );
    for (const testbed of sides) {
      expect(await wasSetUp(testbed)).toBe(true);
      expect(await userCount(testbed)).toBe(20);
    }
    expect(volumes(runId)).toBe('');
  });

  it('leaves no template where its making is given up, and is made by the next who starts it', async () => {
    begin();
    const abort = new AbortController();
    const reason = new Error('stop');
    const given = runtime.start(request(0), abort.signal);
    await expect.poll(() => volumes(runId), { timeout: 20_000, interval: 10 }).not.toBe('');
    abort.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect(thingsOf(runId)).toEqual([]);
    expect(await userCount(await started(0))).toBe(20);
  });
});

describe('the sweep', () => {
  it('removes the templates of an owner that has ended, and no others', async () => {
    const runtime = dockerRuntime({ environment: process.env });
    const runId = newRunId();
    const owners = { dead: '00000000-0000:1:1:1', unreadable: 'someone' };
    for (const [name, owner] of Object.entries(owners)) {
      const labels = ['--label', `wrkbench.owner=${owner}`, '--label', `wrkbench.run=${runId}`];
      docker('volume', 'create', ...labels, `wrkbench-database-${runId}-${name}`);
    }
    try {
      expect(await runtime.sweep()).toContain(
        `Removed the volume wrkbench-database-${runId}-dead of run ${runId}, whose owner has ended.`,
      );
      expect(volumes(runId)).toBe(`wrkbench-database-${runId}-unreadable`);
    } finally {
      docker('volume', 'rm', `wrkbench-database-${runId}-unreadable`);
    }
  });
});
