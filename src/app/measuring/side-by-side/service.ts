import type { Case, PlannedStage, Variant } from '../../../core/plan/case.ts';
import { MOST_INSTANCES, PUBLISHING_INSTANCE, plannedInstance } from '../../../core/plan/duets.ts';
import { instanceSeed } from '../../../core/plan/order.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import type { Placement } from '../../../core/spec/resolved.ts';
import { seededRandom } from '../../../core/statistics/random.ts';
import type { StageError } from '../../ports/stage.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { stageFailureReason } from '../stage-failure.ts';
import { lastInstance, ratesIn, tasksLeft } from './course-so-far.ts';
import type { Decisions } from './decisions.ts';
import { type InstanceTask, measureSideBySide } from './instance.ts';
import { type OfEach, type Side, type Stages, VARIANTS } from './sides.ts';
import { SideFailure, standingStages } from './standing-stages.ts';

export interface SideBySideRequest {
  runId: string;
  seed: number;
  placement: Placement;
  planned: PlannedStage;
  sides: OfEach<Side>;
  mode: 'duet' | 'interleaved';
  /** Seconds of wall clock for comparing this service, in all. */
  wholeBudgetSeconds: number;
  /** The same, less what a resumed run has spent before. */
  budgetSeconds: number;
  decisions: Decisions;
  /** Everything in the journal so far. */
  entries(): readonly JournalEntry[];
}

/** A service that falls over again and again is no longer started. */
const MOST_FAILURES = 4;

/**
 * Puts both variants of a service on stage, instance after instance: first for the published figures, then, until every
 * gated metric is decided or the budget is spent, to compare them. What was loaded for minutes is another program than
 * what has just started (its heap has grown, its code is compiled for what it has seen), so the instance of the published
 * figures compares nothing. Resolves to the cases whose candidate is still to be measured on its own, because its baseline
 * cannot be had.
 */
export async function compareService(
  request: SideBySideRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Case[]> {
  const { planned, sides, decisions, mode } = request;
  const { name } = planned.service;
  const { progress, clock, store } = adapters;
  for (const variant of VARIANTS) {
    const { failure } = sides[variant].prepared;
    if (failure !== null) return await lost(variant, failure, request, adapters);
  }
  const { spec } = sides.candidate;
  const duetRates = ratesIn(request.entries());
  const dropped = new Set<string>();
  let spentSeconds = 0;
  let last: { seconds: number; cases: number } | null = null;
  let measured = 0;
  let failures = 0;

  while (failures < MOST_FAILURES) {
    const compared = lastInstance(request);
    const { unpublished, undecided, interleaved } = tasksLeft(request, dropped, decisions.of(name, compared));
    const publishing = unpublished.length > 0;
    if (!publishing) {
      if (undecided.length === 0 || compared >= MOST_INSTANCES) break;
      // Half of an instance is what it takes to start, check and warm up, whatever it measures.
      const expected = last === null ? 0 : (last.seconds * (1 + undecided.length / last.cases)) / 2;
      if (spentSeconds + expected > request.budgetSeconds && last !== null) break;
    }
    tell(request, publishing ? null : compared + 1, undecided.length, spentSeconds, adapters);
    const instance = publishing ? PUBLISHING_INSTANCE : compared + 1;
    const startedNs = clock.monotonicNs();
    let stages: Stages;
    try {
      stages = await standingStages(request, instance, adapters, signal);
    } catch (error) {
      if (!(error instanceof SideFailure)) throw error;
      if (measured === 0 && compared === 0) return await lost(error.variant, error.failure, request, adapters);
      failures += 1;
      progress.warn(`${error.variant}: ${error.failure.message}`);
      continue;
    }
    try {
      const { pairsEach, lengths } = plannedInstance(undecided, spec, mode, request.wholeBudgetSeconds);
      const task: InstanceTask = publishing
        ? { instance, alone: unpublished, duets: [], pairsEach: 0, interleaved: [] }
        : { instance, alone: [], duets: mode === 'duet' ? undecided : [], pairsEach, interleaved };
      const random = seededRandom(instanceSeed(request.seed, name, instance));
      const whole = await measureSideBySide(
        task,
        { ...request, stages, duetRates, dropped, lengths, random },
        adapters,
        signal,
      );
      if (!whole) failures += 1;
      measured += 1;
      if (!publishing) {
        const comparingSeconds = (clock.monotonicNs() - startedNs) / 1e9;
        spentSeconds += comparingSeconds;
        last = { seconds: comparingSeconds, cases: undecided.length };
        await store.journal.append({ kind: 'instance', service: name, instance, comparingSeconds });
      }
    } finally {
      await Promise.all([stages.baseline.stop(), stages.candidate.stop()]);
    }
  }
  return [];
}

/** A side that cannot be had loses its cases; without a baseline the candidate is measured all the same. */
async function lost(
  variant: Variant,
  failure: StageError,
  { planned, sides }: SideBySideRequest,
  { store, progress }: MeasuringAdapters,
): Promise<Case[]> {
  const { service, prepared } = sides[variant];
  const reason = stageFailureReason(service, failure);
  const message = variant === 'baseline' ? `The baseline cannot be started. ${reason.message}` : reason.message;
  progress.warn(message);
  const { artifact } = prepared;
  await store.journal.append({
    kind: 'service',
    service: service.name,
    variant,
    artifact,
    failure: { ...reason, message },
  });
  for (const { key } of planned.cases) {
    await store.journal.append({ kind: 'lost', caseKey: key, variant, reason: { ...reason, message } });
  }
  return variant === 'baseline' ? planned.cases : [];
}

/** `instance` null while figures are measured to be published. */
function tell(
  { planned, budgetSeconds }: SideBySideRequest,
  instance: number | null,
  undecided: number,
  spentSeconds: number,
  { progress }: MeasuringAdapters,
): void {
  const total = planned.cases.length;
  const { name } = planned.service;
  const what =
    instance === null
      ? `${name}: each side alone, for the published figures`
      : `${name}: both sides together, instance ${instance}; ${undecided} of ${total} cases undecided`;
  progress.at({ done: total - undecided, total, what, remainingSeconds: Math.max(0, budgetSeconds - spentSeconds) });
}
