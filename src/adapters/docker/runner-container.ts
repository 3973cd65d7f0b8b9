import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { Progress } from '../../app/ports/progress.ts';
import { TestbedError } from '../../app/ports/testbed.ts';
import { handedEnvironment } from '../../core/topology/handed-environment.ts';
import { OWNER_LABEL, RUN_LABEL, runnerContainerOwner } from '../../core/topology/labels.ts';
import { runnerContainerName } from '../../core/topology/names.ts';
import {
  RUNNER_CONTAINER,
  RUNNER_CONTAINER_DOCKERFILE,
  RUNNER_CONTAINER_VARIABLES,
  runnerContainerArguments,
} from '../../core/topology/runner-container.ts';
import { standGuard, watchLeader } from '../process/guard.ts';
import { ownIdentity } from '../process/owner.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';
import { relay } from '../terminal/progress-lines.ts';
import { type Engine, engineEnvironment } from './engine.ts';
import { buildCommand, haveImage } from './images.ts';
import { type EngineLocation, requireUsable } from './place.ts';
import { removeContainers, stopRunnerContainer } from './removal.ts';

export interface RunnerContainerRequest {
  /** Folder that is copied there: the repository that the spec lies in. */
  directory: string;
  /** In it, where the command starts; '' for its top. */
  inside: string;
  /** Folder of the bundle that is run there. */
  program: string;
  /** What else it reads there: files, and folders whose content is copied. */
  brought: readonly Copy[];
  /** After `wrkbench`; the run's folder is `/work/.wrkbench-out`. */
  command: readonly string[];
  environment: Record<string, string>;
  /** Where the results are put, absolute; it must not be there. */
  out: string;
  /** Each line that it prints there as its result. */
  onResult(line: string): void;
  /** What it tells there is told here. */
  progress: Progress;
}

export interface Copy {
  /** Absolute. What ends in `/.` is copied without the folder itself. */
  from: string;
  /** Inside of it, absolute. */
  to: string;
}

export const RUNNER_CONTAINER_OUT = `${RUNNER_CONTAINER.work}/.wrkbench-out`;
const COPY_SECONDS = 1800;

/**
 * Runs the command on the engine's machine and brings its results here. Resolves to its exit status; an interrupted run is
 * told so there, and its results are brought as well. Rejects with `TestbedError` where the engine or the image cannot
 * be had.
 */
export async function runInRunnerContainer(
  engine: Engine,
  location: EngineLocation,
  request: RunnerContainerRequest,
  signal: AbortSignal,
): Promise<number> {
  requireUsable(location);
  const { place, socket, engineFolder } = location;
  const image = await runnerContainerImage(engine, request.progress, signal);
  const name = runnerContainerName(randomBytes(4).toString('hex'));
  const plan = {
    name,
    image,
    labels: { [OWNER_LABEL]: ownIdentity(place === 'elsewhere'), [RUN_LABEL]: name },
    engineFolder,
    socket,
    environment: {
      ...request.environment,
      [RUNNER_CONTAINER_VARIABLES.owner]: runnerContainerOwner(name),
      [RUNNER_CONTAINER_VARIABLES.progress]: 'lines',
    },
    workingDirectory: join(RUNNER_CONTAINER.work, request.inside),
    command: ['node', `${RUNNER_CONTAINER.program}/cli.cjs`, ...request.command],
  };
  const { arguments: environment, env } = handedEnvironment(plan.environment);
  await engine.call(['create', ...runnerContainerArguments(plan, environment)], { env });
  try {
    const copies = [
      { from: `${request.program}/.`, to: RUNNER_CONTAINER.program },
      { from: `${request.directory}/.`, to: RUNNER_CONTAINER.work },
      ...request.brought,
    ];
    // Half a copy does no harm: the container goes.
    for (const { from, to } of copies)
      await engine.call(['cp', from, `${name}:${to}`], { signal, timeoutSeconds: COPY_SECONDS });
    signal.throwIfAborted();
    const status = await attached(engine, name, request, signal);
    await mkdir(dirname(request.out), { recursive: true });
    // What is in it: a folder that is there already would get the folder itself.
    const brought = engine.call(['cp', `${name}:${RUNNER_CONTAINER_OUT}/.`, request.out], { timeoutSeconds: 300 });
    // One that failed may have had nothing to leave, and has said why.
    await (status === 0 ? brought : brought.catch(() => undefined));
    return status;
  } finally {
    await removeContainers(engine, [name]);
  }
}

/** Starts it and passes on what it prints, until it ends. */
async function attached(
  engine: Engine,
  name: string,
  { out, onResult, progress }: RunnerContainerRequest,
  signal: AbortSignal,
): Promise<number> {
  standGuard();
  const child = execa('docker', ['start', '--attach', name], {
    env: engineEnvironment(process.env),
    extendEnv: false,
    reject: false,
    buffer: false,
    stdin: 'ignore',
    detached: true,
  });
  // It passes the signal on: where this process is killed, the run there is interrupted.
  const forget = watchLeader(child.pid);
  const here = (text: string) => text.replaceAll(RUNNER_CONTAINER_OUT, out);
  const ends = [
    eachLine(child.stdout, (line) => onResult(here(line))),
    eachLine(child.stderr, (line) => relay(line, progress, here)),
  ];
  let hasEnded = false;
  let stopping: Promise<void> | null = null;
  const stop = () => {
    stopping = stopOnceStarted(engine, name, () => hasEnded);
  };
  signal.addEventListener('abort', stop, { once: true });
  const { exitCode } = await child.finally(forget);
  hasEnded = true;
  await Promise.all(ends);
  signal.removeEventListener('abort', stop);
  await stopping;
  const { state, status } = await stateOf(engine, name);
  if (state === 'exited') return status;
  if (state === 'created') {
    throw new TestbedError(
      'start-failed',
      `The container that measures could not be started (docker start: exit status ${exitCode}). The engine says why above; ` +
        'it must allow containers with the capabilities SYS_ADMIN and NET_ADMIN, and mounts of its own socket and folders.',
    );
  }
  await stopRunnerContainer(engine, name);
  throw new TestbedError(
    'engine-unavailable',
    `The connection to the container that measures was lost (docker start: exit status ${exitCode}), and the run there was ended: ` +
      'what it had measured is gone. See to it that the connection to the engine lasts as long as a run, and run again.',
  );
}

/** `created`, `running`, `exited` …, and its exit status once it has exited. */
async function stateOf(engine: Engine, name: string): Promise<{ state: string; status: number }> {
  const format = '{{.State.Status}} {{.State.ExitCode}}';
  const { stdout } = await engine.call(['container', 'inspect', '--format', format, name]);
  const [state = '', status] = stdout.trim().split(' ');
  return { state, status: Number(status) };
}

/** The engine stops nothing that it has not started yet, and starts it all the same. Never rejects. */
async function stopOnceStarted(engine: Engine, name: string, isOver: () => boolean): Promise<void> {
  const isWaiting = () =>
    stateOf(engine, name).then(
      ({ state }) => state === 'created',
      () => false,
    );
  while (!isOver() && (await isWaiting())) await sleep(100);
  await stopRunnerContainer(engine, name);
}

/** Resolves when the stream has ended. */
function eachLine(stream: Readable, onLine: (line: string) => void): Promise<unknown> {
  return once(createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine), 'close');
}

const BUILD_SECONDS = 1800;

/** The image that `WRKBENCH_RUNNER_CONTAINER_IMAGE` names, else one that is built here, once. */
async function runnerContainerImage(engine: Engine, progress: Progress, signal: AbortSignal): Promise<string> {
  const onLine = (line: string) => progress.say(line);
  const named = process.env.WRKBENCH_RUNNER_CONTAINER_IMAGE;
  if (named) return (await haveImage(engine, named, onLine, signal)).id;
  const folder = await makeTemporaryFolder('runner-container');
  try {
    await writeFile(join(folder, 'Dockerfile'), RUNNER_CONTAINER_DOCKERFILE);
    const tag = 'wrkbench-runner-container:latest';
    const { arguments: command, env } = await buildCommand(engine);
    await engine.call([...command, '--tag', tag, folder], { signal, timeoutSeconds: BUILD_SECONDS, onLine, env });
    return (await haveImage(engine, tag, onLine, signal)).id;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
