import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError } from '../../app/ports/testbed.ts';
import { LINK_PREFIX, LINKS, type LinkAddresses, linkAddresses } from '../../core/topology/link-addresses.ts';
import { childEnvironment } from './child-environment.ts';
import { runCommand } from './command.ts';
import { type ProcessGroup, startGroup } from './process-group.ts';
import { findProgram, requireTool } from './programs.ts';
import { isRoot } from './root-command.ts';

/**
 * The network of one side: a namespace that has a loopback of its own and one link to this machine, and no way beyond it. Nothing
 * names it, so that the kernel removes it, and both ends of the link, with the last process in it, however that ended.
 */
export interface NetworkNamespace {
  /** A process in it. */
  pid: number;
  /** Where this machine reaches what listens in it on all addresses. */
  address: string;
  /** First words of a command that is run in it. */
  enter: readonly string[];
  /** Never rejects, safe to call twice. */
  stop(): Promise<void>;
}

const TOOLS = ['unshare', 'nsenter', 'ip'];
const LINK = 'side0';
const STARTED_MS = 5_000;
const COMMAND_SECONDS = 10;

/** Interfaces of this machine that a process made are called so, in front of a number. */
export function linkPrefix(owner: number): string {
  return `wrk${owner}-`;
}

let links = 0;

/** Whether one could be made, as far as that can be seen without making one. */
export function maySeparateNetworks(): boolean {
  return process.platform === 'linux' && isRoot() && TOOLS.every((tool) => findProgram(tool) !== null);
}

let probed: string | null | undefined;

/** Why none can be made here, as the rest of a sentence; null where it can: by root, where kernel and container allow it. */
export function networkNamespaceObstacle(): string | null {
  probed ??= probe();
  return probed;
}

function probe(): string | null {
  if (process.platform !== 'linux') return `${process.platform} has no network namespaces`;
  if (!isRoot()) return 'this user is not root';
  const missing = TOOLS.find((tool) => findProgram(tool) === null);
  if (missing !== undefined) {
    return `\`${missing}\` is not installed (package ${missing === 'ip' ? 'iproute2' : 'util-linux'})`;
  }
  const link = ['link', 'add', 'wrk-a', 'type', 'veth', 'peer', 'name', 'wrk-b'];
  const words = ['--net', '--', requireTool('ip'), ...link];
  const env = childEnvironment();
  const tried = spawnSync(requireTool('unshare'), words, { env, encoding: 'utf8', timeout: COMMAND_SECONDS * 1000 });
  if (tried.status === 0) return null;
  const said = tried.stderr?.trim().split('\n').at(-1);
  return said ? said : 'the kernel makes none';
}

/** `id`: unlike those of every other group on this machine. Rejects with `TestbedError` 'start-failed', or the signal's reason. */
export async function startNetworkNamespace(id: string, signal: AbortSignal): Promise<NetworkNamespace> {
  const { name, machine, side } = freeLink();
  const holder = await startGroup({
    title: 'The network of a side',
    id,
    command: [requireTool('unshare'), '--net', '--', requireTool('sleep'), '2147483647'],
    directory: '/',
    env: childEnvironment(),
    ...{ cpus: null, openFiles: null, memoryBytes: null, user: null },
    logFile: '/dev/null',
    endSignal: 'SIGTERM',
    graceSeconds: 1,
    orphanSignal: 'KILL',
  });
  const enter = [requireTool('nsenter'), `--net=/proc/${holder.pid}/ns/net`, '--'];
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    // At once: with its last process it would be gone a moment after that.
    await ip(['link', 'delete', name], [], new AbortController().signal);
    await holder.stop();
  };
  try {
    await untilSeparate(holder, signal);
    await configured(
      [
        `link add ${name} type veth peer name ${LINK} netns ${holder.pid}`,
        `address add ${machine}/${LINK_PREFIX} dev ${name}`,
        `link set ${name} up`,
      ],
      [],
      signal,
    );
    await configured(
      ['link set lo up', `address add ${side}/${LINK_PREFIX} dev ${LINK}`, `link set ${LINK} up`],
      enter,
      signal,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid: holder.pid,
    address: side,
    enter,
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** One whose name and addresses no interface of this machine has; those of one process never meet. */
function freeLink(): LinkAddresses & { name: string } {
  const interfaces = networkInterfaces();
  const taken = new Set(Object.values(interfaces).flatMap((each) => (each ?? []).map(({ address }) => address)));
  for (let tried = 0; tried < LINKS; tried += 1) {
    links += 1;
    const name = `${linkPrefix(process.pid)}${links}`;
    const addresses = linkAddresses(process.pid * 7 + links);
    if (!Object.hasOwn(interfaces, name) && !taken.has(addresses.machine)) return { name, ...addresses };
  }
  throw notMade('all of its addresses are taken');
}

async function untilSeparate(holder: ProcessGroup, signal: AbortSignal): Promise<void> {
  const own = readlinkSync('/proc/self/ns/net');
  const deadline = performance.now() + STARTED_MS;
  for (;;) {
    signal.throwIfAborted();
    if (holder.exit() !== null || performance.now() > deadline) throw notMade('the kernel gave it no namespace');
    if (namespaceOf(holder.pid) !== own) return;
    await sleep(2);
  }
}

/** While its program is another one for a moment, it has that of this process. */
function namespaceOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return readlinkSync('/proc/self/ns/net');
  }
}

async function configured(lines: readonly string[], enter: readonly string[], signal: AbortSignal): Promise<void> {
  const failure = await ip(['-batch', '-'], enter, signal, `${lines.join('\n')}\n`);
  if (failure !== null) throw notMade(failure);
}

async function ip(
  words: readonly string[],
  enter: readonly string[],
  signal: AbortSignal,
  input = '',
): Promise<string | null> {
  const [program = '', ...args] = [...enter, requireTool('ip'), ...words];
  const ended = await runCommand(program, args, { input, timeoutSeconds: COMMAND_SECONDS, signal });
  return ended.failure;
}

function notMade(why: string): TestbedError {
  return new TestbedError(
    'start-failed',
    `The network that \`network: internal\` asks for could not be made: ${why.replace(/\.$/, '')}. Run with --runtime docker, or leave the key out.`,
  );
}
