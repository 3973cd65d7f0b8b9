import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';
import { describeIpv6Only, describeLoopbackOnly, isInsideAlone, type Listener } from '../../core/topology/listening.ts';
import type { PartPlan } from '../../core/topology/part-plan.ts';
import { withinSeconds } from '../../core/topology/part-readiness.ts';
import { programOf } from '../parts/program.ts';
import { waitUntilUp } from '../parts/readiness.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { runCommand } from '../process/command.ts';
import type { NetworkNamespace } from '../process/network-namespace.ts';
import { mostOpenFiles } from '../process/open-files.ts';
import { whileItLives } from '../process/part.ts';
import { type ProcessGroup, startGroup } from '../process/process-group.ts';
import { requireTool } from '../process/programs.ts';
import { unprivilegedUser } from '../process/system-user.ts';
import { ownListeners } from '../process/tcp-ports.ts';
import { makeTestbedFolder } from '../process/testbed-folder.ts';

/** A part of a testbed that runs as processes of this machine. */
export interface PartProcess {
  group: ProcessGroup;
  /** As the other parts of its side reach it. */
  host: string;
  /** As this machine reaches it. */
  address: string;
  /** Null for a part that listens on none. */
  port: number | null;
  /** What another start of it takes over. */
  seat: Omit<ProcessSeat, 'id'>;
  /** Resolves when it is up, within the time of its plan unless another is given. Rejects with the `TestbedError` of its plan, or of its end. */
  ready(signal: AbortSignal, timeoutSeconds?: number): Promise<void>;
  /** What it may write to. */
  folder: string;
  /** Ends it, as `ProcessGroup.stop` does, and leaves its folder; never rejects, safe to call twice. */
  halt(graceSeconds?: number): Promise<void>;
  /** The same, and removes its folder. */
  stop(graceSeconds?: number): Promise<void>;
}

const HOST = '127.0.0.1';
/** Of a network of its own, which this machine reaches from outside. */
const ALL_ADDRESSES = '0.0.0.0';

/** What runs a part: `id` is unlike those of every other group on this machine; its ports are free. */
export interface ProcessSeat {
  id: string;
  port: number | null;
  /** Further ones, by their names in the spec. */
  ports?: Readonly<Record<string, number>>;
  /** Folder of another start of it, whose content it begins with; absent for nothing. */
  from?: string;
  /** Of its side; null for that of this machine. */
  network: NetworkNamespace | null;
}

/**
 * Starts a part in a folder of its own; it does not answer yet. A tool of ours runs as nobody in particular: as root its workers would
 * become a user that cannot enter the folder, or it would refuse. Rejects with `TestbedError` 'start-failed' or 'tool-missing'.
 */
export async function startProcess(
  plan: PartPlan,
  { id, ...seat }: ProcessSeat,
  signal: AbortSignal,
): Promise<PartProcess> {
  const { port, ports = {}, from, network } = seat;
  const address = network?.address ?? HOST;
  const user = plan.isTool ? unprivilegedUser() : null;
  const folder = makeTestbedFolder(false, user);
  try {
    if (from !== undefined) await copyContent(from, folder.path, signal);
    const program = programOf(plan, {
      listen: port === null ? null : { address: network === null ? HOST : ALL_ADDRESSES, port, ports },
      configurationFolder: folder.path,
      writableFolder: folder.path,
      openFiles: plan.openFiles === null ? null : Math.min(plan.openFiles, mostOpenFiles()),
    });
    for (const [path, content] of Object.entries(program.files)) writeFileSync(path, content, { mode: 0o644 });
    const [first = '', ...words] = [...(program.entrypoint ?? []), ...program.command];
    const env = childEnvironment({ ...(plan.isTool ? { HOME: folder.path } : {}), ...program.env });
    const directory = plan.directory ?? folder.path;
    signal.throwIfAborted();
    const group = await startGroup({
      title: plan.title,
      id,
      command: [plan.isTool ? requireTool(first) : first, ...words],
      directory,
      env,
      cpus: plan.cpus,
      cpuQuota: plan.cpuQuota,
      openFiles: plan.openFiles,
      memoryBytes: plan.memoryBytes,
      user,
      ...(network === null ? {} : { enter: network.enter }),
      logFile: join(folder.path, LOG),
      endSignal: plan.ending.signal,
      graceSeconds: plan.ending.graceSeconds,
      orphanSignal: 'KILL',
    });
    const part = {
      host: address,
      port,
      alive: () => group.exit() === null,
      ...(plan.part === 'service' && network !== null
        ? { isInsideAlone: () => isInsideAlone(ownListeners(group.tree.members(), network.pid), port ?? 0) }
        : {}),
      refused: (whose: string) => whyRefused(group, port ?? 0, whose, network),
      async run(command: readonly string[], timeoutSeconds: number, each: AbortSignal) {
        const [asked = '', ...rest] = [...(network?.enter ?? []), ...command];
        const options = { timeoutSeconds, env, cwd: directory, signal: each };
        const { failure, stdout, stderr } = await runCommand(asked, rest, options);
        return failure === null ? null : `${stdout}\n${stderr}`.trim().split('\n').at(-1) || failure;
      },
    };
    return {
      ...{ group, host: HOST, address, port, seat, folder: folder.path },
      halt: (graceSeconds) => group.stop(graceSeconds),
      ready(awaited, timeoutSeconds) {
        const ready = timeoutSeconds === undefined ? plan.ready : withinSeconds(plan.ready, timeoutSeconds);
        return whileItLives(plan.part, group, awaited, (linked) => waitUntilUp(ready, part, linked));
      },
      stop: (graceSeconds) => group.stop(graceSeconds).then(() => folder.remove()),
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

const LOG = 'part.log';
const COPY_SECONDS = 600;

/** All but what it has printed. Rejects with `TestbedError` 'start-failed'. */
async function copyContent(from: string, to: string, signal: AbortSignal): Promise<void> {
  const { failure } = await runCommand('cp', ['-a', '--', `${from}/.`, to], { signal, timeoutSeconds: COPY_SECONDS });
  if (failure !== null) throw new TestbedError('start-failed', `What was prepared could not be copied. ${failure}`);
  await rm(join(to, LOG), { force: true });
}

function whyRefused(group: ProcessGroup, port: number, whose: string, network: NetworkNamespace | null): string {
  const listeners = ownListeners(group.tree.members(), network?.pid);
  const inside = network === null ? null : describeLoopbackOnly(listeners, port, 'of the network of its side');
  const known = inside ?? describeIpv6Only(listeners, port);
  return known ?? `nothing listens on port ${port}; ${otherPorts(listeners, whose)}`;
}

function otherPorts(listeners: Listener[], whose: string): string {
  const ports = [...new Set(listeners.map(({ port }) => port))];
  if (ports.length === 0)
    return 'it listens on no port at all: look at its log, or name the port that it will listen on';
  const shown = ports.length === 1 ? `port ${ports[0]}` : `ports ${ports.join(', ')}`;
  return `it listens on ${shown}: set ${whose}'s port in the spec, or tell the server its port by \${port} or PORT`;
}
