// needs: engine, wrk, k6, linux
// seconds: 29
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordIn, start, wrkbench } from '../e2e/support/command.ts';
import { type EngineProxy, engineProxy } from '../e2e/support/engine-proxy.ts';
import { ownedByRuns } from '../e2e/support/leftovers.ts';
import { IMAGES } from '../support/images.ts';
import { specFolder, temporaryFolder } from '../support/spec-folder.ts';

const CLI = path.resolve('dist');
const spec = `
name: http
services:
  go: {image: "${IMAGES.misbehaving}", port: 8080, ready: {path: /ping}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  k6: {rate: 200/s, connections: [50], keep-alive: [on], duration: 2s}
  warm-up: 200ms
  cool-down: 100ms
`;

/** Others may have left some before, which a run then sweeps away. */
const added = (before: string[], now: string[]) => now.filter((name) => !before.includes(name));

/** As a container job has it: the engine's socket, a folder, and a view of the machine of its own. */
function inContainer(folder: string, ...args: string[]): string {
  return execFileSync(
    'docker',
    [
      ...['run', '--rm', '--volume', '/var/run/docker.sock:/var/run/docker.sock', '--volume', `${folder}:${folder}`],
      ...[
        '--volume',
        `${CLI}:${CLI}:ro`,
        '--workdir',
        folder,
        '--env',
        `WRKBENCH_RUNNER_CONTAINER_IMAGE=${IMAGES.runnerContainer}`,
      ],
      ...['--entrypoint', 'node', IMAGES.runnerContainer, path.join(CLI, 'cli.cjs'), ...args],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
}

describe('a run from inside of a container', () => {
  it('is measured beside the servers, and leaves what any run does', () => {
    const folder = specFolder({ 'wrkbench.yml': spec });
    const before = ownedByRuns();
    inContainer(folder, 'run', '--out', 'out');
    const { cases } = recordIn(path.join(folder, 'out'));
    expect(cases.map(({ key, status }) => [key, status])).toEqual([
      ['go/ping/direct/wrk/keep-alive/16', 'valid'],
      ['go/ping/direct/k6/keep-alive/50@200ps', 'valid'],
    ]);
    expect(cases[0]!.metrics['cpu-per-request']!.value).toBeGreaterThan(0);
    expect(added(before, ownedByRuns())).toEqual([]);
  });
});

describe('a run whose engine is on another machine', () => {
  let proxy: EngineProxy;
  beforeAll(async () => {
    proxy = await engineProxy();
  });
  afterAll(() => proxy.close());

  it('is measured there, prints what any run does, and fills its folder here, which may be there already', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec.replace(/^ {2}k6:.*\n/m, '') });
    const out = path.join(folder, 'out');
    mkdirSync(out);
    const before = ownedByRuns();
    const env = {
      DOCKER_HOST: proxy.host,
      WRKBENCH_RUNNER_CONTAINER_IMAGE: IMAGES.runnerContainer,
    };
    const { status, stdout, stderr } = await wrkbench(['run', '--out', 'out'], { cwd: folder, env });
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('on another machine') });
    expect(stdout).toContain(`Report: ${out}/report.html`);
    expect(recordIn(out).cases.map(({ status: found }) => found)).toEqual(['valid']);
    expect(added(before, ownedByRuns())).toEqual([]);
  });

  it('is compared with the numbers of an earlier one, which lies here', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec.replace(/^ {2}k6:.*\n/m, '') });
    const runs = temporaryFolder();
    const env = { DOCKER_HOST: proxy.host, WRKBENCH_RUNNER_CONTAINER_IMAGE: IMAGES.runnerContainer };
    const run = (name: string) =>
      wrkbench(['run', '--baseline', 'stored', '--out', path.join(runs, name)], { cwd: folder, env });
    const first = await run('first');
    expect(first.stderr).toContain(`There is no earlier run of http in ${runs}: a first measurement.`);
    const { id } = recordIn(path.join(runs, 'first'));
    const second = await run('second');
    expect(second.stderr).toContain(`The baseline is numbers of run ${id}`);
    expect(readdirSync(path.join(runs, 'second'))).toContain('comparison.json');
  });

  it.each(['SIGINT', 'SIGHUP'] as const)(
    'leaves nothing there when %s ends it, and keeps what it had',
    async (signal) => {
      const folder = specFolder({ 'wrkbench.yml': spec.replace('duration: 1s', 'duration: 60s') });
      const before = ownedByRuns();
      const env = {
        DOCKER_HOST: proxy.host,
        WRKBENCH_RUNNER_CONTAINER_IMAGE: IMAGES.runnerContainer,
      };
      const running = start(['run', '--only', '*wrk*', '--out', 'out'], { cwd: folder, env });
      await running.prints(/\[1\/1\] go\/ping/);
      running.process.kill(signal);
      expect((await running.ended).status).toBe(130);
      expect(readdirSync(path.join(folder, 'out'))).toContain('journal.jsonl');
      expect(added(before, ownedByRuns())).toEqual([]);
    },
  );
});
