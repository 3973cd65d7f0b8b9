import { readBaselinePhrase } from '../core/baseline/phrase.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import type { ResolvedSpec } from '../core/spec/resolved.ts';
import { MachineLacks } from './failures.ts';
import type { RunStore } from './ports/run-store.ts';
import { type RunAdapters, type RunOptions, type RunResult, run, writeReports } from './run.ts';

export interface AnchoredAdapters extends RunAdapters {
  /** The store of a folder inside the run's, and whether it holds a run that was interrupted. */
  storeInside(name: string): Promise<{ store: RunStore; begun: boolean }>;
}

const FOLDER = 'anchor';

/**
 * A run and, where the gate names an anchor, a second one against that: a fixed release, so that ten small steps, each
 * accepted or too small to see, do not go unseen together. It has a folder of its own, is told in the reports of the first,
 * and does not gate: what was accepted since the release would fail it for ever.
 */
export async function anchoredRun(
  options: RunOptions,
  adapters: AnchoredAdapters,
  signal: AbortSignal,
): Promise<RunResult> {
  const result = await run(options, adapters, signal);
  const { record, comparison } = result;
  const anchor = record.comparing?.gate.anchor;
  if (comparison === null || comparison.skipped !== null || record.interrupted !== null || anchor === undefined) {
    return result;
  }
  if (await isBaseline(anchor, record, options, adapters)) return result;
  adapters.progress.say(`Comparing with the anchor, ${anchor}.`);
  try {
    const { store, begun } = await adapters.storeInside(FOLDER);
    const anchored = await run(optionsOf(options, anchor, begun), { ...adapters, store }, signal);
    if (anchored.comparison === null) return result;
    const whole = { ...comparison, anchor: anchored.comparison };
    await writeReports(record, whole, adapters);
    return { ...result, comparison: whole };
  } catch (error) {
    if (!(error instanceof MachineLacks)) throw error;
    adapters.progress.warn(`The anchor ${anchor} cannot be compared with: ${error.message}`);
    return result;
  }
}

function optionsOf(options: RunOptions, anchor: string, resume: boolean): RunOptions {
  const { specDirectory } = options;
  return {
    ...options,
    spec: briefly(options.spec),
    resume,
    accepted: [],
    failOnInconclusive: false,
    baseline: { text: anchor, phraseFrom: 'call', recordDirectory: specDirectory },
  };
}

/** The published figures are those of the first run; here they only tell at which rate to load. */
function briefly(spec: ResolvedSpec): ResolvedSpec {
  const { wrk, k6, ab } = spec.load;
  const shortened = <T extends { durationSeconds: number }>(load: T): T => ({
    ...load,
    durationSeconds: Math.min(load.durationSeconds, 2),
  });
  return { ...spec, load: { ...spec.load, wrk: wrk && shortened(wrk), k6: k6 && shortened(k6), ab } };
}

/** A release that is the baseline anyway was compared with already. */
async function isBaseline(
  anchor: string,
  { comparing }: RunRecord,
  { specDirectory }: RunOptions,
  { baselines: { repositories } }: RunAdapters,
): Promise<boolean> {
  const phrase = readBaselinePhrase(anchor);
  if (phrase.kind !== 'commit') return false;
  const repository = await repositories.at(specDirectory);
  if ('code' in repository) return false;
  return (await repository.commitOf(phrase.ref)) === comparing?.baseline.sha;
}
