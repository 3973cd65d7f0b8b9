import { readFileSync, readlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError, type TestbedFailureCode, type TestbedPart } from '../../app/ports/testbed.ts';
import { size } from '../../core/format/figures.ts';
import type { ContainerPlan } from '../../core/topology/container.ts';
import { MORE_MEMORY } from '../../core/topology/memory-limit.ts';
import { resolvConfForContainers } from '../../core/topology/name-servers.ts';
import { isAlive } from '../network/network-state.ts';
import { runCommand } from '../process/command.ts';
import { cgroupMeterOf } from '../sampling/cgroup.ts';
import type { CgroupMeter } from '../sampling/cgroup-meter.ts';
import { type ContainerState, inspectContainers, logsOf, startContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { removeContainers } from './removal.ts';

/** A container of a testbed that has been started. */
export interface Part {
  kind: TestbedPart;
  state: ContainerState;
  meter: CgroupMeter;
}

/** What every part of one testbed is made with. */
export interface PartFrame {
  cgroupParent: string;
  labels: Record<string, string>;
  limits: EngineLimits;
}

/** What the engine has turned out not to be able to do; kept for all testbeds of a runtime. */
export interface EngineLimits {
  /** An engine without CAP_SYS_RESOURCE cannot give more open files than it was given itself. */
  openFilesRefused: boolean;
  /** The most that it can give, where that is known beforehand; else null. */
  mostOpenFiles: number | null;
}

type PlainFields =
  | 'entrypoint'
  | 'command'
  | 'env'
  | 'user'
  | 'cpuQuota'
  | 'memoryBytes'
  | 'sharedMemoryBytes'
  | 'memoryFolders'
  | 'volumes'
  | 'hosts';
type PartContainer = Omit<ContainerPlan, PlainFields | 'cgroupParent' | 'labels'> & Partial<ContainerPlan>;

/** A container's plan within its frame; what is left out is as the image has it. */
export function partContainer(frame: PartFrame, wanted: PartContainer): ContainerPlan {
  return {
    entrypoint: null,
    command: [],
    env: {},
    user: null,
    cpuQuota: null,
    memoryBytes: null,
    sharedMemoryBytes: null,
    memoryFolders: [],
    volumes: [],
    hosts: {},
    ...wanted,
    cgroupParent: frame.cgroupParent,
    labels: frame.labels,
    openFiles: isGiven(wanted.openFiles, frame.limits) ? wanted.openFiles : null,
  };
}

/** A container that the engine refuses to start is made twice, which takes half a second. */
function isGiven(openFiles: number | null, { openFilesRefused, mostOpenFiles }: EngineLimits): boolean {
  return !openFilesRefused && (openFiles === null || mostOpenFiles === null || openFiles <= mostOpenFiles);
}

/** For parts that need no user of their own; by number, because an image need not know the name. */
export const NOBODY = '65534:65534';

/** Lines of the log that an error carries. */
export const ERROR_LOG_LINES = 20;

const NAMES: Record<TestbedPart, string> = {
  service: 'The service',
  database: 'The database',
  pooler: 'The pooler',
  gateway: 'The gateway',
};
const ENDED: Record<TestbedPart, TestbedFailureCode> = {
  service: 'exited',
  database: 'database-exited',
  pooler: 'pooler-failed',
  gateway: 'gateway-failed',
};

/**
 * Starts a part and opens its meter. `create` makes its container; it is called a second time where the engine refuses the
 * limit of open files (the doctor says beforehand whether what the engine gives is enough). Rejects with `TestbedError`: 'start-failed', the code of a part that has
 * ended at once, or 'engine-unavailable' where the engine's containers are not on this machine.
 */
export async function startPart(
  engine: Engine,
  kind: TestbedPart,
  container: string,
  frame: PartFrame,
  create: () => Promise<void>,
): Promise<Part> {
  const state = await startWithinLimits(engine, container, frame, create);
  if (!state.running) throw await endOf(engine, kind, container);
  try {
    // Root alone may look.
    const network = process.getuid?.() === 0 ? networkOf(state.pid) : null;
    const memberships = readFileSync(`/proc/${state.pid}/cgroup`, 'utf8');
    if (!memberships.includes(state.id)) throw new Error(`process ${state.pid} of this machine is another one`);
    if (network !== null) await withoutNameRules(state, network);
    return { kind, state, meter: cgroupMeterOf(state.pid) };
  } catch (error) {
    const [now] = await inspectContainers(engine, [container]);
    if (!now?.running) throw await endOf(engine, kind, container);
    throw new TestbedError(
      'engine-unavailable',
      `The engine runs its containers somewhere else than on this machine (${(error as Error).message}), so that nothing of ` +
        'them can be measured. Use an engine of this machine (not one in a virtual machine or behind DOCKER_HOST), or ' +
        '--runtime process.',
    );
  }
}

async function startWithinLimits(
  engine: Engine,
  container: string,
  frame: PartFrame,
  create: () => Promise<void>,
): Promise<ContainerState> {
  try {
    return await startContainer(engine, container);
  } catch (error) {
    // 7 is RLIMIT_NOFILE.
    if (!(error instanceof TestbedError) || !/setting rlimit type 7/.test(error.message)) throw error;
    frame.limits.openFilesRefused = true;
    await removeContainers(engine, [container]);
    await create();
    return await startContainer(engine, container);
  }
}

/** What became of a part whose process ended while it was started, with its last log lines. */
export async function endOf(engine: Engine, kind: TestbedPart, container: string): Promise<TestbedError> {
  const logLines = await logsOf(engine, container, ERROR_LOG_LINES);
  // The process is gone a moment before the engine knows of it.
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const [state] = await inspectContainers(engine, [container]);
    if (!state) return removedByOthers(kind);
    if (!state.running) return await describeEnd(engine, kind, state, logLines, BEFORE_READY);
    await sleep(50);
  }
  return new TestbedError(ENDED[kind], `${NAMES[kind]} no longer runs.`, logLines);
}

/** After how a part ended. */
const BEFORE_READY = ' before it was ready';

/** Its log went with it. */
export function removedByOthers(kind: TestbedPart): TestbedError {
  return new TestbedError(
    ENDED[kind],
    `${NAMES[kind]} was removed by somebody else while it was in use. Leave containers with the label wrkbench.run alone.`,
  );
}

export async function describeEnd(
  engine: Engine,
  kind: TestbedPart,
  state: ContainerState,
  logLines: string[],
  when = '',
): Promise<TestbedError> {
  if (state.oomKilled || (await hasOutOfMemoryEvent(engine, state))) return outOfMemory(state, kind, logLines);
  const how =
    state.exitCode > 128
      ? `was ended by ${signalName(state.exitCode - 128)} (status ${state.exitCode})`
      : `exited with status ${state.exitCode}`;
  const said = logLines.length > 0 ? 'Its last log lines say why.' : 'It printed nothing.';
  return new TestbedError(ENDED[kind], `${NAMES[kind]} ${how}${when}. ${said}`, logLines);
}

const SIGKILL_STATUS = 128 + 9;

/**
 * Whether the engine tells of the kernel's kill as an event. Its state of the container says so only where it heard of that
 * before it heard of the end, and the two come to it by different ways (https://github.com/containerd/containerd/issues/12372).
 */
async function hasOutOfMemoryEvent(engine: Engine, { id, exitCode, startedAt }: ContainerState): Promise<boolean> {
  if (exitCode !== SIGKILL_STATUS) return false;
  const until = new Date(Date.now() + 1000).toISOString();
  const filters = ['--filter', `container=${id}`, '--filter', 'event=oom'];
  const { stdout } = await engine.call(['events', '--since', startedAt, '--until', until, ...filters]);
  return stdout !== '';
}

export function outOfMemory(
  { memoryBytes }: Pick<ContainerState, 'memoryBytes'>,
  kind: TestbedPart,
  logLines: string[],
): TestbedError {
  const limit = memoryBytes === null ? '' : ` Its limit is ${size(memoryBytes)}.`;
  const next =
    kind === 'service'
      ? MORE_MEMORY
      : 'Give the machine more memory, or this part less to do (`settings` of the database).';
  return new TestbedError(
    'out-of-memory',
    `${NAMES[kind]} ran out of memory: the kernel ended a process of it.${limit} ${next}`,
    logLines,
  );
}

/** Runs a wait for a part to answer; ends it as soon as the part's process has ended. */
export async function whileItLives<T>(
  part: Part,
  engine: Engine,
  signal: AbortSignal,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const timer = setInterval(() => {
    if (!isAlive(part.state.pid)) ended.abort();
  }, 50);
  try {
    return await wait(AbortSignal.any([signal, ended.signal]));
  } catch (error) {
    signal.throwIfAborted();
    if (ended.signal.aborted || !isAlive(part.state.pid)) throw await endOf(engine, part.kind, part.state.name);
    if (!(error instanceof TestbedError) || error.logLines.length > 0) throw error;
    throw new TestbedError(error.code, error.message, await logsOf(engine, part.state.name, ERROR_LOG_LINES));
  } finally {
    clearInterval(timer);
  }
}

const SIGNALS: Record<number, string> = { 6: 'SIGABRT', 9: 'SIGKILL', 11: 'SIGSEGV', 15: 'SIGTERM' };

function signalName(number: number): string {
  return SIGNALS[number] ?? `signal ${number}`;
}

/**
 * Those of the machine itself first, where /etc/resolv.conf only names a stub that no container reaches. Process 1 is the machine's
 * in a runner container as well, whose own /run has none of that and whose /etc/resolv.conf is a copy of the machine's.
 */
const RESOLVER_FILES = [
  '/proc/1/root/run/systemd/resolve/resolv.conf',
  '/run/systemd/resolve/resolv.conf',
  '/etc/resolv.conf',
];

/**
 * In networks that are not its default one the engine answers names by NAT rules inside each container, and for their sake
 * the kernel tracks every packet of it: a fast server gave 78.9k req/s with them and 83.2k without. They are taken
 * out, and the container asks the machine's own name servers instead; `--add-host` names what the testbed has.
 *
 * Needs root, `nsenter` and a name server that is not the machine itself; else the rules stay, and names work as the engine has
 * them. `network` was read while the process was known to be the container's: where it has ended and its number is another
 * one's by now, that one's rules stay. Never rejects.
 */
async function withoutNameRules({ pid, resolvConfPath }: ContainerState, network: string): Promise<void> {
  if (network === networkOf(process.pid)) return;
  const texts = RESOLVER_FILES.map((path) => readFile(path, 'utf8').catch(() => null));
  const servers = resolvConfForContainers(await Promise.all(texts));
  if (servers === null) return;
  const flush = '[ "$(readlink /proc/self/ns/net)" = "$1" ] && iptables -t nat -F && iptables -t nat -X';
  const flushed = await runCommand('nsenter', [`--net=/proc/${pid}/ns/net`, '--', 'sh', '-c', flush, 'sh', network], {
    timeoutSeconds: 5,
  });
  if (flushed.failure !== null) return;
  await writeFile(resolvConfPath, servers).catch(() => undefined);
}

/** `net:[4026532008]`, the same for all processes in it. */
function networkOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/ns/net`);
}
