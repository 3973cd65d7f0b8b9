import type { Case } from '../../../core/config/case.ts';
import type { UnloadedPass } from '../../../core/measurement/measurement.ts';
import type { Variant } from '../../../core/measurement/names.ts';
import { type Beyond, beyondService, tooSlowForRate } from '../../../core/validity/beyond-service.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { knownBeyond, leastCapacity, noteBeyond, noteSaturated, waitsForNoCpu } from '../beyond.ts';
import { type ChosenRate, capacityOf } from '../rate.ts';
import { passKey } from '../unloaded-passes.ts';
import type { RunningRound } from './running-round.ts';
import { VARIANTS } from './sides.ts';

/**
 * Whether a case is beyond both sides, and then in the journal as such. What one of them alone no longer answers in time is measured: that
 * is what a comparison is to find.
 */
export async function isBeyondBoth(
  testCase: Case,
  beyondOf: (variant: Variant) => Beyond | null,
  adapters: MeasuringAdapters,
): Promise<boolean> {
  const found = VARIANTS.flatMap((variant) => {
    const beyond = beyondOf(variant);
    return beyond === null ? [] : [{ variant, beyond }];
  });
  if (found.length < VARIANTS.length) return false;
  await noteBeyond(testCase, found, adapters);
  return true;
}

/** By what its endpoint has answered to fewer connections. */
export function isKnownBeyond(testCase: Case, running: RunningRound, adapters: MeasuringAdapters): Promise<boolean> {
  return isBeyondBoth(testCase, (variant) => knownBeyond(testCase, running.saturated[variant]), adapters);
}

/** The same of a case that is not noted yet: nothing need be warmed up for it. */
export function isBeyondSaturated(testCase: Case, { saturated }: Pick<RunningRound, 'saturated'>): boolean {
  return VARIANTS.every((variant) => knownBeyond(testCase, saturated[variant]) !== null);
}

/** By what the warm-up of a side by itself has reached; null where that is unknown. */
export function beyondByWarmUp(
  testCase: Case,
  variant: Variant,
  perSecond: number | null,
  running: Pick<RunningRound, 'passes'>,
): Beyond | null {
  if (perSecond === null) return null;
  return beyondService(testCase, leastCapacity(perSecond, passOf(testCase, variant, running)));
}

/** By the rate that both sides are sent, which is a share of what they answer. */
export function isTooSlow(
  testCase: Case,
  { rate, duetRate }: ChosenRate,
  { capacities, longestSeconds, mode }: RunningRound,
  adapters: MeasuringAdapters,
): Promise<boolean> {
  const perSecond = capacityOf(testCase, capacities);
  const own = mode === 'interleaved' ? rate : duetRate;
  const beyond = own === null || perSecond === null ? null : tooSlowForRate(testCase, own, longestSeconds(), perSecond);
  return isBeyondBoth(testCase, () => beyond, adapters);
}

/** What a closed loop of the case has reached on a side: in a warm-up of it or of both, or in a trial of it. */
export function noteReached(
  testCase: Case,
  variant: Variant,
  perSecond: number,
  how: { sides: 1 | 2; from: 'warm-up' | 'trial' },
  running: Pick<RunningRound, 'saturated' | 'passes'>,
): void {
  noteSaturated(running.saturated[variant], testCase, perSecond, { pass: passOf(testCase, variant, running), ...how });
}

/**
 * Requests per second of the slower side by itself, by what each and both have answered at the same time: as much as both together where they
 * share a CPU, and else what that side has.
 */
export function capacityOfOne(
  testCase: Case,
  together: number,
  reached: readonly { variant: Variant; perSecond: number }[],
  running: Pick<RunningRound, 'mode' | 'passes'>,
): number {
  const isFree = reached.every(({ variant, perSecond }) => {
    const pass = passOf(testCase, variant, running);
    return pass !== null && waitsForNoCpu(perSecond, pass);
  });
  if (isFree) return Math.min(...reached.map(({ perSecond }) => perSecond));
  // Sides that take turns may not compete for the CPU, and then one alone answers no more than its part of this.
  return running.mode === 'interleaved' ? together / 2 : together;
}

function passOf(testCase: Case, variant: Variant, { passes }: Pick<RunningRound, 'passes'>): UnloadedPass | null {
  const isOwn = (pass: UnloadedPass) =>
    pass.variant === variant &&
    pass.service === testCase.service.name &&
    `${pass.route} ${pass.endpoint}` === passKey(testCase);
  return passes.findLast(isOwn) ?? null;
}
