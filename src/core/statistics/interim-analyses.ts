/** When data are looked at, in rounds, and what share of the error rate that look spends. */
export interface PlannedAnalysis {
  rounds: number;
  /** Of the error rate of changes: all looks together spend 1 at most. 0 at a look that may only claim that nothing changed. */
  share: number;
  /** Level of the claim that nothing changed, as a share of its error rate over all looks. */
  noChangeShare: number;
}

/**
 * Fewer rounds show no change. Two equal servers whose starts differ by chance, one time the one faster and one time the other,
 * differ the same way in all of n rounds with a chance of 1/2^n: no statistics of these rounds can tell that from a change.
 * With 8 it is 0.4 %.
 */
export const FIRST_ANALYSIS_ROUNDS = 8;

/**
 * That nothing changed is claimed sooner: chance that makes unequal servers look equal has to hit the same small interval, and Student's t
 * of 6 rounds allows for that.
 */
const FIRST_NO_CHANGE_ROUNDS = 6;

/** Of a hypothesis, at any look: two of the first rounds may have been set aside. What began later than others waits for as many. */
export const LEAST_VALUES = FIRST_ANALYSIS_ROUNDS - 2;

const FIRST = [FIRST_NO_CHANGE_ROUNDS, FIRST_ANALYSIS_ROUNDS, 10, 12, 16, 20, 28, 40];

/** Each look spends this share of what is left; the last one of a run spends all of it. */
export const SPENT_AT_A_LOOK = 1 / 3;

/**
 * Of the claim that nothing changed: what the first look has, what each has of that of the one before it, and what a last one has of the
 * planned one before it. Looks share most of their data, so that all together err far less often than their sum: with a change of
 * exactly the limit and Student's t over normal rounds 1.9 % of runs that end with 6 rounds claim none, 2.1 % up to 8, 2.3 % up to 20 and
 * 2.5 % up to 60 (simulated, 100,000 runs; Pocock, Biometrika 64, 1977, for levels that take looks together).
 */
const NO_CHANGE = { first: 0.5, next: 0.7, last: 1.5 } as const;

/**
 * The looks of a run with so many rounds: at 6 for no change alone, at 8, 10, 12, 16, 20, 28, 40 and so on, and, where it is `final`, one more with all
 * that they left. The shares add up to 1 at most, so that the error of all looks together is at most that of one (the
 * union bound; Lan and DeMets, Biometrika 70, 1983, for spending by what turns out to be the time).
 */
export function analysesUpTo(rounds: number, final: boolean): PlannedAnalysis[] {
  const analyses: PlannedAnalysis[] = [];
  let left = 1;
  let noChangeShare: number = NO_CHANGE.first;
  for (const planned of plannedLooks(rounds)) {
    const share = planned < FIRST_ANALYSIS_ROUNDS ? 0 : left * SPENT_AT_A_LOOK;
    left -= share;
    analyses.push({ rounds: planned, share, noChangeShare });
    noChangeShare *= NO_CHANGE.next;
  }
  const last = analyses.at(-1);
  if (!final || last === undefined) return analyses;
  // A second look at the same data costs only what it spends beyond the first.
  const share = rounds < FIRST_ANALYSIS_ROUNDS ? 0 : left + (last.rounds === rounds ? last.share : 0);
  return [...analyses, { rounds, share, noChangeShare: NO_CHANGE.last * last.noChangeShare }];
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
