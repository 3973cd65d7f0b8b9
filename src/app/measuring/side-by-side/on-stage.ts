import type { Case, Variant } from '../../../core/plan/case.ts';
import type { DuetLengths } from '../../../core/plan/duets.ts';
import { instanceSeed } from '../../../core/plan/order.ts';
import type { Placement } from '../../../core/spec/resolved.ts';
import type { GeneratorCapacities } from '../rate.ts';
import type { WarmedUp, WarmUpTarget } from '../warm-up.ts';
import { both, caseOf, type OfEach, type Side, type Stages } from './sides.ts';

/** Requests per second of one side that has server and generator to itself, and of each side of a duet. */
export interface PairRates {
  alone: number;
  duet: number;
}

/** Both variants while they stand side by side, and what is known of them so far. */
export interface OnStage {
  instance: number;
  seed: number;
  sides: OfEach<Side>;
  stages: Stages;
  placement: Placement;
  /** By case key; kept over rounds, so that they are alike. */
  rates: Map<string, PairRates>;
  /** By `endpointKey`: seconds of warm-up that the first round has learnt. */
  warmUps: Map<string, number>;
  /** Of k6; kept over rounds. */
  generatorCapacities: GeneratorCapacities;
  lengths: DuetLengths;
  idleBytes: OfEach<number>;
  /** Case key → slices that each side has had in this instance. */
  slices: Map<string, number>;
  /** By `endpointKey`: requests per second of both sides together, in their warm-up. */
  capacities: Map<string, number>;
  /** How both were warmed up together. */
  warm: Pick<WarmedUp, 'seconds' | 'steady'>;
}

export function standing(
  instance: number,
  frame: Pick<
    OnStage,
    'sides' | 'stages' | 'placement' | 'rates' | 'warmUps' | 'generatorCapacities' | 'lengths' | 'seed'
  >,
): OnStage {
  return {
    ...frame,
    instance,
    idleBytes: both(frame.stages, ({ meters }) => meters.service.memoryBytes()),
    slices: new Map(),
    capacities: new Map(),
    warm: { seconds: 0, steady: true },
  };
}

export interface Place {
  slice: number;
  pair: number;
}

export function nextPlace({ key }: Case, { slices, instance }: OnStage): Place {
  const slice = (slices.get(key) ?? 0) + 1;
  slices.set(key, slice);
  // Unique in the run, so that no pair is made of slices of two instances.
  return { slice, pair: instance * 1000 + slice };
}

/**
 * Who is first: from slice to slice and from instance to instance the other one, beginning differently in each case.
 * Whatever being first does then falls on both alike.
 */
export function orderOf({ key }: Case, { seed, instance, slices }: OnStage): [Variant, Variant] {
  const turn = instanceSeed(seed, key, 0) + instance + (slices.get(key) ?? 0);
  return turn % 2 === 0 ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
}

export function targets(testCase: Case, onStage: OnStage): [WarmUpTarget, WarmUpTarget] {
  const [first, second] = orderOf(testCase, onStage);
  return [targetOf(testCase, first, onStage), targetOf(testCase, second, onStage)];
}

export function targetOf(testCase: Case, variant: Variant, { sides, stages, placement }: OnStage): WarmUpTarget {
  const origin = stages[variant].origins[testCase.route];
  if (origin === undefined) throw new Error(`no route ${testCase.route} on the stage of the ${variant}`);
  return { case: caseOf(testCase, sides[variant]), origin, cpus: placement.generator };
}
