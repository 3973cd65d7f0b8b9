import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The one that a run without keep-alive changes on every machine. */
export const portReuse = () => readFileSync('/proc/sys/net/ipv4/tcp_tw_reuse', 'utf8').trim();

/** What it was, as the run says itself. */
export function portReuseBefore(log: string): string | undefined {
  return /tcp_tw_reuse is 1 while this run measures, and (\d) again after it/.exec(log)?.[1];
}

/** This machine's rules that keep containers of ours from metadata services. */
export function metadataRules(): string[] {
  const rules = execFileSync('ip', ['rule', 'show'], { encoding: 'utf8' }).split('\n');
  return rules.filter((rule) => /to 169\.254\.169\.254 iif wrkb-[0-9a-f]{10} /.test(rule));
}
