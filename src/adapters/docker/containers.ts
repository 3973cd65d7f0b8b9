import { Buffer } from 'node:buffer';
import { TestbedError } from '../../app/ports/testbed.ts';
import { type ContainerPlan, createArguments } from '../../core/topology/container.ts';
import { handedEnvironment } from '../../core/topology/handed-environment.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { tarOf } from './tar.ts';

/** What the engine says of a container. */
export interface ContainerState {
  id: string;
  name: string;
  running: boolean;
  /** Process id on this machine; 0 where it does not run. */
  pid: number;
  exitCode: number;
  oomKilled: boolean;
  startedAt: string;
  finishedAt: string;
  /** Why the engine could not start it; '' otherwise. */
  error: string;
  /** On this machine; what the container has as /etc/resolv.conf. */
  resolvConfPath: string;
  /** Of each period, limit in force; null where there is none. */
  cpuQuotaUs: number | null;
  /** Limit in force; null where there is none. */
  memoryBytes: number | null;
  /** Network → address. */
  addresses: Record<string, string>;
}

/** Where configuration files are put: /etc is in every image that has a program to configure. */
export const CONFIGURATION_FOLDER = '/etc/wrkbench';

/** Rejects with `TestbedError` 'start-failed'. */
export async function createContainer(engine: Engine, plan: ContainerPlan): Promise<void> {
  const { arguments: environment, env } = handedEnvironment(plan.env);
  const call = ['container', 'create', ...createArguments(plan, environment)];
  await orStartFailed(plan.name, () => engine.call(call, { env }));
}

/** Puts files at absolute paths into a container that has been created; everybody in it may read them, and nobody write. */
export async function putFiles(
  engine: Engine,
  container: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const entries = Object.entries(files).map(([path, content]) => ({
    path,
    content: Buffer.from(content),
    mode: 0o444,
  }));
  if (entries.length === 0) return;
  const isOurs = entries.some(({ path }) => path.startsWith(`${CONFIGURATION_FOLDER}/`));
  const folder = { path: CONFIGURATION_FOLDER, content: null, mode: 0o755 };
  const input = tarOf([...(isOurs ? [folder] : []), ...entries]);
  await orStartFailed(container, () => engine.call(['container', 'cp', '-', `${container}:/`], { input }));
}

/** Rejects with `TestbedError` 'start-failed'. */
export async function startContainer(engine: Engine, container: string): Promise<ContainerState> {
  await orStartFailed(container, () => engine.call(['container', 'start', container]));
  const [state] = await inspectContainers(engine, [container]);
  if (state) return state;
  throw new TestbedError('start-failed', `The container ${container} was started and is not there any more.`);
}

/** The state of each that is there; one of which the engine says that it is not is left out. */
export async function inspectContainers(engine: Engine, containers: string[]): Promise<ContainerState[]> {
  const format =
    '{"id":{{json .Id}},"name":{{json .Name}},"state":{{json .State}},"memory":{{json .HostConfig.Memory}},"cpuQuota":{{json .HostConfig.CpuQuota}},"networks":{{json .NetworkSettings.Networks}},"resolvConfPath":{{json .ResolvConfPath}}}';
  let stdout: string;
  try {
    stdout = (await engine.call(['container', 'inspect', '--format', format, ...containers])).stdout;
  } catch (error) {
    // It may not have answered at all.
    if (!(error instanceof EngineFailure) || !NOT_THERE.test(error.output)) throw error;
    stdout = error.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .join('\n');
  }
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => readState(JSON.parse(line)));
}

const NOT_THERE = /no such (?:container|object)/i;

/** The last lines that a container printed, both streams; none where it is gone. `after`: only those since then, as `lastPrintedAt` has it. */
export async function logsOf(engine: Engine, container: string, count: number, after?: string): Promise<string[]> {
  const since = after === undefined ? [] : ['--timestamps', '--since', after];
  const lines = await printedLines(engine, container, ['--tail', String(count), ...since]);
  const own = after === undefined ? lines : lines.filter((line) => stampOf(line) > after).map(withoutStamp);
  return own.filter((line) => line !== '').slice(-count);
}

/** When a container printed its last line, by the engine's clock; null where it has printed nothing, or is gone. */
export async function lastPrintedAt(engine: Engine, container: string): Promise<string | null> {
  const stamps = (await printedLines(engine, container, ['--tail', '1', '--timestamps'])).map(stampOf);
  return stamps.toSorted().at(-1) ?? null;
}

async function printedLines(engine: Engine, container: string, options: string[]): Promise<string[]> {
  try {
    const { all } = await engine.call(['container', 'logs', ...options, container]);
    return all
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** `2026-11-29T10:00:00.123456789Z`, of one length always, before what was printed. */
function stampOf(line: string): string {
  return line.split(' ', 1)[0]!;
}

function withoutStamp(line: string): string {
  return line.slice(stampOf(line).length + 1);
}

interface Inspected {
  id: string;
  name: string;
  state: {
    Running: boolean;
    Pid: number;
    ExitCode: number;
    OOMKilled: boolean;
    StartedAt: string;
    FinishedAt: string;
    Error: string;
  };
  /** 0 where there is no limit. */
  memory: number;
  /** The same. */
  cpuQuota: number;
  networks: Record<string, { IPAddress: string }> | null;
  resolvConfPath: string;
}

function readState(inspected: Inspected): ContainerState {
  const { state } = inspected;
  const networks = Object.entries(inspected.networks ?? {});
  return {
    id: inspected.id,
    name: inspected.name.replace(/^\//, ''),
    running: state.Running,
    pid: state.Pid,
    exitCode: state.ExitCode,
    oomKilled: state.OOMKilled,
    startedAt: state.StartedAt,
    finishedAt: state.FinishedAt,
    error: state.Error,
    resolvConfPath: inspected.resolvConfPath,
    cpuQuotaUs: inspected.cpuQuota || null,
    memoryBytes: inspected.memory || null,
    addresses: Object.fromEntries(networks.map(([name, network]) => [name, network.IPAddress])),
  };
}

async function orStartFailed(container: string, ask: () => Promise<unknown>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    throw new TestbedError('start-failed', `The container ${container} cannot be started (${error.message})`);
  }
}
