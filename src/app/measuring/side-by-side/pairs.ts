import type { Case, Variant } from '../../../core/plan/case.ts';
import { type DuetLengths, endpointKey, SHORT_SOLO_SECONDS } from '../../../core/plan/duets.ts';
import type { SliceMeasurement } from '../../../core/record/measurement.ts';
import { grouped } from '../../../core/report/figures.ts';
import { invalidReasons } from '../../../core/validity/verdict.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { measuredLine } from '../measured-line.ts';
import { type ChosenRate, chosenRate } from '../rate.ts';
import { measuredSlice, type SliceRequest } from '../slice.ts';
import { undisturbedSlice } from '../undisturbed-slice.ts';
import { type WarmedUp, warmUp } from '../warm-up.ts';
import { measuredDuet } from './duet.ts';
import { nextPlace, type OnStage, orderOf, type Place, targetOf, targets } from './on-stage.ts';
import { caseOf, type OfEach } from './sides.ts';

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
  const chosen = await chosenRate(first.case, capacity, first, onStage.generatorCapacities, adapters, signal);
  await keepRates(testCase, chosen, onStage, adapters);

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

/** The same in short, right after both were warmed up together: for figures beside a change that is measured elsewhere. */
export async function shortSoloPair(
  testCase: Case,
  onStage: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement[]> {
  const [first] = targets(testCase, onStage);
  const capacity = onStage.capacities.get(endpointKey(testCase)) ?? null;
  const chosen = await chosenRate(first.case, capacity, first, onStage.generatorCapacities, adapters, signal);
  await keepRates(testCase, chosen, onStage, adapters);
  const short = { ...testCase, load: shortened(testCase, SHORT_SOLO_SECONDS) };
  const place = nextPlace(testCase, onStage);
  const slices = [];
  for (const variant of orderOf(testCase, onStage)) {
    const notes = chosen.mark === null ? [] : [chosen.mark];
    const request = { ...sliceRequest(short, variant, place, onStage), rate: chosen.rate, notes };
    const { slice } = await undisturbedSlice(request, adapters, signal);
    const text = measuredLine(slice, testCase, invalidReasons({ slice, case: testCase, pass: null }));
    adapters.progress.measured(`${variant.padEnd('candidate'.length)} ${text}`);
    slices.push(slice);
  }
  return await kept(slices, chosen.seconds, adapters);
}

/** In the journal, so that a run that goes on sends the same. */
async function keepRates(
  { key }: Case,
  { rate, duetRate }: ChosenRate,
  { rates }: OnStage,
  { store }: MeasuringAdapters,
): Promise<void> {
  if (rate === null || duetRate === null) return;
  const chosen = { alone: rate, duet: duetRate };
  rates.set(key, chosen);
  await store.journal.append({ kind: 'rate', caseKey: key, ...chosen });
}

/** Both in turn, as short as a duet; a rate is that of one side, since the other one rests. */
export async function interleavedPair(
  testCase: Case,
  onStage: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement[]> {
  const short = { ...testCase, load: shortened(testCase, onStage.lengths) };
  const place = nextPlace(testCase, onStage);
  const rate = onStage.rates.get(testCase.key)?.alone ?? null;
  const slices = [];
  for (const variant of orderOf(testCase, onStage)) {
    const request = { ...sliceRequest(short, variant, place, onStage), rate };
    slices.push(await measuredSlice(request, adapters, signal));
  }
  return await kept(slices, 0, adapters);
}

/** Of the rate, after a trial in which neither side could be sent it. */
const LOWERED = 0.75;
const MOST_LOWERED = 3;

/** Both at the same time. A rate that neither side holds is lowered for the rest of the run, and tried again. */
export async function duetPair(
  testCase: Case,
  onStage: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement[]> {
  for (let lowered = 0; ; lowered += 1) {
    const place = nextPlace(testCase, onStage);
    const known = onStage.rates.get(testCase.key) ?? null;
    const [first, second] = orderOf(testCase, onStage);
    const request = (variant: Variant) => ({
      ...sliceRequest(testCase, variant, place, onStage),
      rate: known?.duet ?? null,
    });
    const seconds = onStage.lengths[testCase.generator];
    const slices = await measuredDuet([request(first), request(second)], seconds, adapters, signal);
    if (known === null || lowered === MOST_LOWERED || !slices.every((slice) => isRateNotHeld(slice, testCase))) {
      return await kept(slices, 0, adapters);
    }
    const rates = { alone: known.alone, duet: Math.max(1, Math.round(known.duet * LOWERED)) };
    adapters.progress.say(
      `${testCase.key}: neither side holds ${grouped(known.duet)}/s beside the other; going on with ${grouped(rates.duet)}/s`,
    );
    onStage.rates.set(testCase.key, rates);
    await adapters.store.journal.append({ kind: 'rate', caseKey: testCase.key, ...rates });
  }
}

function isRateNotHeld(slice: SliceMeasurement, testCase: Case): boolean {
  const reasons = invalidReasons({ slice, case: testCase, pass: null });
  return reasons.length === 1 && reasons[0]!.code === 'rate-not-held';
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

function sliceRequest(testCase: Case, variant: Variant, place: Place, onStage: OnStage): SliceRequest {
  return {
    ...place,
    case: caseOf(testCase, onStage.sides[variant]),
    stage: onStage.stages[variant],
    beside: onStage.stages[variant === 'baseline' ? 'candidate' : 'baseline'],
    placement: onStage.placement,
    rate: null,
    warmUp: onStage.warm,
    notes: [],
    idleBytes: onStage.idleBytes[variant],
    coolDownSeconds: 0.1,
  };
}

function shortened({ load }: Case, lengths: DuetLengths): Case['load'] {
  return load.generator === 'ab' ? load : { ...load, durationSeconds: lengths[load.generator] };
}
