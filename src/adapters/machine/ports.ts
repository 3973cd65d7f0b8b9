import type { PortMeter } from '../../app/ports/machine.ts';
import { kernelText } from './kernel-files.ts';

export interface PortRange {
  first: number;
  last: number;
}

/** What macOS starts with, and IANA recommends; for where the kernel does not tell. */
const DYNAMIC_PORTS: PortRange = { first: 49_152, last: 65_535 };

export function createPortMeter(): PortMeter {
  return {
    read() {
      const { first, last } = readPortRange() ?? DYNAMIC_PORTS;
      return { timeWait: readTimeWait(), available: last - first + 1 };
    },
  };
}

/** `net.ipv4.ip_local_port_range`; null where there is none. */
export function readPortRange(): PortRange | null {
  const match = /^(\d+)\s+(\d+)$/.exec(kernelText('/proc/sys/net/ipv4/ip_local_port_range') ?? '');
  return match === null ? null : { first: Number(match[1]), last: Number(match[2]) };
}

/** Sockets in TIME_WAIT of this network namespace; 0 where it cannot be told. */
export function readTimeWait(): number {
  return Number(/^TCP:.* tw (\d+)/m.exec(kernelText('/proc/net/sockstat') ?? '')?.[1] ?? 0);
}
