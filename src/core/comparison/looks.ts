/** When data are looked at, in instances, and what share of the error rate that look spends. */
export interface PlannedLook {
  instances: number;
  /** Of the family error rate. */
  share: number;
}

/** Fewer instances are not looked at before the end. */
export const FIRST_LOOK = 5;

const FIRST = [FIRST_LOOK, 7, 10, 14, 20, 28];

/**
 * Each look spends this share of what is left; the last one of a run spends all of it. Half would find a change of three
 * standard deviations half an instance sooner, and miss one in eight of those of 1.5 that a quarter finds with ten.
 */
const SPENT_AT_A_LOOK = 0.25;

/**
 * The looks of a run with so many instances: at 5, 7, 10, 14, 20, 28, 40, … and, where it is `final`, one more with all
 * that they left. The shares add up to 1 at most, so that the error of all looks together is at most that of one (the
 * union bound; Lan and DeMets, Biometrika 70, 1983, for spending by what turns out to be the time).
 */
export function looksUpTo(instances: number, final: boolean): PlannedLook[] {
  const looks: PlannedLook[] = [];
  let left = 1;
  for (const planned of plannedInstances(instances)) {
    const share = left * SPENT_AT_A_LOOK;
    left -= share;
    looks.push({ instances: planned, share });
  }
  const last = looks.at(-1);
  // A second look at the same data costs only what it spends beyond the first.
  if (final) looks.push({ instances, share: left + (last?.instances === instances ? last.share : 0) });
  return looks;
}

/** Planned numbers of instances up to a number, each some 1.4 times the one before. */
export function plannedInstances(upTo: number): number[] {
  const planned: number[] = [];
  for (let index = 0; ; index += 1) {
    const next = FIRST[index] ?? planned[index - 2]! * 2;
    if (next > upTo) return planned;
    planned.push(next);
  }
}
