import type { Case, Variant } from '../../../core/plan/case.ts';
import { type DuetLengths, warmUpKey } from '../../../core/plan/duets.ts';
import { instanceSeed } from '../../../core/plan/order.ts';
import type { SliceMeasurement } from '../../../core/record/measurement.ts';
import type { Placement } from '../../../core/spec/resolved.ts';
import { invalidReasons } from '../../../core/validity/verdict.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { measuredLine } from '../measured-line.ts';
import { chosenRate } from '../rate.ts';
import { measuredSlice, type SliceRequest } from '../slice.ts';
import { undisturbedSlice } from '../undisturbed-slice.ts';
import { type WarmedUp, type WarmUpTarget, warmUp, warmUpTogether } from '../warm-up.ts';
import { measuredDuet } from './duet.ts';
import { both, caseOf, type OfEach, type Side, type Stages } from './sides.ts';

/** Both variants while they stand side by side, and what is known of them so far. */
export interface OnStage {
  instance: number;
  seed: number;
  sides: OfEach<Side>;
  stages: Stages;
  placement: Placement;
  /** Case key → requests per second of each side of its duets; kept over instances, so that they are alike. */
  duetRates: Map<string, number>;
  lengths: DuetLengths;
  idleBytes: OfEach<number>;
  /** Case key → slices that each side has had in this instance. */
  slices: Map<string, number>;
  /** How both were warmed up together. */
  warm: Omit<WarmedUp, 'capacity'>;
}

export function standing(
  instance: number,
  frame: Pick<OnStage, 'sides' | 'stages' | 'placement' | 'duetRates' | 'lengths' | 'seed'>,
): OnStage {
  return {
    ...frame,
    instance,
    idleBytes: both(frame.stages, ({ meters }) => meters.service.memoryBytes()),
    slices: new Map(),
    warm: { seconds: 0, steady: true },
  };
}

/**
 * Warms both up at the same time: each endpoint with keep-alive and without, as far as it is loaded so. What a runtime has
 * compiled for the one is cold for the other; where only one was warmed up, slices early in an instance scattered twice
 * as much as late ones.
 */
export async function warmedUp(
  cases: readonly Case[],
  onStage: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const firsts = new Map(cases.toReversed().map((testCase) => [warmUpKey(testCase), testCase]));
  const windows = [];
  for (const testCase of firsts.values()) {
    const [first, second] = targets(testCase, onStage);
    const { warmUp: load } = onStage.sides.candidate.spec.load;
    windows.push(await warmUpTogether([first, second], load, adapters, signal));
  }
  const seconds = windows.reduce((sum, each) => sum + each.seconds, 0);
  onStage.warm = { seconds, steady: windows.every(({ steady }) => steady) };
  if (seconds > 0) await adapters.store.journal.append({ kind: 'load', seconds });
}

/** Warm-up, rate and slice of both in turn, at full length; a rate is a share of what the slower one can do. */
export async function alonePair(
  testCase: Case,
  onStage: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement[]> {
  const { load } = onStage.sides.candidate.spec;
  const order = orderOf(testCase, onStage);
  const warm: OfEach<WarmedUp | null> = { baseline: null, candidate: null };
  for (const variant of order) {
    const target = targetOf(testCase, variant, onStage);
    warm[variant] = await warmUp(target.case, load.warmUp, target, adapters, signal);
  }
  const capacities = order.flatMap((variant) => warm[variant]?.capacity ?? []);
  const capacity = capacities.length === 0 ? null : Math.min(...capacities);
  const [first] = targets(testCase, onStage);
  const chosen = await chosenRate(first.case, capacity, first, adapters, signal);
  if (chosen.duetRate !== null) onStage.duetRates.set(testCase.key, chosen.duetRate);

  const place = nextPlace(testCase, onStage);
  const slices = [];
  for (const variant of order) {
    const { seconds = 0, steady = true } = warm[variant] ?? {};
    const request = {
      ...sliceRequest(testCase, variant, place, onStage),
      rate: chosen.rate,
      warmUp: { seconds, steady },
      notes: chosen.mark === null ? [] : [chosen.mark],
      coolDownSeconds: load.coolDownSeconds,
    };
    const { slice } = await undisturbedSlice(request, adapters, signal);
    const text = measuredLine(slice, testCase, invalidReasons({ slice, case: testCase, pass: null }));
    adapters.progress.measured(`${variant.padEnd('candidate'.length)} ${text}`);
    slices.push(slice);
  }
  const warmSeconds = order.reduce((sum, variant) => sum + (warm[variant]?.seconds ?? 0), 0);
  return await kept(slices, warmSeconds + chosen.seconds, adapters);
}

/** Both in turn, as short as a duet. */
export async function interleavedPair(
  testCase: Case,
  onStage: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement[]> {
  const short = { ...testCase, load: shortened(testCase, onStage.lengths) };
  const place = nextPlace(testCase, onStage);
  const rate = onStage.duetRates.get(testCase.key) ?? null;
  const slices = [];
  for (const variant of orderOf(testCase, onStage)) {
    const request = { ...sliceRequest(short, variant, place, onStage), rate };
    slices.push(await measuredSlice(request, adapters, signal));
  }
  return await kept(slices, 0, adapters);
}

/** Both at the same time. */
export async function duetPair(
  testCase: Case,
  onStage: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement[]> {
  const place = nextPlace(testCase, onStage);
  const rate = onStage.duetRates.get(testCase.key) ?? null;
  const [first, second] = orderOf(testCase, onStage);
  const request = (variant: Variant) => ({ ...sliceRequest(testCase, variant, place, onStage), rate });
  const seconds = onStage.lengths[testCase.generator];
  const slices = await measuredDuet([request(first), request(second)], seconds, adapters, signal);
  return await kept(slices, 0, adapters);
}

async function kept(
  slices: SliceMeasurement[],
  otherSeconds: number,
  { store: { journal } }: MeasuringAdapters,
): Promise<SliceMeasurement[]> {
  const inDuet = slices[0]?.mode === 'duet';
  const each = slices.map(({ durationNs }) => durationNs / 1e9);
  const seconds = inDuet ? Math.max(...each) : each.reduce((sum, value) => sum + value, 0);
  await journal.append({ kind: 'load', seconds: otherSeconds + seconds });
  for (const slice of slices) await journal.append({ kind: 'slice', ...slice });
  return slices;
}

interface Place {
  slice: number;
  pair: number;
}

function nextPlace({ key }: Case, { slices, instance }: OnStage): Place {
  const slice = (slices.get(key) ?? 0) + 1;
  slices.set(key, slice);
  // Unique in the run, so that no pair is made of slices of two instances.
  return { slice, pair: instance * 1000 + slice };
}

function sliceRequest(testCase: Case, variant: Variant, place: Place, onStage: OnStage): SliceRequest {
  return {
    ...place,
    case: caseOf(testCase, onStage.sides[variant]),
    stage: onStage.stages[variant],
    placement: onStage.placement,
    rate: null,
    warmUp: onStage.warm,
    notes: [],
    idleBytes: onStage.idleBytes[variant],
    coolDownSeconds: 0.1,
  };
}

/**
 * Who is first: from slice to slice and from instance to instance the other one, beginning differently in each case.
 * Whatever being first does then falls on both alike.
 */
function orderOf({ key }: Case, { seed, instance, slices }: OnStage): [Variant, Variant] {
  const turn = instanceSeed(seed, key, 0) + instance + (slices.get(key) ?? 0);
  return turn % 2 === 0 ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
}

function targets(testCase: Case, onStage: OnStage): [WarmUpTarget, WarmUpTarget] {
  const [first, second] = orderOf(testCase, onStage);
  return [targetOf(testCase, first, onStage), targetOf(testCase, second, onStage)];
}

function targetOf(testCase: Case, variant: Variant, { sides, stages, placement }: OnStage): WarmUpTarget {
  const origin = stages[variant].origins[testCase.route];
  if (origin === undefined) throw new Error(`no route ${testCase.route} on the stage of the ${variant}`);
  return { case: caseOf(testCase, sides[variant]), origin, cpus: placement.generator };
}

function shortened({ load }: Case, lengths: DuetLengths): Case['load'] {
  return load.generator === 'ab' ? load : { ...load, durationSeconds: lengths[load.generator] };
}
