import type { RequestSet } from './request-set.ts';

/** Which trial of a case it is: numbers that both sides of a comparison, and every run, have alike. */
export interface Turn {
  round: number;
  trial: number;
}

/** Two that are no fractions of each other: what they add up to comes near to every place, and evenly, however many trials there are. */
const STEPS = { trial: (Math.sqrt(5) - 1) / 2, round: Math.sqrt(6) - 2 };

/**
 * The same requests in the same order, begun at a place of the trial's own. Trials are short: if each began with the first request, what
 * stands behind the first second of them would never be sent.
 */
export function begunInTurn<Set extends Pick<RequestSet, 'order'>>(set: Set, { round, trial }: Turn): Set {
  const { order } = set;
  const first = Math.floor((((trial - 1) * STEPS.trial + round * STEPS.round) % 1) * order.length);
  if (first === 0) return set;
  const begun = new Uint32Array(order.length);
  begun.set(order.subarray(first));
  begun.set(order.subarray(0, first), order.length - first);
  return { ...set, order: begun };
}
