import { readBaselinePhrase } from '../core/baseline/phrase.ts';
import type { Acceptance, Comparison } from '../core/comparison/comparison.ts';
import { comparisonOf } from '../core/comparison/comparison-of.ts';
import type { Case } from '../core/plan/case.ts';
import { isSelected } from '../core/plan/selection.ts';
import type { JournalHeader } from '../core/record/journal.ts';
import type { Comparing, Reason, RunRecord } from '../core/record/run-record.ts';
import type { ResolvedSpec } from '../core/spec/resolved.ts';
import { sharedPort } from '../core/topology/shared-port.ts';
import type { BaselineAdapters, BuiltBaseline, StoredBaseline } from './baseline/baseline-plan.ts';
import { resolveBaseline } from './baseline/resolve.ts';
import { compare } from './compare.ts';
import { UsageError } from './failures.ts';
import { comparedServices } from './measuring/compared-services.ts';
import type { ComparingRequest } from './measuring/measuring.ts';
import type { Progress } from './ports/progress.ts';
import type { RunStore } from './ports/run-store.ts';
import type { PreparedService, StageRuntime } from './ports/stage.ts';

/** The phrase of a baseline, and who wrote it. */
export interface WantedBaseline {
  text: string;
  phraseFrom: 'spec' | 'call';
  /** What `record:PATH` is relative to, absolute. */
  recordDirectory: string;
}

/** What a run has beside its candidate: another side on stage, the numbers of a record, or nothing (and why). */
export type RunBaseline =
  | { kind: 'side-by-side'; text: string; plan: BuiltBaseline; prepared: PreparedService[] }
  | { kind: 'stored'; text: string; plan: StoredBaseline }
  | { kind: 'none'; cautions: Reason[] };

export interface RunBaselineRequest {
  spec: ResolvedSpec;
  specFile: string;
  baseline: WantedBaseline | null;
  /** Header of the run that goes on. */
  earlier: JournalHeader | undefined;
}

/**
 * Resolves what the candidate is compared with, and prepares it. Where a way turns out to be closed (the commit no longer
 * builds), the next one is taken, and the reader told. A resumed run goes on with the baseline that it had. Throws as
 * `resolveBaseline`, and `UsageError` where that of a resumed run is gone, or both sides would listen on one port.
 */
export async function runBaseline(
  { spec, specFile, baseline, earlier }: RunBaselineRequest,
  run: { id: string; runtime: StageRuntime },
  adapters: { baselines: BaselineAdapters; progress: Progress; store: RunStore },
  signal: AbortSignal,
): Promise<RunBaseline> {
  const had = earlier?.selection.baseline;
  const resumed = had === undefined ? null : { text: had, phraseFrom: 'call' as const, recordDirectory: '/' };
  const wanted = earlier === undefined ? baseline : resumed;
  if (wanted === null) return { kind: 'none', cautions: [] };
  const found = await preparedBaseline(wanted, { spec, specFile }, run, adapters, signal);
  if (earlier?.comparing === undefined || found.kind === 'side-by-side') return found;
  throw new UsageError(
    `${adapters.store.directory} was compared with ${earlier.comparing.baseline.text}, which cannot be had any more. Start a new run in another folder.`,
  );
}

async function preparedBaseline(
  { text, phraseFrom, recordDirectory }: WantedBaseline,
  { spec, specFile }: Pick<RunBaselineRequest, 'spec' | 'specFile'>,
  { id, runtime }: { id: string; runtime: StageRuntime },
  { baselines, progress, store }: { baselines: BaselineAdapters; progress: Progress; store: RunStore },
  signal: AbortSignal,
): Promise<RunBaseline> {
  const ownFolders = [store.directory];
  const phrase = readBaselinePhrase(text);
  const request = { phrase, phraseFrom, recordDirectory, spec, specFile, ownFolders, runtime: runtime.kind };
  let plan = await resolveBaseline(request, baselines, signal);
  while (plan.kind === 'built') {
    progress.say(`The baseline is ${plan.origin.text}; the candidate is ${plan.candidateOrigin.text}.`);
    const services = comparedServices(spec.services, plan.spec);
    const clash = runtime.kind === 'process' ? sharedPort(services, spec.services) : null;
    if (clash !== null) {
      await plan.release();
      throw new UsageError(clash);
    }
    const onLine = (line: string) => progress.say(`baseline: ${line}`);
    const prepared = await runtime.prepare(
      { runId: id, spec: plan.spec, services, specDirectory: plan.specDirectory, onLine },
      signal,
    );
    const failure = prepared.find((service) => service.failure !== null)?.failure ?? null;
    if (failure === null || plan.otherwise === null) return { kind: 'side-by-side', text, plan, prepared };
    progress.warn(`The baseline cannot be prepared: ${failure.message}`);
    await plan.release();
    plan = await plan.otherwise(failure.message);
  }
  if (plan.kind === 'stored') {
    progress.say(`The baseline is ${plan.origin.text}; the candidate is ${plan.candidateOrigin.text}.`);
    return { kind: 'stored', text, plan };
  }
  const cautions = plan.kind === 'first' ? plan.cautions : [];
  for (const { message } of cautions) progress.warn(message);
  return { kind: 'none', cautions };
}

export async function release(baseline: RunBaseline): Promise<void> {
  if (baseline.kind === 'side-by-side') await baseline.plan.release();
}

/** What a resumed run asks for. */
export function pinned(baseline: RunBaseline): { baseline?: string } {
  if (baseline.kind === 'none') return {};
  const { sha, recordId } = baseline.plan.origin;
  return {
    baseline: baseline.kind === 'side-by-side' && sha !== null && recordId === null ? `commit:${sha}` : baseline.text,
  };
}

/** What the record says of the comparison before it begins. */
export function comparingOf(
  baseline: RunBaseline,
  mode: Comparing['mode'],
  accepted: Comparing['accepted'],
): { comparing?: Comparing } {
  if (baseline.kind !== 'side-by-side') return {};
  const { origin, candidateOrigin, gate, cautions } = baseline.plan;
  return {
    comparing: { mode, baseline: origin, candidate: candidateOrigin, gate, skipped: null, cautions, accepted },
  };
}

/** Services, environment and init are each side's own; how they are loaded is the candidate's. */
export function comparingRequest(
  baseline: RunBaseline,
  mode: Comparing['mode'],
  { load }: ResolvedSpec,
  { noSkip, only }: { noSkip: boolean; only: string | null },
): ComparingRequest | null {
  if (baseline.kind !== 'side-by-side') return null;
  const { plan, prepared } = baseline;
  const { spec, specDirectory, gate, sameOnBothSides } = plan;
  return {
    mode,
    baseline: { spec: { ...spec, load }, specDirectory, prepared },
    missing: missingCases(baseline, only),
    budgetSeconds: gate.budgetSeconds,
    sameOnBothSides: noSkip ? async () => null : sameOnBothSides,
  };
}

/** Of those that were asked for with `--only`. */
export function missingCases(baseline: RunBaseline, only: string | null): readonly Case[] {
  return baseline.kind === 'side-by-side' ? baseline.plan.missing.filter((each) => isSelected(each, only)) : [];
}

/** Null where there is nothing to compare with. */
export async function comparisonWith(
  baseline: RunBaseline,
  record: RunRecord,
  { accepted, failOnInconclusive, only }: { accepted: Acceptance[]; failOnInconclusive: boolean; only: string | null },
  { history }: Pick<BaselineAdapters, 'history'>,
): Promise<Comparison | null> {
  if (baseline.kind === 'none') return null;
  // The record holds what is accepted.
  if (baseline.kind === 'side-by-side') return comparisonOf(record, { failOnInconclusive });
  const { plan } = baseline;
  const comparison = await compare(plan.record, record, history, { accepted, failOnInconclusive, only });
  return {
    ...comparison,
    baseline: { ...comparison.baseline, origin: plan.origin.text },
    candidate: { ...comparison.candidate, origin: plan.candidateOrigin.text },
    cautions: [...plan.cautions, ...comparison.cautions],
  };
}
