import type { Case, PlannedStage, Variant } from '../../../core/plan/case.ts';
import { MOST_INSTANCES, plannedInstance } from '../../../core/plan/duets.ts';
import { instanceSeed } from '../../../core/plan/order.ts';
import type { JournalEntry } from '../../../core/record/journal.ts';
import type { Placement } from '../../../core/spec/resolved.ts';
import { seededRandom } from '../../../core/statistics/random.ts';
import { type Stage, StageError } from '../../ports.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { stageFailureReason } from '../stage-failure.ts';
import type { Decided, Decisions } from './decisions.ts';
import { measureSideBySide } from './instance.ts';
import { type OfEach, type Side, type Stages, VARIANTS } from './sides.ts';

export interface SideBySideRequest {
  runId: string;
  seed: number;
  placement: Placement;
  planned: PlannedStage;
  sides: OfEach<Side>;
  mode: 'duet' | 'interleaved';
  /** Seconds of wall clock for comparing, what a resumed run has spent before not included. */
  budgetSeconds: number;
  decisions: Decisions;
  /** Everything in the journal so far. */
  entries(): readonly JournalEntry[];
}

/** A service that falls over again and again is no longer started. */
const MOST_FAILURES = 4;

/**
 * Puts both variants of a service on stage, instance after instance, until every gated metric is decided or the budget is
 * spent. Resolves to the cases whose candidate is still to be measured on its own, because its baseline cannot be had.
 */
export async function compareService(
  request: SideBySideRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Case[]> {
  const { planned, sides, decisions } = request;
  const { progress, clock } = adapters;
  for (const variant of VARIANTS) {
    const { failure } = sides[variant].prepared;
    if (failure !== null) return await lost(variant, failure, request, adapters);
  }
  const duetRates = ratesIn(request.entries());
  const dropped = new Set<string>();
  let spentSeconds = spentIn(request.entries(), planned.service.name);
  let last: { setUpSeconds: number; perCaseSeconds: number } | null = null;
  let failures = 0;

  for (let instance = nextInstance(request); ; instance += 1) {
    const started = lastInstance(request);
    const { alone, undecided, interleaved } = tasksLeft(request, dropped, decisions.of(planned.service.name, started));
    if (alone.length === 0 && (undecided.length === 0 || started >= MOST_INSTANCES)) break;
    const expected = last === null ? 0 : last.setUpSeconds + last.perCaseSeconds * undecided.length;
    if (alone.length === 0 && last !== null && spentSeconds + expected > request.budgetSeconds) break;

    tell(request, started, undecided.length, spentSeconds, adapters);
    const startedNs = clock.monotonicNs();
    let stages: Stages;
    try {
      stages = await standingStages(request, instance, adapters, signal);
    } catch (error) {
      if (!(error instanceof SideFailure)) throw error;
      failures += 1;
      if (started === 0) return await lost(error.variant, error.failure, request, adapters);
      progress.warn(`${error.variant}: ${error.failure.message}`);
      if (failures >= MOST_FAILURES) break;
      continue;
    }
    const setUpNs = clock.monotonicNs() - startedNs;
    try {
      const duets = request.mode === 'duet' ? undecided : [];
      const task = {
        instance,
        alone,
        duets,
        duetsEach: plannedInstance(undecided, sides.candidate.spec, request.mode).pairsEach,
        interleaved,
      };
      const random = seededRandom(instanceSeed(request.seed, planned.service.name, instance));
      const frame = { ...request, stages, duetRates, dropped, random };
      const end = await measureSideBySide(task, frame, adapters, signal);
      if (!end.whole) failures += 1;
      const wallSeconds = (clock.monotonicNs() - startedNs) / 1e9;
      const comparingSeconds = wallSeconds - end.aloneSeconds;
      spentSeconds += comparingSeconds;
      const setUpSeconds = setUpNs / 1e9;
      last = { setUpSeconds, perCaseSeconds: (comparingSeconds - setUpSeconds) / Math.max(1, undecided.length) };
      const { name } = planned.service;
      await adapters.store.journal.append({ kind: 'instance', service: name, instance, comparingSeconds });
      if (failures >= MOST_FAILURES) break;
    } finally {
      await Promise.all([stages.baseline.stop(), stages.candidate.stop()]);
    }
  }
  return [];
}

/** What is left to do, from what the journal holds: an instance that fell over leaves it to the next. */
function tasksLeft(
  { planned, mode, entries }: SideBySideRequest,
  dropped: ReadonlySet<string>,
  { undecided, aloneToo, invalid }: Decided,
): { alone: Case[]; undecided: Case[]; interleaved: Case[] } {
  const published = new Set(
    entries().flatMap((entry) => (entry.kind === 'slice' && entry.mode === 'alone' ? [entry.caseKey] : [])),
  );
  const cases = planned.cases.filter(({ key }) => !dropped.has(key) && !invalid.has(key));
  const open = cases.filter(({ key }) => undecided.has(key) || !published.has(key));
  return {
    alone: cases.filter(({ key }) => !published.has(key)),
    undecided: open,
    interleaved: mode === 'interleaved' ? open : open.filter(({ key }) => aloneToo.has(key)),
  };
}

/** A side that could not be put on stage. */
class SideFailure extends Error {
  readonly variant: Variant;
  readonly failure: StageError;
  constructor(variant: Variant, failure: StageError) {
    super(failure.message);
    this.variant = variant;
    this.failure = failure;
  }
}

/** Both up, or none: rejects with `SideFailure` for the first that could not be started. */
async function standingStages(
  { runId, sides, placement, planned, seed }: SideBySideRequest,
  instance: number,
  { runtime, store }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Stages> {
  const start = async (variant: Variant): Promise<Stage> => {
    const { spec, service, specDirectory, prepared } = sides[variant];
    const { artifact } = prepared;
    try {
      return await runtime.start(
        { runId, spec, service, variant, instance, placement, specDirectory, artifact },
        signal,
      );
    } catch (error) {
      throw error instanceof StageError ? new SideFailure(variant, error) : error;
    }
  };
  // The first to start gets the lower addresses; the other one is first in the next instance.
  const baselineFirst = (instanceSeed(seed, planned.service.name, 0) + instance) % 2 === 0;
  const order: Variant[] = baselineFirst ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
  const started = await Promise.allSettled(order.map(start));
  const failed = started.find((result) => result.status === 'rejected');
  const stages = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (failed !== undefined) {
    await Promise.all(stages.map((stage) => stage.stop()));
    throw failed.reason;
  }
  for (const { variant, service, database } of stages) {
    const { artifact } = sides[variant].prepared;
    await store.journal.append({ kind: 'service', service: service.name, variant, artifact, failure: null });
    if (database !== null) await store.journal.append({ kind: 'database', version: database.version });
  }
  return {
    baseline: stages.find((stage) => stage.variant === 'baseline')!,
    candidate: stages.find((stage) => stage.variant === 'candidate')!,
  };
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

function tell(
  { planned, budgetSeconds }: SideBySideRequest,
  started: number,
  undecided: number,
  spentSeconds: number,
  { progress }: MeasuringAdapters,
): void {
  const total = planned.cases.length;
  progress.at({
    done: total - undecided,
    total,
    what: `${planned.service.name}, both sides, instance ${started + 1}; ${undecided} of ${total} cases undecided`,
    remainingSeconds: Math.max(0, budgetSeconds - spentSeconds),
  });
}

function nextInstance({ entries, planned }: SideBySideRequest): number {
  const known = entries().flatMap((entry) =>
    (entry.kind === 'instance' || entry.kind === 'pass') && entry.service === planned.service.name
      ? [entry.instance]
      : [],
  );
  return Math.max(0, ...known) + 1;
}

/** Number of the last one that was measured, whole or in part; 0 before the first. */
function lastInstance({ entries, planned }: SideBySideRequest): number {
  const measured = entries().flatMap((entry) =>
    entry.kind === 'instance' && entry.service === planned.service.name ? [entry.instance] : [],
  );
  return Math.max(0, ...measured);
}

function spentIn(entries: readonly JournalEntry[], service: string): number {
  return entries.reduce(
    (sum, entry) => (entry.kind === 'instance' && entry.service === service ? sum + entry.comparingSeconds : sum),
    0,
  );
}

/** Rates that an interrupted run had chosen; what was sent alone is for two. */
function ratesIn(entries: readonly JournalEntry[]): Map<string, number> {
  const rates = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind !== 'slice' || entry.rate === null) continue;
    if (entry.mode === 'duet') rates.set(entry.caseKey, entry.rate);
    else if (!rates.has(entry.caseKey)) rates.set(entry.caseKey, Math.max(1, Math.round(entry.rate / 2)));
  }
  return rates;
}
