import { setTimeout as sleep } from 'node:timers/promises';
import type { GitResult } from '../git.ts';

/** Between one try and the next: what is restarted is back after seconds, and a publication has others behind it. */
export const PAUSES_MS: readonly number[] = [500, 1_000, 2_000, 4_000];

/** A try that ended by itself after so long is not repeated. */
const LONGEST_SECONDS = 180;

/*
 * The words of git, curl and ssh for a connection that failed or was cut off, and of servers and proxies that are not at work for
 * the moment. Whoever is refused (401, 403, 404) is refused again.
 */
const CUT = new RegExp(
  [
    'Connection (?:reset|refused|timed out|closed)|Connection was (?:reset|aborted)|(?:Failed|Couldn.t) to? ?connect to',
    'Could not resolve (?:host|proxy)|Temporary failure in name resolution|Network is unreachable|No route to host',
    'Empty reply from server|(?:Recv|Send) failure|Operation (?:timed out|too slow)|Broken pipe|transfer closed with',
    'RPC failed; (?:HTTP 5\\d\\d |HTTP 429 |curl \\d+ )|requested URL returned error: (?:429|5\\d\\d)|HTTP/2 stream \\d+ was not closed',
    'early EOF|unexpected disconnect|remote end hung up unexpectedly|bytes of body are still expected|unexpected EOF',
    'expected (?:flush|.?packfile|.?acknowledgments)|invalid server response|bad (?:line length|band)|invalid index-pack output',
    'SSL_ERROR_SYSCALL|unexpected eof while reading|gnutls_handshake\\(\\) failed|kex_exchange_identification',
    'unpacker error|remote unpack failed',
  ].join('|'),
  'i',
);
const REFUSED = /\b40[134]\b|Permission denied|Authentication failed|access rights|Repository not found/i;

export function isCut({ timedOut, failure, heard }: Pick<GitResult, 'timedOut' | 'failure' | 'heard'>): boolean {
  return failure !== null && (timedOut || (CUT.test(heard) && !REFUSED.test(heard)));
}

/** Calls again, after pauses, as long as the network is what fails; resolves to what the last call came to, and how many there were. */
export async function acrossCuts(
  call: () => Promise<GitResult>,
  pausesMs: readonly number[],
  signal: AbortSignal,
): Promise<GitResult & { tries: number }> {
  const started = performance.now();
  for (let tries = 1; ; tries += 1) {
    const result = await call();
    const pauseMs = pausesMs[tries - 1];
    const isLate = (performance.now() - started) / 1000 > LONGEST_SECONDS;
    if (!isCut(result) || pauseMs === undefined || isLate) return { ...result, tries };
    await sleep(pauseMs, undefined, { signal });
  }
}

/** `, in 5 tries` */
export function triesText(tries: number): string {
  return tries === 1 ? '' : `, in ${tries} tries`;
}
