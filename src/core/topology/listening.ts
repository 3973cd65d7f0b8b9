/** A socket that waits for connections. */
export interface Listener {
  address: string;
  port: number;
  /** Only from inside the same container. */
  loopback: boolean;
  /** The kernel's number of the socket: another one after a restart. */
  inode: string;
}

/** Listening sockets of `/proc/PID/net/tcp` or `tcp6`, without those of the engine's name server. */
export function parseListeners(text: string): Listener[] {
  const found: Listener[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*\d+:\s+([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})\s+\S+\s+0A\s+(?:\S+\s+){5}(\d+)/.exec(line);
    if (!match) continue;
    const address = readAddress(match[1] ?? '');
    const port = Number.parseInt(match[2] ?? '', 16);
    if (address === '127.0.0.11') continue;
    const loopback = address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
    found.push({ address, port, loopback, inode: match[3] ?? '' });
  }
  return found.sort((a, b) => a.port - b.port);
}

/**
 * True where nobody listens any more on a socket that was there before: the server behind the port is another one now.
 * Workers that come and go under a master that keeps its socket are no restart.
 */
export function listenersReplaced(before: Listener[], now: Listener[], port: number): boolean {
  const old = before.filter((listener) => listener.port === port).map((listener) => listener.inode);
  const current = new Set(now.filter((listener) => listener.port === port).map((listener) => listener.inode));
  return old.length > 0 && !old.some((inode) => current.has(inode));
}

/** `Tcp: … PassiveOpens …` of `/proc/PID/net/snmp`: connections accepted since the namespace began; null where absent. */
export function parsePassiveOpens(text: string): number | null {
  const rows = text.split('\n').filter((line) => line.startsWith('Tcp:'));
  const column = rows[0]?.trim().split(/\s+/).indexOf('PassiveOpens') ?? -1;
  const value = rows[1]?.trim().split(/\s+/)[column];
  return column < 0 || value === undefined || !/^\d+$/.test(value) ? null : Number(value);
}

/** The listen backlog of each socket, from `ss -ltn`: what it calls Send-Q of a socket that listens. */
export function parseBacklogs(text: string): number[] {
  return text.split('\n').flatMap((line) => {
    const backlog = /^LISTEN\s+\d+\s+(\d+)\s/.exec(line)?.[1];
    return backlog === undefined ? [] : [Number(backlog)];
  });
}

/**
 * That a port is listened on for IPv6 alone, as an end of the sentence that it was asked, which is over IPv4; null where it is
 * not. A socket of both (`[::]`, as most servers have it) would have answered.
 */
export function describeIpv6Only(listeners: Listener[], port: number): string | null {
  const addresses = listeners.filter((listener) => listener.port === port).map(({ address }) => address);
  if (addresses.length === 0 || !addresses.every(isIpv6)) return null;
  const shown = [...new Set(addresses)].map((address) => `[${address}]:${port}`).join(' and ');
  return `it listens on ${shown} for IPv6 alone, and is asked over IPv4: let it listen on 0.0.0.0`;
}

/** An address of IPv4 that is written as one of IPv6 is none. */
function isIpv6(address: string): boolean {
  return address.includes(':') && !address.startsWith('::ffff:');
}

/** Whether a port is listened on, and nowhere but on the loopback device. */
export function isInsideAlone(listeners: Listener[], port: number): boolean {
  const own = listeners.filter((listener) => listener.port === port);
  return own.length > 0 && own.every((listener) => listener.loopback);
}

/** That a port is listened on for those inside alone, as an end of the sentence that nothing answered on it; null where it is not. */
export function describeLoopbackOnly(listeners: Listener[], port: number, outside: string): string | null {
  if (!isInsideAlone(listeners, port)) return null;
  const own = listeners.filter((listener) => listener.port === port);
  return `it listens on ${own[0]?.address}:${port} only, which is not reachable from outside ${outside}: let it listen on 0.0.0.0`;
}

/** What is known of the ports, as an end of the sentence that nothing answered on `port`. `whose`: whom the spec gives a port. */
export function describeListeners(listeners: Listener[], port: number, whose = 'the service'): string {
  const inside = describeLoopbackOnly(listeners, port, 'the container');
  if (inside !== null) return inside;
  const open = [...new Set(listeners.filter((listener) => !listener.loopback).map((listener) => listener.port))];
  if (open.length === 0)
    return 'it listens on no port at all: look at its log, or name the port that it will listen on';
  const ports = open.length === 1 ? `port ${open[0]}` : `ports ${open.join(', ')}`;
  return `it listens on ${ports}: set ${whose}'s port in the spec, or tell the server its port by env`;
}

/** The kernel prints each 32-bit word in the byte order of the machine; all that are supported are little-endian. */
function readAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? [])
    .flatMap((word) => (word.match(/../g) ?? []).reverse())
    .map((b) => Number.parseInt(b, 16));
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.every((byte) => byte === 0)) return '::';
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (mapped) return `::ffff:${bytes.slice(12).join('.')}`;
  if (bytes.slice(0, 15).every((byte) => byte === 0)) return `::${bytes[15]}`;
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  return groups.join(':');
}
