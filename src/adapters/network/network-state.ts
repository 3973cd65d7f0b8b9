import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { type Listener, parseListeners, parsePassiveOpens } from '../../core/topology/listening.ts';

/** The kernel lists listening sockets before all others; thousands of connections need not be read. */
const LISTENERS_BYTES = 64 * 1024;

/** Sockets that wait for connections in the network namespace of a process; none where it has ended. */
export function listenersOf(pid: number): Listener[] {
  return ['tcp', 'tcp6'].flatMap((name) => parseListeners(beginning(`/proc/${pid}/net/${name}`)));
}

/** Connections accepted in the network namespace of a process; null where it has ended. */
export function passiveOpensOf(pid: number): number | null {
  try {
    return parsePassiveOpens(readFileSync(`/proc/${pid}/net/snmp`, 'utf8'));
  } catch {
    return null;
  }
}

export function isAlive(pid: number): boolean {
  return pid > 0 && existsSync(`/proc/${pid}`);
}

function beginning(path: string): string {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, 'r');
    const buffer = Buffer.alloc(LISTENERS_BYTES);
    let length = 0;
    for (;;) {
      const got = readSync(descriptor, buffer, length, buffer.length - length, null);
      length += got;
      if (got === 0 || length === buffer.length) return buffer.toString('latin1', 0, length);
    }
  } catch {
    return '';
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
