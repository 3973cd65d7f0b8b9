// needs: engine, linux
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEngine, type Engine } from '../../../src/adapters/docker/engine.ts';
import { runInRunnerContainer } from '../../../src/adapters/docker/runner-container.ts';
import { ownIdentity } from '../../../src/adapters/process/owner.ts';
import { processIds, readProc } from '../../../src/adapters/process/process-table.ts';
import type { Progress } from '../../../src/app/ports/progress.ts';
import { OWNER_LABEL } from '../../../src/core/topology/labels.ts';
import { IMAGES } from '../../support/images.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { buildFixtureImages, docker, never } from './given.ts';

/** Says where it runs, and ends as it is told to; left alone, as nobody expects. */
const UNTIL_INTERRUPTED = `
process.on('SIGINT', () => process.exit(130));
console.log(process.env.WRKBENCH_OWNER);
setTimeout(() => process.exit(7), 20_000);
`;
const engine = createEngine(process.env);
const label = `label=${OWNER_LABEL}=${ownIdentity()}`;
let since: string;

beforeAll(() => buildFixtureImages('runner-container'));
beforeEach(() => {
  since = String(Date.now() / 1000);
  vi.stubEnv('WRKBENCH_RUNNER_CONTAINER_IMAGE', IMAGES.runnerContainer);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function run(program: string, signal: AbortSignal, { by = engine, onResult = (_: string) => {} } = {}) {
  const folder = temporaryFolder();
  const [bundle, directory] = [join(folder, 'bundle'), join(folder, 'repository')];
  mkdirSync(bundle);
  mkdirSync(directory);
  writeFileSync(join(bundle, 'cli.cjs'), program);
  const location = {
    place: 'here',
    socket: '/var/run/docker.sock',
    engineFolder: docker('info', '--format', '{{.DockerRootDir}}').trim(),
    cgroupDriver: 'cgroupfs',
    obstacle: null,
  } as const;
  const call = { command: ['run'], environment: {}, inside: '', brought: [], progress: silent };
  const request = { ...call, directory, program: bundle, out: join(folder, 'out'), onResult };
  return runInRunnerContainer(by, location, request, signal);
}

const silent: Progress = { say() {}, warn() {}, begin() {}, end() {}, at() {}, busy() {}, measured() {} };

/** What became of the containers of this test, in order: `create`, `start`, `kill 2`, `die` … */
function events(): string[] {
  const filters = ['--filter', 'type=container', '--filter', label];
  const format = '{{.Action}} {{if .Actor.Attributes.signal}}{{.Actor.Attributes.signal}}{{end}}';
  const until = String(Date.now() / 1000);
  const text = docker('events', '--since', since, '--until', until, ...filters, '--format', format);
  return text.split('\n').flatMap((line) => line.trim() || []);
}

/** The real engine, as one with buildx: it says that it has built, and has the image already. */
function withBuildx(): { engine: Engine; built: string[][] } {
  const built: string[][] = [];
  const call: Engine['call'] = async (args, options) => {
    if (args[0] === 'buildx') built.push(args.slice(0, -1));
    if (args[0] === 'buildx') return { stdout: '', all: '' };
    if (args[0] === 'image' && args.at(-1) === 'wrkbench-runner-container:latest')
      return engine.call([...args.slice(0, -1), IMAGES.runnerContainer], options);
    return engine.call(args, options);
  };
  return { engine: { call }, built };
}

/** Resolves to the name of the container, once its program runs. */
function whenUp(): { onResult(line: string): void; name: Promise<string> } {
  let onResult: (line: string) => void = () => {};
  const name = new Promise<string>((resolve) => {
    onResult = (line) => resolve(line.replace('runner-container:', ''));
  });
  return { onResult: (line) => onResult(line), name };
}

describe('a run in a container that measures', () => {
  it('ends as the container does', async () => {
    const lines: string[] = [];
    const status = await run('console.log("result"); process.exit(3)', never(), {
      onResult: (line) => lines.push(line),
    });
    expect({ status, lines }).toEqual({ status: 3, lines: ['result'] });
    expect(events().at(-1)).toBe('destroy');
  });

  it('has an image that is built as every other one, and loaded into the engine', async () => {
    vi.stubEnv('WRKBENCH_RUNNER_CONTAINER_IMAGE', undefined);
    const { engine: by, built } = withBuildx();
    expect(await run('process.exit(3)', never(), { by })).toBe(3);
    expect(built).toEqual([['buildx'], ['buildx', 'build', '--load', '--tag', 'wrkbench-runner-container:latest']]);
  });

  it('is an error where the connection to it is lost, and is ended in order', async () => {
    const { onResult, name } = whenUp();
    const running = run(UNTIL_INTERRUPTED, never(), { onResult });
    const client = `docker\0start\0--attach\0${await name}\0`;
    process.kill(processIds().find((pid) => readProc(`/proc/${pid}/cmdline`) === client)!, 'SIGKILL');
    await expect(running).rejects.toMatchObject({
      code: 'engine-unavailable',
      message: expect.stringMatching(/^The connection to the container that measures was lost /),
    });
    expect(events()).toEqual(expect.arrayContaining(['start', 'kill 2', 'stop', 'destroy']));
    expect(events()).not.toContain('kill 9');
  });

  it('is interrupted there when it is interrupted here', async () => {
    const abort = new AbortController();
    const { onResult, name } = whenUp();
    const running = run(UNTIL_INTERRUPTED, abort.signal, { onResult });
    await name;
    abort.abort(new Error('SIGINT'));
    expect(await running).toBe(130);
  });

  it('does not begin where it is interrupted while files are copied', async () => {
    const abort = new AbortController();
    const reason = new Error('SIGINT');
    const interrupted: Engine = {
      call(args, options) {
        if (args[0] === 'cp') setTimeout(() => abort.abort(reason), 1);
        return engine.call(args, options);
      },
    };
    await expect(run(UNTIL_INTERRUPTED, abort.signal, { by: interrupted })).rejects.toBe(reason);
    expect(events()).toEqual(['create', 'destroy']);
  });

  it('is interrupted there also where the engine has not started it yet', async () => {
    const folder = temporaryFolder();
    const docker = join(folder, 'docker');
    writeFileSync(
      docker,
      `#!/bin/sh\n[ "$1" = start ] && touch ${folder}/asked && sleep 1\nPATH='${process.env.PATH}' exec docker "$@"\n`,
    );
    chmodSync(docker, 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    const abort = new AbortController();
    const running = run(UNTIL_INTERRUPTED, abort.signal);
    await expect.poll(() => existsSync(join(folder, 'asked')), { timeout: 20_000 }).toBe(true);
    abort.abort(new Error('SIGINT'));
    expect(await running).toBe(130);
  });
});
