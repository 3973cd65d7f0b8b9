import { duetLeadInSeconds } from '../lead-in.ts';

/** Names of the two scenarios, in the order of the requests. */
export const SIDES = ['first', 'second'] as const;
export type Side = (typeof SIDES)[number];

/** What each side asks for, as told by the summary's reader and by the script's writer alike. */
export interface DuetLoad {
  /** Requests per second of each side; null for a closed loop. */
  rate: number | null;
  /** Of what is counted. */
  loadSeconds: number;
}

/**
 * The metric of one side that is counted. An open model has a lead-in; unlike that of a load alone it is the first part of
 * the same scenario, told apart by a tag that every virtual user puts on what it sends once the lead-in is over:
 *
 *     first   ├── lead-in, 0.3 s ──┼──────── phase:load ────────┤
 *     second  ├── lead-in, 0.3 s ──┼──────── phase:load ────────┤
 *
 * Were it a scenario of its own, k6 would put the virtual users of both sides into one pool in between, and those that
 * come out on the other side would open new connections in the load.
 */
export function countedMetric(metric: string, side: Side, { rate }: Pick<DuetLoad, 'rate'>): string {
  return `${metric}{scenario:${side}${rate === null ? '' : `,phase:${PHASE}`}}`;
}

/** The same with its lead-in. */
export function wholeMetric(metric: string, side: Side): string {
  return `${metric}{scenario:${side}}`;
}

export const PHASE = 'load';

/** How long a scenario runs, seconds. */
export function scenarioSeconds({ rate, loadSeconds }: DuetLoad): number {
  return rate === null ? loadSeconds : duetLeadInSeconds + loadSeconds;
}
