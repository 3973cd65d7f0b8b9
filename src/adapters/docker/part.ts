import { readFileSync } from 'node:fs';
import { TestbedError } from '../../app/ports/testbed.ts';
import type { ContainerPlan } from '../../core/topology/container.ts';
import { unreadySentence } from '../../core/topology/ended-part.ts';
import { partTitle, type TestbedPart } from '../../core/topology/parts.ts';
import { isAlive } from '../network/network-state.ts';
import { cgroupMeterOf } from '../sampling/cgroup.ts';
import type { CgroupMeter } from '../sampling/cgroup-meter.ts';
import { type ContainerState, inspectContainers, logsOf, startContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { networkOf, withoutNameRules } from './name-rules.ts';
import { CONTAINER, ERROR_LOG_LINES, endOf } from './part-end.ts';
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

/**
 * Makes a part what was started in its place, for whoever holds it; what it has used goes on from where it was. Throws `TestbedError`
 * 'start-failed' where it has another address in the network, which others were told.
 */
export function replacePart(part: Part, next: Part, network: string): void {
  const usedNs = part.meter.cpuNs();
  const { meter } = next;
  const [before, now] = [part, next].map(({ state }) => state.addresses[network]);
  part.meter.close();
  part.state = next.state;
  part.meter = { ...meter, cpuNs: () => usedNs + meter.cpuNs() };
  if (before === now) return;
  throw new TestbedError(
    'start-failed',
    `${partTitle(part.kind)} was started anew, and the engine gave it the address ${now} instead of ${before}.`,
  );
}

/** Starts a container; one that the engine gives no such limit of open files is made a second time, without it. */
export async function startWithinLimits(
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
    const logLines = await logsOf(engine, part.state.name, ERROR_LOG_LINES);
    throw new TestbedError(error.code, unreadySentence(error.message, logLines, CONTAINER), logLines);
  } finally {
    clearInterval(timer);
  }
}
