import type { PortMeter } from '../../app/ports/machine.ts';
import { kernelNumber, kernelText } from './kernel-files.ts';

export interface PortRange {
  first: number;
  last: number;
}

/** What macOS starts with, and IANA recommends; for where the kernel does not tell. */
const DYNAMIC_PORTS: PortRange = { first: 49_152, last: 65_535 };

export function createPortMeter(): PortMeter {
  return {
    read() {
      const range = readPortRange() ?? DYNAMIC_PORTS;
      const available = range.last - range.first + 1;
      const most = readTimeWait();
      // The kernel lists sockets one by one, which takes a while for tens of thousands; few cannot have taken the ports.
      return { timeWait: most < available / 2 ? most : restingPorts(range, socketTables(), tcpTwReuse()), available };
    },
  };
}

/** `net.ipv4.ip_local_port_range`; null where there is none. */
export function readPortRange(): PortRange | null {
  const match = /^(\d+)\s+(\d+)$/.exec(kernelText('/proc/sys/net/ipv4/ip_local_port_range') ?? '');
  return match === null ? null : { first: Number(match[1]), last: Number(match[2]) };
}

/** Sockets in TIME_WAIT of this network namespace, of servers as well; 0 where it cannot be told. */
export function readTimeWait(): number {
  return Number(/^TCP:.* tw (\d+)/m.exec(kernelText('/proc/net/sockstat') ?? '')?.[1] ?? 0);
}

const tcpTwReuse = () => kernelNumber('/proc/sys/net/ipv4/tcp_tw_reuse') ?? 0;

/** As /proc/net/tcp has them: in TIME_WAIT (06), with what is left of their 60 s in hundredths. */
const RESTING = /^ *\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 06 \S+ [0-9A-F]{2}:([0-9A-F]+)/gm;
/** What is left of a second's rest: https://docs.kernel.org/networking/ip-sysctl.html, `tcp_tw_reuse`. */
const REUSED_BELOW = 5900;
/** 127.0.0.0/8, ::1, and the first within IPv6, as words of the machine's byte order. */
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}(?:0000FFFF|FFFF0000)[0-9A-F]{6}7F)$/;

/**
 * Local ports of the range that may not be taken again yet, by the kernel's tables of sockets. Where a server closed first,
 * thousands of sockets rest on the one port that it listens at, and the ports of its clients are free.
 */
export function restingPorts({ first, last }: PortRange, tables: readonly string[], twReuse: number): number {
  const ports = new Set<number>();
  for (const table of tables) {
    for (const [, address, hexadecimal, left] of table.matchAll(RESTING)) {
      const port = Number.parseInt(hexadecimal!, 16);
      const isReused = twReuse === 1 || (twReuse === 2 && LOOPBACK.test(address!));
      if (port < first || port > last || (isReused && Number.parseInt(left!, 16) < REUSED_BELOW)) continue;
      ports.add(port);
    }
  }
  return ports.size;
}

function socketTables(): string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => kernelText(file) ?? '');
}
