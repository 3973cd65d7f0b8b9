// seconds: 16
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { textTemplates } from '../../../scripts/text-templates.mjs';
import { removeLeftoverFolders } from '../../../src/adapters/docker/cgroup-folders.ts';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import {
  buildFixtureImages,
  cgroupDriver,
  databaseWith,
  docker,
  MISBEHAVING,
  NGINX,
  newRunId,
  PGBOUNCER,
  requestFor,
  serviceWith,
  specWith,
  thingsOf,
} from '../../integration/docker/given.ts';

const runtime = dockerRuntime({ environment: process.env });
const wholeSpec = specWith(serviceWith(), {
  database: databaseWith({
    pooler: { kind: 'pgbouncer', image: PGBOUNCER, mode: 'session', defaultPoolSize: 2, maxClientConnections: 9 },
  }),
  gateway: { kind: 'nginx', image: NGINX },
});

beforeAll(() => buildFixtureImages('misbehaving', 'postgres', 'pgbouncer', 'nginx'));

describe('a testbed that is halted', () => {
  it('runs nothing any more, and is removed when it is stopped', async () => {
    const runId = newRunId();
    const testbed = await runtime.start(requestFor(runId, wholeSpec), new AbortController().signal);
    const running = () => docker('ps', '--quiet', '--filter', `label=wrkbench.run=${runId}`);
    expect(running().trim().split('\n')).toHaveLength(4);
    const whole = thingsOf(runId);
    await testbed.halt!();
    expect(running()).toBe('');
    expect(thingsOf(runId)).toEqual(whole);
    await testbed.halt!();
    await testbed.stop();
    expect(thingsOf(runId)).toEqual([]);
  });
});

describe('an aborted start', () => {
  it.each([0, 60, 150, 300, 500, 800, 1200, 1800, 2500])(
    'leaves nothing when it is aborted after %i ms',
    async (delayMs) => {
      const runId = newRunId();
      const abort = new AbortController();
      const reason = new Error('interrupted');
      const timer = setTimeout(() => abort.abort(reason), delayMs);
      const testbed = await runtime.start(requestFor(runId, wholeSpec), abort.signal).catch((error: unknown) => error);
      clearTimeout(timer);
      if (testbed instanceof Error) expect(testbed).toBe(reason);
      else await (testbed as Awaited<ReturnType<typeof runtime.start>>).stop();
      expect(thingsOf(runId)).toEqual([]);
    },
  );

  it('ends at once while it waits for a service that hangs', async () => {
    const runId = newRunId();
    const service = serviceWith({ env: { SLEEP_MS: '600000' }, ready: { path: '/', timeoutSeconds: 600 } });
    const reason = new Error('interrupted');
    const abort = new AbortController();
    const start = runtime.start(requestFor(runId, specWith(service)), abort.signal);
    await expect
      .poll(() => docker('ps', '--quiet', '--filter', `label=wrkbench.run=${runId}`), { timeout: 10_000 })
      .not.toBe('');
    setTimeout(() => abort.abort(reason), 500);
    await expect(start).rejects.toBe(reason);
    expect(thingsOf(runId)).toEqual([]);
  });

  it('does not begin with a signal that is aborted already', async () => {
    const runId = newRunId();
    const reason = new Error('interrupted before');
    await expect(runtime.start(requestFor(runId, wholeSpec), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(thingsOf(runId)).toEqual([]);
  });

  it('ends a build in the middle', async () => {
    const context = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
    const dockerfile = join(context, 'Dockerfile');
    writeFileSync(dockerfile, 'FROM wrkbench-fixture/postgres:15\nRUN sleep 20\n');
    const image = { kind: 'build', context, dockerfile, target: null, args: {} } as const;
    const spec = specWith(serviceWith({ image }));
    const abort = new AbortController();
    const reason = new Error('interrupted');
    const onLine = (line: string) => {
      if (/sleep 20/.test(line)) setTimeout(() => abort.abort(reason), 200);
    };
    const request = { runId: newRunId(), spec, services: spec.services, specDirectory: '/', onLine };
    await expect(runtime.prepare(request, abort.signal)).rejects.toBe(reason);
    rmSync(context, { recursive: true });
  });
});

/** A process of its own that puts a testbed up, says so, and does nothing more. */
describe('the sweep', () => {
  const directory = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
  const program = join(directory, 'owner.cjs');

  beforeAll(async () => {
    await build({
      stdin: {
        contents: `
          import { dockerRuntime } from './src/adapters/docker/runtime.ts';
          import { databaseWith, requestFor, serviceWith, specWith } from './tests/integration/docker/given.ts';
          const spec = specWith(serviceWith(), { database: databaseWith() });
          dockerRuntime({ environment: process.env }).start(requestFor(process.argv[2], spec), new AbortController().signal)
            .then(() => console.log('up'));
          setInterval(() => {}, 1000);`,
        resolveDir: process.cwd(),
        loader: 'ts',
      },
      ...{
        bundle: true,
        plugins: [textTemplates],
        platform: 'node',
        format: 'cjs',
        outfile: program,
        logLevel: 'silent',
      },
      external: ['pg-native', 'cloudflare:sockets'],
    });
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const startOwner = (runId: string) => spawn('node', [program, runId], { stdio: ['ignore', 'pipe', 'inherit'] });
  const up = (owner: ChildProcess) => new Promise((resolve) => owner.stdout?.once('data', resolve));
  const killed = (owner: ChildProcess) =>
    new Promise((resolve) => {
      owner.once('exit', resolve);
      owner.kill('SIGKILL');
    });

  /** So that a test which fails half-way leaves nothing that other tests, or the next call, would find. */
  const endedWithAll = async (owner: ChildProcess) => {
    if (owner.exitCode === null && owner.signalCode === null) await killed(owner);
    await runtime.sweep();
  };

  it('leaves what a living owner has, and removes it once the owner is dead', async () => {
    const runId = newRunId();
    const owner = startOwner(runId);
    await up(owner);
    onTestFinished(() => endedWithAll(owner));
    const things = thingsOf(runId);
    const base = `wrkbench-${runId}-plain-candidate-1`;
    expect(things).toEqual(
      expect.arrayContaining([`${base}-service`, `${base}-database`, `${base}-app`, `${base}-db`]),
    );

    expect((await runtime.sweep()).filter((sentence) => sentence.includes(runId))).toEqual([]);
    expect(thingsOf(runId)).toEqual(things);

    await killed(owner);
    const sentences = (await runtime.sweep()).filter((sentence) => sentence.includes(runId));
    expect(sentences.sort()).toEqual([
      `Removed the container ${base}-database of run ${runId}, whose owner has ended.`,
      `Removed the container ${base}-service of run ${runId}, whose owner has ended.`,
      ...(cgroupDriver() === 'cgroupfs' ? [`Removed the empty cgroup ${base}, which is unused.`] : []),
      `Removed the network ${base}-app of run ${runId}, whose owner has ended.`,
      `Removed the network ${base}-db of run ${runId}, whose owner has ended.`,
    ]);
    expect(thingsOf(runId)).toEqual([]);
  });

  it('removes what an owner has left that was killed in the middle of a start', async () => {
    const runId = newRunId();
    const owner = startOwner(runId);
    onTestFinished(() => endedWithAll(owner));
    const running = () => docker('ps', '--quiet', '--filter', `label=wrkbench.run=${runId}`);
    await expect.poll(running, { timeout: 20_000, interval: 20 }).not.toBe('');
    await killed(owner);
    // What the engine had been asked for just before is done by then.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await runtime.sweep();
    expect(thingsOf(runId)).toEqual([]);
  });

  it('leaves what it cannot judge: another pid namespace, or a label that it cannot read', async () => {
    const runId = newRunId();
    const boot = docker(
      'run',
      '--rm',
      'wrkbench-fixture/debian:bookworm',
      'cat',
      '/proc/sys/kernel/random/boot_id',
    ).trim();
    const owners = { elsewhere: `${boot}:1:1:1`, unreadable: 'someone', rebooted: '00000000-0000:1:1:1' };
    const names = Object.entries(owners).map(([name, owner]) => {
      const labels = ['--label', `wrkbench.owner=${owner}`, '--label', `wrkbench.run=${runId}`];
      docker('container', 'create', '--name', `${runId}-${name}`, ...labels, MISBEHAVING);
      return `${runId}-${name}`;
    });
    try {
      const sentences = await runtime.sweep();
      expect(sentences).toContain(`Removed the container ${runId}-rebooted of run ${runId}, whose owner has ended.`);
      expect(thingsOf(runId).sort()).toEqual([`${runId}-elsewhere`, `${runId}-unreadable`]);
    } finally {
      for (const name of names) docker('container', 'rm', '--force', name);
    }
  });

  it('removes empty cgroups that nobody uses in every hierarchy, and no others', () => {
    const mount = join(directory, 'cgroup');
    for (const hierarchy of ['cpu', 'memory']) {
      mkdirSync(join(mount, hierarchy, 'wrkbench', 'left'), { recursive: true });
      mkdirSync(join(mount, hierarchy, 'wrkbench', 'living'), { recursive: true });
      mkdirSync(join(mount, hierarchy, 'wrkbench', 'full', 'container'), { recursive: true });
    }
    expect(removeLeftoverFolders(new Set(['living']), mount)).toEqual(['left']);
    const kept = ['full', 'living'];
    expect(['cpu', 'memory'].map((name) => readdirSync(join(mount, name, 'wrkbench')).sort())).toEqual([kept, kept]);
    rmSync(join(mount, 'cpu', 'wrkbench', 'full'), { recursive: true });
    expect(removeLeftoverFolders(new Set(), mount)).toEqual(['living']);
    expect(readdirSync(join(mount, 'cpu'))).toEqual([]);
  });
});
