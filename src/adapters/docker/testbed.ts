import { dirname, join } from 'node:path';
import { type ResourceMeter, type Testbed, TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import { changesData } from '../../core/config/writes.ts';
import type { Route } from '../../core/measurement/names.ts';
import { type Listener, listenersReplaced } from '../../core/topology/listening.ts';
import type { TestbedNames } from '../../core/topology/names.ts';
import { isAlive, listenersOf, passiveOpensOf } from '../network/network-state.ts';
import { restorable } from '../prepare/restored-data.ts';
import { observedProcesses } from '../process/observation.ts';
import { mainThreadsNsOf, threadTimesOf } from '../process/thread-times.ts';
import { sumOfMeters } from '../sampling/cgroup.ts';
import { type ContainerState, inspectContainers, lastPrintedAt, logsOf } from './containers.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import type { Part } from './part.ts';
import { describeEnd, ERROR_LOG_LINES, outOfMemory, removedByOthers } from './part-end.ts';
import { endContainers, removeTestbed } from './removal.ts';
import { type Parts, partNamed, partsUp } from './testbed-parts.ts';

/** The testbed of a testbed that has come up. */
export function dockerTestbed(engine: Engine, names: TestbedNames, request: TestbedRequest, parts: Parts): Testbed {
  const { service, database, pooler, gateway, dependencies } = parts;
  if (service === null) throw new Error('A testbed without its service is no testbed.');
  const present = partsUp(parts);
  // Of whatever stands there, which another start of the service replaces.
  const before = () => ({
    oomKills: new Map(present.map((part) => [part, part.meter.oomKills()])),
    listeners: listenersOf(service.state.pid),
  });
  let known = before();
  const accepted: Record<Route, number> = { direct: 0, gateway: 0 };
  /** By container. */
  const passedAt = new Map<string, string>();
  let stopped: Promise<void> | null = null;
  return {
    service: request.service,
    variant: request.variant,
    round: request.round,
    origins: { direct: parts.origins.direct, ...(parts.origins.gateway ? { gateway: parts.origins.gateway } : {}) },
    database: parts.session,
    values: parts.values,
    meters: {
      service: meterOfEach(service),
      database: database && sumOfMeters([database, pooler].filter((part) => part !== null).map((part) => part.meter)),
      gateway: gateway?.meter ?? null,
      dependencies: Object.fromEntries(
        // In the order of the spec, whichever was up first.
        (request.spec.dependencies ?? []).map(({ name }) => [name, meterOfEach(dependencies.get(name)!)]),
      ),
    },
    startUpNs: parts.startUpNs,
    observed: (seconds, signal) =>
      observedProcesses(
        {
          pids: service.meter.pids(),
          port: request.service.port,
          network: service.state.pid,
          // Beside what the engine mounts into it: all that comes out of the pipes is written there.
          pipeFile: join(dirname(service.state.resolvConfPath), 'local-logs', 'container.log'),
        },
        seconds,
        signal,
      ),
    threadTimes: () => threadTimesOf(service.meter.pids()),
    mainThreadsNs: () => mainThreadsNsOf(service.meter.pids()),
    serviceProcesses: () => [...service.meter.pids()],
    acceptedConnections(route) {
      const entry = route === 'gateway' ? gateway : service;
      // After the part has ended the last count stays.
      accepted[route] = (entry && passiveOpensOf(entry.state.pid)) ?? accepted[route];
      return accepted[route];
    },
    countsOthersConnections: false,
    async failure() {
      try {
        const { oomKills, listeners } = known;
        return await firstFailure(engine, present, oomKills, { listeners, port: request.service.port });
      } catch (error) {
        if (error instanceof TestbedError) return error;
        if (error instanceof EngineFailure) return untold(error);
        throw error;
      }
    },
    async logLines(name, count) {
      const part = partNamed(parts, name);
      return part === null ? [] : await logsOf(engine, part.state.name, count, passedAt.get(part.state.name));
    },
    ...(parts.kept === null || !changesData(request.spec, request.service)
      ? {}
      : {
          async passLog() {
            const names = partsUp(parts).map(({ state }) => state.name);
            const stamps = await Promise.all(names.map((name) => lastPrintedAt(engine, name)));
            for (const [index, at] of stamps.entries()) if (at !== null) passedAt.set(names[index]!, at);
          },
          ...restorable(parts, parts.kept, {
            onActivity: request.onActivity,
            onRestored() {
              known = before();
            },
          }),
        }),
    async halt() {
      await Promise.all([
        parts.session?.close(),
        endContainers(
          engine,
          present.map(({ state }) => state.name),
        ),
      ]);
    },
    stop() {
      stopped ??= dismantle(engine, names, parts);
      return stopped;
    },
  };
}

/** Of whichever start of a part stands there. */
function meterOfEach(part: Part): ResourceMeter {
  return { cpuNs: () => part.meter.cpuNs(), memoryBytes: () => part.meter.memoryBytes() };
}

/** Lets go of everything that a testbed has, up or half up; never rejects. */
export async function dismantle(engine: Engine, names: TestbedNames, parts: Parts): Promise<void> {
  await Promise.all([parts.session?.close(), removeTestbed(engine, names)]);
  for (const { meter } of partsUp(parts)) meter.close();
}

function untold({ message }: EngineFailure): TestbedError {
  return new TestbedError(
    'engine-unavailable',
    `Something became of the testbed, and the engine does not tell what (${message.replace(/\.$/, '')}). See whether it answers ` +
      '(docker info) and what it has logged, and run again.',
  );
}

async function firstFailure(
  engine: Engine,
  parts: Part[],
  oomKills: Map<Part, number>,
  before: { listeners: Listener[]; port: number },
): Promise<TestbedError | null> {
  if (isUndisturbed(parts, oomKills, before)) return null;
  // The kernel tells this by itself, of a machine without memory on which the engine may not answer.
  const starved = parts.find((part) => part.meter.oomKills() > (oomKills.get(part) ?? 0));
  if (starved !== undefined) {
    return outOfMemory(starved.state, starved.kind, await logsOf(engine, starved.state.name, ERROR_LOG_LINES));
  }
  const states = await inspectContainers(
    engine,
    parts.map((part) => part.state.name),
  );
  const now = new Map(states.map((state) => [state.name, state]));
  // Of several that have ended the first one is the cause.
  const ended = parts
    .filter((part) => !now.get(part.state.name)?.running)
    .sort((a, b) => endTime(now, a) - endTime(now, b));
  const [first] = ended;
  if (first) {
    const state = now.get(first.state.name);
    if (!state) return removedByOthers(first.kind);
    return await describeEnd(engine, first.kind, state, await logsOf(engine, first.state.name, ERROR_LOG_LINES));
  }
  for (const part of parts) {
    const restarted = now.get(part.state.name)?.startedAt !== part.state.startedAt;
    const replaced =
      part.kind === 'service' && listenersReplaced(before.listeners, listenersOf(part.state.pid), before.port);
    if (!restarted && !replaced) continue;
    const what = restarted ? 'Its container was started anew' : 'Another process listens on its port than did at first';
    return new TestbedError(
      'server-restarted',
      `The ${part.kind} was restarted while it was measured. ${what}.`,
      await logsOf(engine, part.state.name, ERROR_LOG_LINES),
    );
  }
  return null;
}

/**
 * What the kernel says of it: asking the engine takes some 40 ms, twice after each trial. A container that was started anew has
 * another main process.
 */
function isUndisturbed(
  parts: readonly Part[],
  oomKills: ReadonlyMap<Part, number>,
  before: { listeners: Listener[]; port: number },
): boolean {
  return parts.every(
    (part) =>
      isAlive(part.state.pid) &&
      part.meter.oomKills() <= (oomKills.get(part) ?? 0) &&
      (part.kind !== 'service' || !listenersReplaced(before.listeners, listenersOf(part.state.pid), before.port)),
  );
}

function endTime(states: Map<string, ContainerState>, part: Part): number {
  const finished = Date.parse(states.get(part.state.name)?.finishedAt ?? '');
  return Number.isNaN(finished) ? 0 : finished;
}
