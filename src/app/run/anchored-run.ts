import type { Comparison } from '../../core/comparison/comparison.ts';
import { readBaselinePhrase } from '../../core/config/baseline-phrase.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { withLoads, withoutLongTrials } from '../../core/config/selection.ts';
import { generators } from '../../core/generators/registry.ts';
import type { RunStore } from '../ports/run-store.ts';
import { writeReports } from '../run-files.ts';
import { type RunAdapters, type RunResult, run } from './run.ts';
import type { RunOptions } from './run-options.ts';

export interface AnchoredAdapters extends RunAdapters {
  /** The store of a folder inside the run's, and whether it holds a run that was interrupted. */
  storeInside(name: string): Promise<{ store: RunStore; begun: boolean }>;
}

const FOLDER = 'anchor';

/**
 * A run and, where the gate names an anchor, a second one against that: a fixed release, so that ten small steps, each
 * accepted or too small to see, do not go unseen together. It has a folder of its own, is told in the reports of the first,
 * and does not gate: what was accepted since the release would fail it for ever. Nothing that befalls it takes anything
 * from the first run, which is finished by then.
 */
export async function anchoredRun(
  options: RunOptions,
  adapters: AnchoredAdapters,
  signal: AbortSignal,
): Promise<RunResult> {
  await warnOfUnknownAnchor(options, adapters);
  const result = await run(options, adapters, signal);
  const { record, comparison, anchor } = result;
  if (comparison === null || comparison.skipped !== null || record.interrupted !== null || anchor === null) {
    return result;
  }
  if (signal.aborted || (await isBaseline(anchor, comparison, options, adapters))) return result;
  adapters.progress.say(`Comparing with the anchor, ${anchor}.`);
  const whole = await withAnchor(comparison, { ...options, ...result.selection, anchor }, adapters, signal);
  try {
    await writeReports(record, whole, adapters);
  } catch (error) {
    adapters.progress.warn(`The reports could not be written again with the anchor ${anchor}: ${messageOf(error)}`);
  }
  return { ...result, comparison: whole };
}

/** The comparison with that of the anchor in it, or with a warning that says why there is none. */
async function withAnchor(
  comparison: Comparison,
  options: RunOptions & { anchor: string },
  adapters: AnchoredAdapters,
  signal: AbortSignal,
): Promise<Comparison> {
  const { anchor } = options;
  try {
    const { store, begun } = await adapters.storeInside(FOLDER);
    const own = optionsOf(options, anchor, begun, adapters.store.directory);
    const anchored = await run(own, { ...adapters, store }, signal);
    if (anchored.comparison !== null) return { ...comparison, anchor: anchored.comparison };
    const [why] = anchored.record.unpaired?.warnings ?? [];
    return notCompared(comparison, anchor, why?.message ?? 'there is nothing of it to compare with.', adapters);
  } catch (error) {
    return notCompared(comparison, anchor, messageOf(error), adapters);
  }
}

function notCompared(
  comparison: Comparison,
  anchor: string,
  why: string,
  { progress }: Pick<RunAdapters, 'progress'>,
): Comparison {
  const message = `The anchor ${anchor} was not compared with: ${why}`;
  progress.warn(message);
  return { ...comparison, warnings: [...comparison.warnings, { code: 'anchor-not-compared', message }] };
}

/** The case selection is that of the main run, which a resumed one takes from its journal. */
function optionsOf(options: RunOptions, anchor: string, resume: boolean, mainFolder: string): RunOptions {
  const { specDirectory } = options;
  return {
    ...options,
    shortened: briefly,
    resume,
    accepted: [],
    failOnInconclusive: false,
    baseline: { text: anchor, phraseFrom: 'call', recordDirectory: specDirectory },
    ownFolders: [mainFolder],
  };
}

/** The published figures are those of the first run; here they only tell at which rate to load. */
function briefly(spec: ResolvedSpec): ResolvedSpec {
  const shorter = withLoads(spec, (name, load) =>
    load.durationSeconds === undefined ? load : generators[name].load.shortened(load, 2),
  );
  return { ...shorter, services: withoutLongTrials(spec.services, 2) };
}

/** A release that is the baseline anyway was compared with already. */
async function isBaseline(
  anchor: string,
  { baseline }: Comparison,
  options: RunOptions,
  adapters: RunAdapters,
): Promise<boolean> {
  const sha = await commitOf(anchor, options, adapters).catch(() => null);
  return sha !== null && sha === baseline.sha;
}

/** A name that means nothing is told before minutes are spent; it ends no run, since an anchor does not gate. */
async function warnOfUnknownAnchor(options: RunOptions, adapters: RunAdapters): Promise<void> {
  const { anchor } = options.spec.gate;
  if (anchor === undefined || options.baseline === null || !anchor.startsWith('commit:')) return;
  if ((await commitOf(anchor, options, adapters).catch(() => null)) !== null) return;
  adapters.progress.warn(
    `The anchor ${anchor} is not a commit that is here, and will not be compared. Fetch it (\`fetch-depth: 0\` for actions/checkout, or git fetch --tags), or name another one.`,
  );
}

/** Null for an anchor that is none, or of which nothing is here. */
async function commitOf(
  anchor: string,
  { specDirectory }: RunOptions,
  { baselines: { repositories } }: RunAdapters,
): Promise<string | null> {
  const phrase = readBaselinePhrase(anchor);
  if (phrase.kind !== 'commit') return null;
  const repository = await repositories.at(specDirectory);
  return 'code' in repository ? null : await repository.commitOf(phrase.ref);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
