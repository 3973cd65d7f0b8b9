import type { Case } from '../../../core/config/case.ts';
import { generators } from '../../../core/generators/registry.ts';
import type { TrialMeasurement } from '../../../core/measurement/measurement.ts';
import { busyShareOf } from '../../../core/record/duet-load.ts';
import { VALIDITY_LIMITS as LIMIT } from '../../../core/validity/limits.ts';
import { loadShares, utilisationOf } from '../../../core/validity/shares.ts';
import { invalidReasons } from '../../../core/validity/verdict.ts';
import { MOST_SHARE_OF_DUET } from '../rate.ts';

/** Why a duet is measured again, and at which rate. */
export interface Repetition {
  why: 'not held' | 'busy';
  /** Requests per second of each side. */
  rate: number;
}

/** Of one duet, at the most. */
const MOST_REPETITIONS = 4;

/** Of the rate, after two trials in which neither side could be sent it. */
const LOWERED = 0.75;

/** Of the CPUs, by which both sides together may be busier than was meant. */
const MOST_BEYOND = 0.1;

/**
 * What a duet says of the rate that both sides were sent, after it was measured again `repeated` times; null where it stands.
 *
 * - As much of the CPUs is meant to be busy as the share of the capacity that was asked for. The capacity is known from closed loops of one
 *   side, in which a request costs less: two equal Node.js servers with half of 60 % each left 10 to 48 % of a CPU idle, as the machine
 *   was. At 48, 60 and 70 % their p50 differed by 1.4 % (rms of 24 duets) with 40 to 50 % idle, 2.9 % (47) with 25 to 40, 5.6 % (11) with less.
 * - What others took of the CPUs is none of it: they will be gone, and the rate is for the rest of the run. Beside unit tests
 *   on the same CPUs, 57 requests/s to each of two services had become 6 within two rounds.
 * - A machine that stalls holds no rate: what neither side holds is sent once more, and lowered where that is not held either.
 */
export function repetitionOf(
  trials: readonly TrialMeasurement[],
  testCase: Case,
  rate: number,
  repeated: number,
): Repetition | null {
  if (repeated === MOST_REPETITIONS) return null;
  const reasons = trials.map((trial) => invalidReasons({ trial, case: testCase, pass: null }).map(({ code }) => code));
  if (reasons.flat().some((code) => code !== 'rate-not-held')) return null;
  const notHeld = reasons.filter((own) => own.length > 0).length;
  // That one side holds it and the other does not is what is to be found.
  if (notHeld > 0 && notHeld < trials.length) return null;

  const [meant, busy] = [shareMeant(testCase), Math.max(...trials.map(busyShareOfSides))];
  if (busy > meant + MOST_BEYOND) return { why: 'busy', rate: lowered(rate, meant / busy) };
  if (notHeld === 0) return null;
  return { why: 'not held', rate: repeated === 0 ? rate : lowered(rate, LOWERED) };
}

/** Of the CPUs; less what others and the hypervisor took, where that is more than the kernel's own work for the sides. */
function busyShareOfSides(trial: TrialMeasurement): number {
  const busy = busyShareOf(trial) ?? 0;
  const taken = loadShares(trial).foreign + utilisationOf(trial).steal / Math.max(1, trial.cpu.serverCpuCount);
  return taken > LIMIT.foreignShare ? busy - taken : busy;
}

function shareMeant({ load }: Case): number {
  const arrival = generators[load.generator].arrivalOf(load);
  return arrival?.kind === 'share' ? arrival.shareOfCapacity : MOST_SHARE_OF_DUET;
}

function lowered(rate: number, share: number): number {
  return Math.max(1, Math.round(rate * share));
}
