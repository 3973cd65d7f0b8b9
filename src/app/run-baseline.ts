import { dirname } from 'node:path';
import { readBaselinePhrase } from '../core/baseline/phrase.ts';
import type { SideOrigin } from '../core/record/run-record.ts';
import type { Load, ResolvedSpec } from '../core/spec/resolved.ts';
import type { BaselineAdapters, BuiltBaseline, FirstMeasurement, StoredBaseline } from './baseline/baseline-plan.ts';
import { resolveBaseline } from './baseline/resolve.ts';
import { storedAgain } from './baseline/stored-again.ts';
import { UsageError } from './failures.ts';
import { comparedServices } from './measuring/compared-services.ts';
import type { Progress } from './ports/progress.ts';
import type { PreparedService, StageRuntime } from './ports/stage.ts';
import { type ResumedRun, refuseOtherArtifacts } from './resume.ts';

/** The phrase of a baseline, and who wrote it. */
export interface WantedBaseline {
  text: string;
  phraseFrom: 'spec' | 'call';
  /** What `record:PATH` is relative to, absolute. */
  recordDirectory: string;
}

/** What a run has beside its candidate: another side on stage, the numbers of a record, or nothing (and why). */
export type RunBaseline =
  | { kind: 'side-by-side'; wanted: WantedBaseline; plan: BuiltBaseline; prepared: PreparedService[] }
  | { kind: 'stored'; wanted: WantedBaseline; plan: StoredBaseline }
  | { kind: 'first'; wanted: WantedBaseline; plan: FirstMeasurement }
  | { kind: 'none' };

export interface RunBaselineRequest {
  spec: ResolvedSpec;
  /** As the spec's file has it. */
  writtenLoad: Load;
  specFile: string;
  baseline: WantedBaseline | null;
  /** Folders that the run writes to, absolute. */
  ownFolders: string[];
  resumed: ResumedRun | null;
}

interface Surroundings {
  run: { id: string; runtime: StageRuntime };
  adapters: { baselines: BaselineAdapters; progress: Progress };
  signal: AbortSignal;
}

/**
 * Resolves what the candidate is compared with, and prepares it. Where a way turns out to be closed (the commit no longer
 * builds), the next one is taken, and the reader told. A resumed run goes on with what it had. Throws as
 * `resolveBaseline`, and `UsageError` where the baseline of a resumed run is gone or another one.
 */
export async function runBaseline(request: RunBaselineRequest, surroundings: Surroundings): Promise<RunBaseline> {
  const { resumed, baseline } = request;
  if (resumed !== null) return await resumedBaseline(request, resumed, surroundings);
  return baseline === null ? { kind: 'none' } : await preparedBaseline(baseline, request, surroundings);
}

async function resumedBaseline(
  request: RunBaselineRequest,
  resumed: ResumedRun,
  surroundings: Surroundings,
): Promise<RunBaseline> {
  const { comparing, unpaired, selection } = resumed.header;
  const wanted: WantedBaseline = {
    text: selection.baseline ?? 'none',
    phraseFrom: selection.phraseFrom ?? 'call',
    recordDirectory: dirname(request.specFile),
  };
  // A better way that is open by now would make another run of it.
  if (comparing === undefined) {
    if (unpaired === undefined) return { kind: 'none' };
    const { baseline, candidate: candidateOrigin, cautions } = unpaired;
    if (baseline === null) return { kind: 'first', wanted, plan: { kind: 'first', candidateOrigin, cautions } };
    const record = await storedAgain(baseline, wanted, request.spec, surroundings.adapters.baselines);
    if (record === null) throw gone(resumed, baseline);
    const plan: StoredBaseline = {
      kind: 'stored',
      record,
      gate: record.spec.gate,
      origin: baseline,
      candidateOrigin,
      cautions,
    };
    return { kind: 'stored', wanted, plan };
  }
  const found = await preparedBaseline(wanted, request, surroundings);
  try {
    if (found.kind !== 'side-by-side') throw gone(resumed, comparing.baseline);
    const { origin } = found.plan;
    if (origin.sha !== comparing.baseline.sha || origin.recordId !== comparing.baseline.recordId) {
      throw gone(resumed, comparing.baseline, origin);
    }
    refuseOtherArtifacts(resumed, 'baseline', found.prepared);
    return found;
  } catch (error) {
    await release(found);
    throw error;
  }
}

function gone({ directory }: ResumedRun, { text }: SideOrigin, now?: SideOrigin): UsageError {
  const why = now === undefined ? 'which cannot be had any more' : `and now it would be ${now.text}`;
  return new UsageError(`${directory} was compared with ${text}, ${why}. Start a new run in another folder (--out).`);
}

async function preparedBaseline(
  wanted: WantedBaseline,
  { spec, writtenLoad, specFile, ownFolders }: RunBaselineRequest,
  { run: { id, runtime }, adapters: { baselines, progress }, signal }: Surroundings,
): Promise<RunBaseline> {
  const { text, phraseFrom, recordDirectory } = wanted;
  const phrase = readBaselinePhrase(text);
  const asked = { phrase, phraseFrom, recordDirectory, spec, writtenLoad, specFile, ownFolders, runtime: runtime.kind };
  let plan = await resolveBaseline(asked, baselines, signal);
  while (plan.kind === 'built') {
    progress.say(`The baseline is ${plan.origin.text}; the candidate is ${plan.candidateOrigin.text}.`);
    const prepared = await preparedSide(plan, spec, { id, runtime }, progress, signal);
    const failures = prepared.flatMap(({ failure }) => failure ?? []);
    // One service of several that cannot be had is lost by itself; the others are compared.
    const isClosed = failures.length > 0 && failures.length === prepared.length;
    if (!isClosed || plan.otherwise === null) return { kind: 'side-by-side', wanted, plan, prepared };
    progress.warn(`The baseline cannot be prepared: ${failures[0]!.message}`);
    await plan.release();
    plan = await plan.otherwise(failures[0]!.message);
  }
  if (plan.kind === 'none') return { kind: 'none' };
  if (plan.kind === 'stored') {
    progress.say(`The baseline is ${plan.origin.text}; the candidate is ${plan.candidateOrigin.text}.`);
    return { kind: 'stored', wanted, plan };
  }
  for (const { message } of plan.cautions) progress.warn(message);
  return { kind: 'first', wanted, plan };
}

/** Releases the plan where it is interrupted. */
async function preparedSide(
  plan: BuiltBaseline,
  candidate: ResolvedSpec,
  { id, runtime }: Surroundings['run'],
  progress: Progress,
  signal: AbortSignal,
): Promise<PreparedService[]> {
  const services = comparedServices(candidate.services, plan.spec);
  const onLine = (line: string) => progress.say(`baseline: ${line}`);
  try {
    const { spec, specDirectory } = plan;
    return await runtime.prepare({ runId: id, spec, services, specDirectory, onLine }, signal);
  } catch (error) {
    await plan.release();
    throw error;
  }
}

export async function release(baseline: RunBaseline): Promise<void> {
  if (baseline.kind === 'side-by-side') await baseline.plan.release();
}

/** Images that were built for this baseline alone would pile up: nobody asks for them again by any name. */
export async function discard(baseline: RunBaseline, runtime: StageRuntime): Promise<void> {
  if (baseline.kind !== 'side-by-side') return;
  const { plan, prepared } = baseline;
  const built = plan.spec.services.filter(({ image }) => image?.kind === 'build').map(({ name }) => name);
  await runtime.discard(prepared.filter(({ service }) => built.includes(service)));
}
