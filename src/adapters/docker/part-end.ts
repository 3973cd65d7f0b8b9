import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError } from '../../app/ports/testbed.ts';
import { size } from '../../core/format/figures.ts';
import { endedPart } from '../../core/topology/ended-part.ts';
import { moreMemory } from '../../core/topology/memory-limit.ts';
import { endCode, partTitle, type TestbedPart } from '../../core/topology/parts.ts';
import type { PortPlace } from '../../core/topology/port-conflict.ts';
import { type ContainerState, inspectContainers, logsOf } from './containers.ts';
import type { Engine } from './engine.ts';

/** Lines of the log that an error carries. */
export const ERROR_LOG_LINES = 60;

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
  return new TestbedError(endCode(kind), `${partTitle(kind)} no longer runs.`, logLines);
}

/** Each container has ports of its own. */
export const CONTAINER: PortPlace = { kind: 'own' };

/** After how a part ended. */
const BEFORE_READY = ' before it was ready';

/** Its log went with it. */
export function removedByOthers(kind: TestbedPart): TestbedError {
  return new TestbedError(
    endCode(kind),
    `${partTitle(kind)} was removed by somebody else while it was in use. Leave containers with the label wrkbench.run alone.`,
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
  const { code, message } = endedPart(endCode(kind), `${partTitle(kind)} ${how}${when}`, {
    logLines,
    place: CONTAINER,
  });
  return new TestbedError(code, message, logLines);
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
  return new TestbedError(
    'out-of-memory',
    `${partTitle(kind)} ran out of memory: the kernel ended a process of it.${limit} ${moreMemory(kind)}`,
    logLines,
  );
}

const SIGNALS: Record<number, string> = { 6: 'SIGABRT', 9: 'SIGKILL', 11: 'SIGSEGV', 15: 'SIGTERM' };

function signalName(number: number): string {
  return SIGNALS[number] ?? `signal ${number}`;
}
