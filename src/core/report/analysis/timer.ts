import type { CaseRecord } from '../../record/run-record.ts';

/**
 * How long Linux holds an acknowledgement back at least: `TCP_DELACK_MIN` in include/net/tcp.h, a 25th of a second. Nagle's
 * algorithm sends the end of an answer that was written in two pieces only once the first piece is acknowledged, and so
 * both sides wait for this timer: https://en.wikipedia.org/wiki/Nagle%27s_algorithm#Interaction_with_delayed_ACK
 */
export const DELAYED_ACK_MS = 40;
export const DELAYED_ACK_SOURCE = 'https://en.wikipedia.org/wiki/Nagle%27s_algorithm#Interaction_with_delayed_ACK';

/** A tick of the kernel and the request's own time come on top; ab rounds to whole milliseconds. */
const MOST_ABOVE_MS = 6;
/** Of a queue the slower half waits clearly longer than the middle one; of a timer all wait alike. */
const MOST_SPREAD = 1.1;

/**
 * p50 in milliseconds, where p50, p75 and p90 lie so close together and so near the timer of a delayed acknowledgement that the
 * requests wait for it; null where they do not, or where p50 or p90 is not known. Says nothing of CPUs: full ones explain any latency.
 */
export function delayedAckMs({ metrics }: Pick<CaseRecord, 'metrics'>): number | null {
  const [p50, p75, p90] = ['p50', 'p75', 'p90'].map((name) => metrics[`latency-${name}`]?.value);
  if (p50 === undefined || p90 === undefined) return null;
  if (p50 < DELAYED_ACK_MS - 1 || p50 > DELAYED_ACK_MS + MOST_ABOVE_MS) return null;
  return Math.max(p75 ?? p50, p90) <= MOST_SPREAD * p50 ? p50 : null;
}
