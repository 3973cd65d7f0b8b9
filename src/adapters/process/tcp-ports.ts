import { readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { TestbedError } from '../../app/ports/testbed.ts';
import type { Listener } from '../../core/topology/listening.ts';
import type { PortHolder } from '../../core/topology/port-conflict.ts';
import { listenersOf } from '../network/network-state.ts';
import { processIds, programName } from './process-table.ts';
import { markedProcesses } from './process-tree.ts';

const HOST = '127.0.0.1';

/** A port that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  return await listenOnce(0);
}

/** Rejects with `TestbedError` 'start-failed', naming the process that listens there, where the port is taken. */
export async function checkPortFree(
  port: number,
  title: string,
  { whose = 'the service', placeholder = 'port' }: { whose?: string; placeholder?: string } = {},
): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      const why = `port ${port} is for root only. Use one above 1023`;
      throw new TestbedError('start-failed', `${title} cannot be started: ${why}.`);
    }
    throw new TestbedError(
      'start-failed',
      `${title} cannot be started: ${portHolder(port)?.who ?? 'another process'} listens on port ${port} already. End it, give ${whose} another ` +
        `port, or write \${${placeholder}} into its command or env: then each start gets a free one.`,
    );
  }
}

/** Sockets that the processes listen on in the network of `where`, in the order of their ports. */
export function ownListeners(pids: Iterable<number>, where = process.pid): Listener[] {
  const inodes = new Set([...pids].flatMap(socketInodes));
  const own = listenersOf(where).filter(({ inode }) => inodes.has(inode));
  return own.sort((a, b) => a.port - b.port);
}

/** Who listens on a port of this machine; null where nobody does. */
export function portHolder(port: number): PortHolder | null {
  // Only Linux shows it.
  if (process.platform !== 'linux') return { who: 'another process', isOfRun: false };
  const inodes = new Set(
    listenersOf(process.pid)
      .filter((listener) => listener.port === port)
      .map(({ inode }) => inode),
  );
  if (inodes.size === 0) return null;
  for (const pid of processIds()) {
    if (!socketInodes(pid).some((inode) => inodes.has(inode))) continue;
    const isOfRun = markedProcesses(() => true).some((marked) => marked.pid === pid);
    return { who: `${programName(pid) ?? 'a process'} (process ${pid})`, isOfRun };
  }
  return { who: "another user's process", isOfRun: false };
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}

function socketInodes(pid: number): string[] {
  const inodes: string[] = [];
  try {
    for (const file of readdirSync(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${file}`))?.[1];
      if (inode !== undefined) inodes.push(inode);
    }
  } catch {
    // Ended meanwhile, or of another user.
  }
  return inodes;
}
