import { readFileSync } from 'node:fs';

/** The one that a run without keep-alive changes on every machine. */
export const portReuse = () => readFileSync('/proc/sys/net/ipv4/tcp_tw_reuse', 'utf8').trim();

/** What it was, as the run says itself. */
export function portReuseBefore(log: string): string | undefined {
  return /tcp_tw_reuse is 1 while this run measures, and (\d) again after it/.exec(log)?.[1];
}
