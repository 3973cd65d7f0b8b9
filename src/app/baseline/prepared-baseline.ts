import { readBaselinePhrase } from '../../core/config/baseline-phrase.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Selection } from '../../core/config/selection.ts';
import { sharedPort } from '../../core/topology/shared-port.ts';
import { UsageError } from '../failures.ts';
import { comparedServices } from '../measuring/compared-services.ts';
import type { Progress } from '../ports/progress.ts';
import type { PreparedService, TestbedRuntime } from '../ports/testbed.ts';
import type { BaselineAdapters, BuiltBaseline, FirstMeasurement, StoredBaseline } from './baseline-plan.ts';
import { resolveBaseline } from './resolve.ts';

/** The phrase of a baseline, and who wrote it. */
export interface WantedBaseline {
  text: string;
  phraseFrom: 'spec' | 'call';
  /** What `record:PATH` is relative to, absolute. */
  recordDirectory: string;
}

/** What a run has beside its candidate, ready to be measured where it is to be. */
export type PreparedBaseline =
  | (BuiltBaseline & { wanted: WantedBaseline; prepared: PreparedService[] })
  | ((StoredBaseline | FirstMeasurement) & { wanted: WantedBaseline })
  | { kind: 'none' };

/** What the candidate is, and where. */
export interface CandidateOfRun {
  /** As its file has it. */
  spec: ResolvedSpec;
  /** What of it the run measures. */
  selection: Selection;
  /** How this run loads for a shorter time than a spec says. */
  shortened(spec: ResolvedSpec): ResolvedSpec;
  specFile: string;
  /** Folders that the run writes to, absolute. */
  ownFolders: string[];
}

export interface Surroundings {
  run: { id: string; runtime: TestbedRuntime };
  adapters: { baselines: BaselineAdapters; progress: Progress };
  signal: AbortSignal;
}

/**
 * Resolves a baseline and prepares it; where a way turns out to be closed, the next one is taken. Throws as
 * `resolveBaseline`, and `UsageError` where both sides would listen on one port.
 */
export async function preparedBaseline(
  wanted: WantedBaseline,
  { spec, selection, shortened, specFile, ownFolders }: CandidateOfRun,
  { run: { id, runtime }, adapters: { baselines, progress }, signal }: Surroundings,
): Promise<PreparedBaseline> {
  const { text, phraseFrom, recordDirectory } = wanted;
  const phrase = readBaselinePhrase(text);
  const candidate = { spec, selection, shortened, specFile, ownFolders };
  const asked = { phrase, phraseFrom, recordDirectory, ...candidate, runtime: runtime.kind };
  let plan = await resolveBaseline(asked, baselines, signal);
  while (plan.kind === 'built') {
    progress.say(`The baseline is ${plan.origin.text}; the candidate is ${plan.candidateOrigin.text}.`);
    const prepared = await preparedSide(plan, spec, { id, runtime }, progress, signal);
    const failures = prepared.flatMap(({ failure }) => failure ?? []);
    // One service of several that cannot be had is lost by itself; the others are compared.
    const isClosed = failures.length > 0 && failures.length === prepared.length;
    if (!isClosed || plan.fallback === null) return { ...plan, wanted, prepared };
    progress.warn(`The baseline cannot be prepared: ${failures[0]!.message}`);
    await plan.release();
    plan = await plan.fallback(failures[0]!.message);
  }
  if (plan.kind === 'none') return plan;
  if (plan.kind === 'stored') {
    progress.say(`The baseline is ${plan.origin.text}; the candidate is ${plan.candidateOrigin.text}.`);
  } else {
    for (const { message } of plan.warnings) progress.warn(message);
  }
  return { ...plan, wanted };
}

/** Releases the plan where it comes to nothing. */
async function preparedSide(
  plan: BuiltBaseline,
  candidate: ResolvedSpec,
  { id, runtime }: Surroundings['run'],
  progress: Progress,
  signal: AbortSignal,
): Promise<PreparedService[]> {
  const services = comparedServices(candidate.services, plan.spec);
  const clash = runtime.kind === 'process' ? sharedPort({ ...plan.spec, services }, candidate) : null;
  const onLine = (line: string) => progress.say(`baseline: ${line}`);
  try {
    if (clash !== null) throw new UsageError(clash);
    const { spec, specDirectory, gate } = plan;
    // Both sides alike, as the gate in force has it, so that a pull request cannot choose how often it is built.
    const builds = gate.builds ?? 1;
    return await runtime.prepare({ runId: id, spec, services, specDirectory, builds, onLine }, signal);
  } catch (error) {
    await plan.release();
    throw error;
  }
}
