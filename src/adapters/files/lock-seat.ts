import { lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Who measures now, or waits for that. */
export interface LockHolder {
  runId: string;
  pid: number;
  /** Name of the folder that it was started in. */
  folder: string;
  /** ISO 8601. */
  since: string;
}

/** A name that this process alone has on this machine. */
export interface LockSeat {
  /** Safe to call twice. */
  release(): Promise<void>;
}

const ANSWER_TIMEOUT_MS = 1_000;
const LONGEST_ANSWER = 4_096;
const UNKNOWN: LockHolder = { runId: 'unknown', pid: 0, folder: '', since: '' };

/**
 * Linux: a listening socket with a name of no file, which the kernel frees the moment that its owner ends, however it ends, and whose
 * holder can be asked who it is. (The name belongs to a network namespace: runs in two containers do not see each other.) Elsewhere: a
 * socket file, which a holder that was killed leaves behind and nobody answers on.
 */
export async function takenSeat(name: string, runId: string): Promise<LockSeat | null> {
  const folder = basename(process.cwd());
  const holder: LockHolder = { runId, pid: process.pid, folder, since: new Date().toISOString() };
  const guests = new Set<Socket>();
  const server = createServer((guest) => {
    guests.add(guest);
    guest.on('error', () => {}).on('close', () => guests.delete(guest));
    guest.end(`${JSON.stringify(holder)}\n`);
  });
  if (!(await listens(server, pathOf(name)))) return null;
  // Holding the lock is no reason to go on running.
  server.unref();
  let released: Promise<void> | null = null;
  return {
    release() {
      released ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const guest of guests) guest.destroy();
      });
      return released;
    },
  };
}

/** Who has the name; null where nobody answers: the holder has just ended, or was killed and has left its socket file, which is removed. */
export async function holderOf(name: string): Promise<LockHolder | null> {
  const path = pathOf(name);
  const holder = await asked(path);
  if (holder === null) removeStale(path);
  return holder;
}

function pathOf(name: string): string {
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    // An abstract socket has no permissions to widen; Node.js 20 refuses to be asked.
    const everybody = path.startsWith('\0') ? {} : { readableAll: true, writableAll: true };
    server.listen({ path, ...everybody }, () => resolve(true));
  });
}

function asked(path: string): Promise<LockHolder | null> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect({ path });
    // A holder that is stopped or very busy holds the lock all the same.
    const timer = setTimeout(() => done(UNKNOWN), ANSWER_TIMEOUT_MS);
    const done = (holder: LockHolder | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(holder);
    };
    socket.on('data', (chunk) => {
      said += chunk.toString('utf8');
      if (said.length > LONGEST_ANSWER) done(UNKNOWN);
    });
    socket.on('end', () => done(readHolder(said)));
    socket.on('error', () => done(null));
  });
}

/** Anybody may listen on the name and say anything: it is shown, and nothing more. */
function readHolder(said: string): LockHolder {
  try {
    const { runId, pid, folder, since } = JSON.parse(said) as Record<string, unknown>;
    if (typeof pid !== 'number') return UNKNOWN;
    return { runId: printable(runId), pid, folder: printable(folder), since: printable(since) };
  } catch {
    return UNKNOWN;
  }
}

function printable(value: unknown): string {
  return String(value)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 100);
}

function removeStale(path: string): void {
  if (path.startsWith('\0')) return;
  try {
    if (lstatSync(path).isSocket()) rmSync(path);
  } catch {
    // Gone, or another user's.
  }
}
