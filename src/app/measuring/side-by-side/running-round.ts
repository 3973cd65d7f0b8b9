import type { Case } from '../../../core/config/case.ts';
import type { Placement } from '../../../core/config/resolved.ts';
import type { UnloadedPass } from '../../../core/measurement/measurement.ts';
import type { Variant } from '../../../core/measurement/names.ts';
import type { DuetLengths } from '../../../core/plan/duets.ts';
import { roundSeed } from '../../../core/plan/plan.ts';
import type { Saturated } from '../beyond.ts';
import type { Capacities, GeneratorCapacities } from '../rate.ts';
import type { WarmedUp, WarmUpTarget } from '../warm-up.ts';
import { both, caseOf, type OfEach, type Side, type Testbeds } from './sides.ts';

/** Requests per second of one side that has server and generator to itself, and of each side of a duet. */
export interface PairRates {
  solo: number;
  duet: number;
}

/** Both variants while they stand side by side, and what is known of them so far. */
export interface RunningRound {
  round: number;
  seed: number;
  /** How the rates of both sides are sent: at once, or in turn. */
  mode: 'duet' | 'interleaved';
  sides: OfEach<Side>;
  testbeds: Testbeds;
  placement: Placement;
  /** By case key; kept over rounds, so that they are alike. */
  rates: Map<string, PairRates>;
  /** By `endpointKey`: seconds of warm-up that the first round has learnt. */
  warmUps: Map<string, number>;
  /**
   * By `capacityKey`: the most that was seen of it; kept over rounds, since a short warm-up of a slow endpoint may find none, or next to
   * none: of 64 connections that wait for half a second each.
   */
  bestCapacities: Map<string, number>;
  /** Of each side; kept over rounds. */
  saturated: OfEach<Saturated>;
  /** What the budget has for a duet of a slow endpoint. */
  longestSeconds(): number;
  /** Of k6; kept over rounds. */
  generatorCapacities: GeneratorCapacities;
  /** By case key: in how many trials a side did not come to rest after its load, or gave no answer; kept over rounds. */
  restless: Map<string, number>;
  lengths: DuetLengths;
  /** By case key: seconds of the duets of a closed loop, `lengths` or as many as its answers take; kept over rounds. */
  longer: Map<string, number>;
  idleBytes: OfEach<number>;
  /** Case key → trials that each side has had in this round. */
  trials: Map<string, number>;
  /**
   * Of both sides together, or half of that where they take turns; of the slower one by itself where that is more or they were not
   * warmed up together.
   */
  capacities: Capacities;
  /** By `endpointKey`: how both were warmed up together. */
  warm: Map<string, Pick<WarmedUp, 'seconds' | 'steady'>>;
  /** In whose warm-up each side is looked at by itself; null where none has one. */
  observed: Case | null;
  /** Without load, of this start. */
  passes: readonly UnloadedPass[];
  /** See `readingCases`. */
  reading: readonly Case[];
  /** A side does not survive that its data are put back, and is cold after it. */
  restartsWithData: boolean;
}

/** What a round begins with. */
export type RoundStart = Pick<
  RunningRound,
  | 'sides'
  | 'testbeds'
  | 'placement'
  | 'rates'
  | 'warmUps'
  | 'bestCapacities'
  | 'saturated'
  | 'longestSeconds'
  | 'generatorCapacities'
  | 'restless'
  | 'lengths'
  | 'longer'
  | 'seed'
  | 'mode'
>;

export function runningRound(round: number, frame: RoundStart): RunningRound {
  return {
    ...frame,
    round,
    idleBytes: both(frame.testbeds, ({ meters }) => meters.service.memoryBytes()),
    trials: new Map(),
    capacities: new Map(),
    warm: new Map(),
    observed: null,
    passes: [],
    reading: [],
    restartsWithData: false,
  };
}

/** Two of each side: 1000 connections to a slow service are more than it answers in time, and each wait would be in vain. */
const MOST_RESTLESS = 4;

/** Its service has not come to rest after loads of the case, so that it is not waited for again. */
export function isRestless({ key }: Case, { restless }: Pick<RunningRound, 'restless'>): boolean {
  return (restless.get(key) ?? 0) >= MOST_RESTLESS;
}

export interface Place {
  trial: number;
  pair: number;
}

export function nextPlace({ key }: Case, { trials, round }: RunningRound): Place {
  const trial = (trials.get(key) ?? 0) + 1;
  trials.set(key, trial);
  // Unique in the run, so that no pair is made of trials of two rounds.
  return { trial, pair: round * 1000 + trial };
}

/**
 * Who is first: from trial to trial and from round to round the other one, beginning differently in each case.
 * Whatever being first does then falls on both alike.
 */
export function orderOf({ key }: Case, { seed, round, trials }: RunningRound): [Variant, Variant] {
  const turn = roundSeed(seed, key, 0) + round + (trials.get(key) ?? 0);
  return turn % 2 === 0 ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
}

export function targets(testCase: Case, running: RunningRound): [WarmUpTarget, WarmUpTarget] {
  const [first, second] = orderOf(testCase, running);
  return [targetOf(testCase, first, running), targetOf(testCase, second, running)];
}

export function targetOf(testCase: Case, variant: Variant, { sides, testbeds, placement }: RunningRound): WarmUpTarget {
  const origin = testbeds[variant].origins[testCase.route];
  if (origin === undefined) throw new Error(`no route ${testCase.route} on the testbed of the ${variant}`);
  return { case: caseOf(testCase, sides[variant]), origin, cpus: placement.generator };
}
