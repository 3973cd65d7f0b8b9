import { execFileSync } from 'node:child_process';
import { type ResourceMeter, type Testbed, TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import { changesData } from '../../core/config/writes.ts';
import { printedLast } from '../../core/topology/ended-part.ts';
import { listenersReplaced } from '../../core/topology/listening.ts';
import { dependencyPart, type TestbedPart } from '../../core/topology/parts.ts';
import { originOf } from '../../core/values/protocol.ts';
import { listenersOf, passiveOpensOf } from '../network/network-state.ts';
import { restorable } from '../prepare/restored-data.ts';
import { observedProcesses } from '../process/observation.ts';
import { ERROR_LOG_LINES, failureOf } from '../process/part.ts';
import type { ProcessGroup } from '../process/process-group.ts';
import { mainThreadsNsOf, threadTimesOf } from '../process/thread-times.ts';
import { dismantle, type Parts } from './bring-up.ts';
import { ProcessTreeMeter } from './process-tree-meter.ts';
import { PsMeter } from './ps-meter.ts';

/** The testbed of a testbed that has come up. */
export function processTestbed(request: TestbedRequest, parts: Parts): Testbed {
  const { network, service, server, session, pooler, dependencies, gateway } = parts;
  if (service === null) throw new Error('A testbed without its service is no testbed.');
  // In this order, because a service that loses its database often ends too.
  const groups = new Map<TestbedPart, { group: ProcessGroup }>();
  if (server !== null) groups.set('database', server);
  if (pooler !== null) groups.set('pooler', pooler);
  for (const [name, each] of dependencies) groups.set(dependencyPart(name), each);
  // It may be another start of it by the time that is asked.
  groups.set('service', service);
  if (gateway !== null) groups.set('gateway', gateway);
  const port = service.port ?? request.service.port;
  // A process in the network that the service listens in.
  const inNetwork = network?.pid ?? process.pid;
  const accepted = acceptedSince(inNetwork);
  let listeners = listenersOf(inNetwork);
  const passedBytes = new Map<ProcessGroup, number>();
  let stopped: Promise<void> | null = null;
  return {
    service: request.service,
    variant: request.variant,
    round: request.round,
    origins: {
      direct: originOf(request.service.protocol, service.address, service.port),
      ...(gateway ? { gateway: originOf('h1', gateway.address, gateway.port) } : {}),
    },
    database: session,
    values: parts.values,
    meters: {
      service: meterOfEach(service),
      database: server && sumOf([server.group, ...(pooler ? [pooler.group] : [])].map(meterOf)),
      gateway: gateway && meterOf(gateway.group),
      dependencies: Object.fromEntries(
        (request.spec.dependencies ?? []).map(({ name }) => [name, meterOfEach(dependencies.get(name)!)]),
      ),
    },
    startUpNs: parts.startUpNs,
    observed: (seconds, signal) =>
      observedProcesses(
        {
          pids: service.group.tree.running().map(({ pid }) => pid),
          port,
          network: network?.pid ?? null,
          pipeFile: null,
        },
        seconds,
        signal,
      ),
    threadTimes: () => threadTimesOf(service.group.tree.members()),
    mainThreadsNs: () => mainThreadsNsOf(service.group.tree.members()),
    serviceProcesses: () => [...service.group.tree.members()],
    acceptedConnections: accepted,
    countsOthersConnections: true,
    async failure() {
      for (const [part, { group }] of groups) {
        const failure = failureOf(part, group);
        if (failure) return failure;
      }
      if (session?.lost()) return databaseRestarted(server?.group ?? null, session.lost() ?? '');
      if (!listenersReplaced(listeners, listenersOf(inNetwork), port)) return null;
      return new TestbedError(
        'server-restarted',
        `Service ${request.service.name} was restarted while it was measured: another socket listens on its port than did at first, or none.`,
        service.group.lastLines(ERROR_LOG_LINES),
      );
    },
    async logLines(part, count) {
      const group = groups.get(part)?.group;
      return group?.lastLines(count, passedBytes.get(group)) ?? [];
    },
    ...(parts.kept === null || !changesData(request.spec, request.service)
      ? {}
      : {
          async passLog() {
            for (const { group } of groups.values()) passedBytes.set(group, group.printedBytes());
          },
          ...restorable(parts, parts.kept, {
            onActivity: request.onActivity,
            onRestored() {
              listeners = listenersOf(inNetwork);
            },
          }),
        }),
    stop() {
      stopped ??= dismantle(parts);
      return stopped;
    },
  };
}

function databaseRestarted(group: ProcessGroup | null, why: string): TestbedError {
  const logLines = group?.lastLines(ERROR_LOG_LINES) ?? [];
  return new TestbedError(
    'database-exited',
    `Postgres has ended all its connections (${why}): one of its processes was killed and it has restarted itself, or ` +
      `somebody ended its sessions. ${printedLast(logLines)}`,
    logLines,
  );
}

function meterOf(group: ProcessGroup): ResourceMeter {
  return process.platform === 'linux' ? new ProcessTreeMeter(group.pid) : new PsMeter(group.pid);
}

/** Of a part that may be replaced by another start of it: what it has used goes on from where it was. */
function meterOfEach(part: { group: ProcessGroup }): ResourceMeter {
  let { group } = part;
  let meter = meterOf(group);
  let usedBeforeNs = 0;
  const current = () => {
    if (part.group !== group) {
      usedBeforeNs += meter.cpuNs();
      group = part.group;
      meter = meterOf(group);
    }
    return meter;
  };
  return {
    cpuNs() {
      const now = current();
      return usedBeforeNs + now.cpuNs();
    },
    memoryBytes: () => current().memoryBytes(),
  };
}

function sumOf(meters: ResourceMeter[]): ResourceMeter {
  return {
    cpuNs: () => meters.reduce((sum, meter) => sum + meter.cpuNs(), 0),
    memoryBytes: () => meters.reduce((sum, meter) => sum + meter.memoryBytes(), 0),
  };
}

/**
 * Counts the connections that the network namespace of a process has accepted since this was called, from the kernel's own count.
 * Its processes share a namespace, most often the machine's, so the count holds whatever else was accepted meanwhile: the database's
 * connections and, by the gateway's route, those from the gateway to the service. Beside a service that keeps its
 * connections to both, as servers do under load, that is a handful among thousands. Those of another testbed that is loaded
 * meanwhile are not: `Testbed.countsOthersConnections` tells of them.
 */
function acceptedSince(pid: number): () => number {
  const first = acceptedNow(pid) ?? 0;
  let last = 0;
  return () => {
    last = Math.max(last, (acceptedNow(pid) ?? first) - first);
    return last;
  };
}

function acceptedNow(pid: number): number | null {
  if (process.platform === 'linux') return passiveOpensOf(pid);
  const said = execFileSync('netstat', ['-s', '-p', 'tcp'], { encoding: 'utf8' });
  const count = /(\d+) connection accepts/.exec(said)?.[1];
  return count === undefined ? null : Number(count);
}
