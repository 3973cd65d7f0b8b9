// needs: engine, linux
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commandLinesWith } from '../../support/command-lines.ts';
import { IMAGES } from '../../support/images.ts';
import { startedProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { buildFixtureImages, docker } from './given.ts';

const DEBIAN = 'wrkbench-fixture/debian:bookworm';

beforeAll(() => buildFixtureImages('debian', 'runner-container'));

const SOON = { timeout: 10_000, interval: 50 };

/** A program that prepares one service, whose image is named so. */
const preparing = (image: string, name: string) => `
  import { dockerRuntime } from './src/adapters/docker/runtime.ts';
  import { serviceWith, specWith } from './tests/integration/docker/given.ts';
  const spec = { ...specWith(serviceWith({ image: ${image} })), name: '${name}' };
  const request = { runId: '${name}', spec, services: spec.services, specDirectory: '/', builds: 1, onLine: () => {} };
  void dockerRuntime({ environment: process.env }).prepare(request, new AbortController().signal);`;

describe('what a run that is killed outright has asked the engine for', () => {
  it('is given up: a build, with the step of it that goes on', async () => {
    const context = temporaryFolder();
    const seconds = 60_000 + (process.pid % 10_000);
    writeFileSync(join(context, 'Dockerfile'), `FROM ${DEBIAN}\nRUN sleep ${seconds}\n`);
    const image = { kind: 'build', context, dockerfile: 'Dockerfile', target: null, args: {} };
    const program = await startedProgram(preparing(JSON.stringify(image), `killed-${process.pid}`));
    await expect.poll(() => commandLinesWith(`sleep ${seconds}`), { ...SOON, timeout: 60_000 }).not.toEqual([]);
    expect(commandLinesWith(context)).toEqual([expect.stringMatching(/^docker (?:buildx )?build /)]);
    program.kill('SIGKILL');
    await expect.poll(() => [...commandLinesWith(context), ...commandLinesWith(`sleep ${seconds}`)], SOON).toEqual([]);
    await expect
      .poll(() => docker('ps', '--all', '--no-trunc', '--format', '{{.Command}}'), SOON)
      .not.toContain(`sleep ${seconds}`);
  });

  it('is interrupted: a run in a container beside the servers', async () => {
    const folder = temporaryFolder();
    for (const name of ['bundle', 'repository']) mkdirSync(join(folder, name));
    // As the command does, it takes down what it has started.
    writeFileSync(
      join(folder, 'bundle/cli.cjs'),
      `process.on('SIGTERM', () => { console.log('taken down'); process.exit(143); });
      console.log(process.env.WRKBENCH_OWNER);
      setTimeout(() => {}, 60_000);`,
    );
    const program = await startedProgram(`
      import { createEngine } from './src/adapters/docker/engine.ts';
      import { runInRunnerContainer } from './src/adapters/docker/runner-container.ts';
      process.env.WRKBENCH_RUNNER_CONTAINER_IMAGE = '${IMAGES.runnerContainer}';
      const engineFolder = '${docker('info', '--format', '{{.DockerRootDir}}').trim()}';
      const location = { place: 'here', socket: '/var/run/docker.sock', engineFolder, cgroupDriver: 'cgroupfs', obstacle: null };
      const progress = { say() {}, warn() {}, begin() {}, end() {}, at() {}, busy() {}, measured() {} };
      const call = { command: ['run'], environment: {}, inside: '', brought: [], progress, onResult: console.log };
      const request = { ...call, directory: '${folder}/repository', program: '${folder}/bundle', out: '${folder}/out' };
      void runInRunnerContainer(createEngine(process.env), location, request, new AbortController().signal);`);
    const [owner] = (await once(program.stdout!, 'data')) as [Buffer];
    const container = String(owner).trim().replace('runner-container:', '');
    onTestFinished(() => void docker('rm', '--force', container));
    program.kill('SIGKILL');
    const state = () => docker('inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', container).trim();
    await expect.poll(state, SOON).toBe('exited 143');
    expect(docker('logs', container)).toContain('taken down');
  });

  it('is given up: a pull from a registry that does not answer', async () => {
    const registry = createServer(() => {}).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    onTestFinished(() => void registry.close());
    const reference = `127.0.0.1:${(registry.address() as AddressInfo).port}/slow:latest`;
    const image = { kind: 'image', reference };
    const program = await startedProgram(preparing(JSON.stringify(image), `killed-${process.pid}`));
    await expect.poll(() => commandLinesWith(reference), SOON).toContain(`docker pull ${reference}`);
    // What ends it is told of it once it has been started, not in the same moment: a few ms where the CPUs are busy.
    await sleep(500);
    program.kill('SIGKILL');
    await expect.poll(() => commandLinesWith(reference), SOON).toEqual([]);
  });
});
