/** When data are looked at, in rounds, and what share of the error rate that look spends. */
export interface PlannedAnalysis {
  rounds: number;
  /** Of the error rate of each claim. */
  share: number;
}

/**
 * Fewer rounds decide nothing. Two equal servers whose starts differ by chance, one time the one faster and one time the other,
 * differ the same way in all of n rounds with a chance of 1/2^n: no statistics of these rounds can tell that from a change.
 * With 8 it is 0.4 %.
 */
export const FIRST_ANALYSIS_ROUNDS = 8;

const FIRST = [FIRST_ANALYSIS_ROUNDS, 10, 12, 16, 20, 28, 40];

/** Each look spends this share of what is left; the last one of a run spends all of it. */
const SPENT_AT_A_LOOK = 1 / 3;

/**
 * The looks of a run with so many rounds: at 8, 10, 12, 16, 20, 28, 40 and so on, and, where it is `final`, one more with all
 * that they left. The shares add up to 1 at most, so that the error of all looks together is at most that of one (the
 * union bound; Lan and DeMets, Biometrika 70, 1983, for spending by what turns out to be the time).
 */
export function analysesUpTo(rounds: number, final: boolean): PlannedAnalysis[] {
  const analyses: PlannedAnalysis[] = [];
  let left = 1;
  for (const planned of plannedLooks(rounds)) {
    const share = left * SPENT_AT_A_LOOK;
    left -= share;
    analyses.push({ rounds: planned, share });
  }
  const last = analyses.at(-1);
  if (!final || rounds < FIRST_ANALYSIS_ROUNDS) return analyses;
  // A second look at the same data costs only what it spends beyond the first.
  return [...analyses, { rounds, share: left + (last?.rounds === rounds ? last.share : 0) }];
}

/** Planned numbers of rounds up to a number. */
export function plannedLooks(upTo: number): number[] {
  const planned: number[] = [];
  for (let index = 0; ; index += 1) {
    const next = FIRST[index] ?? planned[index - 2]! * 2;
    if (next > upTo) return planned;
    planned.push(next);
  }
}
