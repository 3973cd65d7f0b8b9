import { lstatSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MachineBusy, type MachineLock } from '../../app/ports/machine.ts';

/** Who measures now. */
export interface LockHolder {
  runId: string;
  pid: number;
  /** Name of the folder that it was started in. */
  folder: string;
  /** ISO 8601. */
  since: string;
}

const POLL_MS = 250;
const ANSWER_TIMEOUT_MS = 1_000;
const LONGEST_ANSWER = 4_096;
const UNKNOWN: LockHolder = { runId: 'unknown', pid: 0, folder: '', since: '' };

/**
 * One run at a time on this machine, whoever starts it. Linux: a listening socket with a name of no file, which the kernel
 * frees the moment that its owner ends, however it ends, and whose holder can be asked who it is. (The name belongs to a
 * network namespace: runs in two containers do not see each other.) Elsewhere: a socket file, which a holder that was
 * killed leaves behind and nobody answers on.
 */
export function machineLock(name = 'wrkbench-machine-lock'): MachineLock {
  return {
    async acquire(runId, onWait, signal, mostSeconds = null) {
      const wanted = { runId, name, mostSeconds };
      return await acquireMachineLock(wanted, (holder) => onWait(describeHolder(holder)), signal);
    },
  };
}

/**
 * Resolves once this process holds the lock. `onWait` gets the holder when waiting begins and
 * when the holder changes.
 * Rejects with the signal's reason when aborted, and with `MachineBusy` where somebody holds it for longer than `mostSeconds`.
 */
export async function acquireMachineLock(
  {
    runId,
    name = 'wrkbench-machine-lock',
    mostSeconds = null,
  }: { runId: string; name?: string; mostSeconds?: number | null },
  onWait: (holder: LockHolder) => void,
  signal: AbortSignal,
): Promise<{ release(): Promise<void> }> {
  const path = pathOf(name);
  const mostMs = mostSeconds === null ? Number.POSITIVE_INFINITY : mostSeconds * 1000;
  const started = performance.now();
  let reportedHolder = '';
  for (;;) {
    signal.throwIfAborted();
    const held = await tryListen(path, runId);
    if (held !== null) return held;
    const holder = await askHolder(path);
    const leftMs = mostMs - (performance.now() - started);
    if (holder !== null && leftMs <= 0) throw new MachineBusy(busySentence(holder, mostSeconds ?? 0));
    if (holder === null) removeStale(path);
    else if (JSON.stringify(holder) !== reportedHolder) {
      reportedHolder = JSON.stringify(holder);
      onWait(holder);
    }
    await sleep(holder === null ? 10 : Math.min(POLL_MS, leftMs), undefined, { signal }).catch(() =>
      signal.throwIfAborted(),
    );
  }
}

/** The lock, where nobody holds it now; null where somebody does. */
export async function tryMachineLock(
  runId: string,
  name = 'wrkbench-machine-lock',
): Promise<{ release(): Promise<void> } | null> {
  return await tryListen(pathOf(name), runId);
}

function pathOf(name: string): string {
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/** `run 3f2a (process 4711 in shop-api) has been measuring since 09:41:07 UTC`. */
export function describeHolder(holder: LockHolder): string {
  if (holder.pid === 0) return 'another run is measuring on this machine';
  const time = /T(\d\d:\d\d:\d\d)/.exec(holder.since)?.[1];
  const since = time === undefined ? '' : ` since ${time} UTC`;
  return `run ${holder.runId} (process ${holder.pid} in ${holder.folder}) has been measuring${since}`;
}

function busySentence(holder: LockHolder, waitedSeconds: number): string {
  const waited = waitedSeconds === 0 ? '' : `, and did not end within ${Number(waitedSeconds.toPrecision(6))} s`;
  return `Nothing was measured: ${describeHolder(holder)}${waited}, and two runs at a time would measure each other. Start this run when the other has ended, or let it wait for longer (--wait).`;
}

/** Null where somebody else listens. */
async function tryListen(path: string, runId: string): Promise<{ release(): Promise<void> } | null> {
  const folder = basename(process.cwd());
  const holder: LockHolder = { runId, pid: process.pid, folder, since: new Date().toISOString() };
  const guests = new Set<Socket>();
  const server = createServer((guest) => {
    guests.add(guest);
    guest.on('error', () => {}).on('close', () => guests.delete(guest));
    guest.end(`${JSON.stringify(holder)}\n`);
  });
  if (!(await listens(server, path))) return null;
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

/** Null where nobody answers: the holder has just ended, or was killed and has left its socket file. */
function askHolder(path: string): Promise<LockHolder | null> {
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
