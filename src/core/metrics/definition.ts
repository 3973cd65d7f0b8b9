import type { TrialMeasurement, UnloadedPass } from '../measurement/measurement.ts';

export type MetricUnit = 'req/s' | 'ms' | '1/request' | 'us' | 'bytes';

/**
 * A named quantity, with all by which metrics differ: whatever gates, plans, compares or shows them reads it here. A new one is a
 * file here and a line in `registry.ts`, or a line in the file of its kind.
 */
export type MetricDefinition = MetricTraits & (OfTrial | OfPass);

interface OfTrial {
  /** From one trial, or null where the trial does not hold it. */
  ofTrial(trial: TrialMeasurement): number | null;
  /** Of how many requests the trial's value is, where its samples say so: as the generator counted them. */
  requestsOf?(trial: TrialMeasurement): number | null;
  /** What it would be if the service had no background threads, which scatters less; null where they do most of the work. */
  withoutBackground?(trial: TrialMeasurement): number | null;
  ofPass?: never;
}

interface OfPass {
  /** From an unloaded pass: exact, but for `passScatter`. */
  ofPass(pass: UnloadedPass): number | null;
  ofTrial?: never;
  requestsOf?: never;
  withoutBackground?: never;
}

interface MetricTraits {
  name: string;
  title: string;
  /** Where a service has dependencies, which are then counted in it; absent where that is all the same. */
  titleWithDependencies?: string;
  unit: MetricUnit;
  better: 'higher' | 'lower';
  /** Of the service's process, which serves all of its cases, rather than of what one case asks of it. */
  ofProcess: boolean;
  /** Which cases gate it. */
  gatedBy: 'every case' | 'closed loop' | 'fixed rate' | 'closed loop and fixed rate';
  /**
   * What a duet says of it. `as measured`: its trials are paired; `where both compete`: only while both sides want more CPU than they
   * get, and else trials in turn are; `as measured, solo too`: what the other side does is not in it; `solo beside them`: each round has a
   * pair of trials in turn for it; `not measured`: its trials hold nothing of it, and a change is judged in trials in turn or stored
   * figures alone.
   */
  inDuets: 'as measured' | 'where both compete' | 'as measured, solo too' | 'solo beside them' | 'not measured';
  /** Duets in which one of them is known leave little to learn from the others: the error rate pays for one. Null: it is by itself. */
  sameDataAs: 'CPU time' | null;
  /** A ratio of next to nothing is noise: it is judged by `max`, and by what makes a case invalid. */
  limitedByLevelAlone: boolean;
  /** Requests of a round that its tail takes: with fewer it is not judged, and never without a limit. Null: any trial has enough. */
  tailRequests: number | null;
  /** In its unit: where neither side has as much, it is only shown. Absent where any value is judged. */
  leastJudged?: number;
  /**
   * What the unloaded passes of equal services may differ by, in its unit: only more than that is a difference. Absent for what the
   * request alone decides.
   */
  passScatter?: number;
  /** What only a database tells of. */
  needsDatabase: boolean;
  /** Between runs on different days, what a reference service did tells how fast the machine was. */
  followsTheMachine: boolean;
  /** Another order of the same functions moves it. */
  movedByCodeLayout: boolean;
  /** How a spec limits it that says nothing of it, as a person would write it; null where it is only shown. */
  usualLimit: Readonly<Record<'max-increase', string | number> | Record<'max-decrease', string | number>> | null;
  /** Its usual limit is one of a tail, which few rounds tell little of (`Limit.watched`). A written one is waited for like any other. */
  isWatched?: true;
  words: MetricWords;
  /** Title of its column or row in each of these tables; null where it is not in it. */
  columns: {
    terminal: string | null;
    results: string | null;
    resources: string | null;
    counts: string | null;
  };
  /** Among the columns of a comparison's table of all cases, judged or not. */
  alwaysCompared: boolean;
}

export interface MetricWords {
  /** Within a line of figures: `1.4 % CPU`. */
  short: string;
  /** What a case does whose figure rose or fell; `%` stands for the change. */
  up: string;
  down: string;
  /** In a narrow table, where the title itself explains more than there is room for. */
  title?: string;
  /** Where the figures themselves say more than a percentage. */
  counts?: (baseline: string, candidate: string) => string;
}

export const noColumns: MetricDefinition['columns'] = { terminal: null, results: null, resources: null, counts: null };

/** `costs % more CPU per request` */
export function moreOrLess(short: string, verb: string, what: string): MetricWords {
  return { short, up: `${verb} % more ${what}`, down: `${verb} % less ${what}` };
}

/** `sends 2 queries per request instead of 1`; `one`: what there is of a single one. */
export function insteadOf(short: string, verb: string, what: string, one = what): MetricWords {
  return {
    ...moreOrLess(short, verb, what),
    counts: (baseline, candidate) => `${verb} ${candidate} ${candidate === '1' ? one : what} instead of ${baseline}`,
  };
}
