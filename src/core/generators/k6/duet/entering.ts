import script from '../../../../../templates/k6/entering.k6.js';
import { filled } from '../../../format/template.ts';
import { duetLeadInSeconds } from '../lead-in.ts';
import { type DuetLoad, PHASE, scenarioSeconds } from './sides.ts';

/** Go sleeps in steps of 1 ms where it has nothing else to do, so what is due within one comes at once. */
const LEAST_SPREAD_SECONDS = 0.002;
const SPREAD_PERIODS = 2;
/** Of the time that its virtual users have for an iteration: waiting must not make them scarce. */
const MOST_OF_USERS = 0.2;

/**
 * `enter()` in JavaScript, which begins each iteration of a duet: it marks what comes after the lead-in, and moves the
 * request by a random time.
 *
 * k6 starts the iterations of both scenarios on clocks of the same period. On the generator's one CPU, the side whose clock
 * is a little behind would wait for the other each time, for a whole trial; where they move at random, neither is ahead.
 */
export function entering(load: DuetLoad, connections: number): string {
  if (load.rate === null) return 'function enter() {}\n';
  const leadInShare = duetLeadInSeconds / scenarioSeconds(load);
  return filled(script, {
    __LEAD_IN_SHARE__: String(leadInShare),
    __PHASE__: PHASE,
    __SPREAD_SECONDS__: String(spreadSeconds(load.rate, connections)),
  });
}

/** How far a request is moved at most, seconds; each time up to it is as likely. */
export function spreadSeconds(rate: number, connections: number): number {
  const wanted = Math.max(SPREAD_PERIODS / rate, LEAST_SPREAD_SECONDS);
  return Math.min(wanted, (MOST_OF_USERS * connections) / rate);
}
