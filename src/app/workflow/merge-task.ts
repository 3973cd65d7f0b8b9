import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { comparisonOf } from '../../core/comparison/comparison-of.ts';
import { usefulShards } from '../../core/config/shard.ts';
import { ended } from '../../core/format/sentence.ts';
import { type ArtifactContent, artifactName, newestOf } from '../../core/posting/artifact-name.ts';
import { isFailure, judgedRun, mostSevere, type RunVerdict, runVerdict } from '../../core/posting/verdict.ts';
import { mergedRecord } from '../../core/record/merged-record.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { maxRecordLength, readRunRecord } from '../../core/record/run-record-file.ts';
import { UserError } from '../../core/user-error.ts';
import { type ArchiveReader, UnreadableArchive } from '../ports/archive.ts';
import type { CheckoutFiles } from '../ports/checkout-files.ts';
import { type ArtifactFacts, type Forge, ForgeFailure } from '../ports/forge.ts';
import type { Job } from '../ports/job.ts';
import type { RunStore } from '../ports/run-store.ts';
import { FAILURE_FILE } from '../posting/artifact-records.ts';
import type { ReportAssets } from '../report.ts';
import { writeRecord, writeReports } from '../run-files.ts';
import { keepLost, type SpecFolders } from './lost-specs.ts';
import { notMeasured } from './not-measured.ts';
import { plannedCases } from './planned-cases.ts';
import type { TaskResult } from './run-task.ts';
import { type FoundSpec, specsIn } from './specs.ts';

const MOST_ARTIFACT_BYTES = 256 * 1024 * 1024;
const MOST_FAILURE_BYTES = 20_000;

export interface MergeAdapters extends SpecFolders {
  job: Job;
  files: CheckoutFiles;
  forge: Forge;
  archives: ArchiveReader;
  /** Paths that the pull request changes; null outside of one, and where git cannot say. */
  changedFiles(): Promise<string[] | null>;
  assets: ReportAssets;
  /** Of a spec's merged run. */
  storeOf(specName: string): Promise<RunStore>;
}

/** Puts together what the shards of this workflow run measured, and keeps it as if one machine had. */
export async function mergeTask(inputs: ActionInputs, facts: JobFacts, adapters: MergeAdapters): Promise<TaskResult> {
  const { job, forge } = adapters;
  const why = await notMeasured(inputs, facts, adapters);
  if (why !== null) {
    job.say(why);
    job.output('verdict', 'same');
    return { verdict: 'same', failed: false };
  }
  const found = await specsIn(inputs.specs, adapters.files);
  const artifacts = await forge.artifacts(facts.runId);
  const verdicts: RunVerdict[] = [];
  for (const spec of found.specs) verdicts.push(await merged(spec, inputs, facts, artifacts, adapters));
  const isWrong = found.errors.length > 0 || found.diagnostics.length > 0;
  const verdict = mostSevere([...verdicts, ...(isWrong ? (['invalid'] as const) : [])]) ?? 'invalid';
  job.output('verdict', verdict);
  return { verdict, failed: isFailure(verdict, inputs.fail) };
}

async function merged(
  found: FoundSpec,
  inputs: ActionInputs,
  facts: JobFacts,
  artifacts: readonly ArtifactFacts[],
  adapters: MergeAdapters,
): Promise<RunVerdict> {
  const { job, assets, storeOf } = adapters;
  const { spec } = found;
  const { only, quick, shards: count } = inputs;
  const records = new Map<number, RunRecord>();
  const failures = new Map<number, string>();
  for (let index = 1; index <= usefulShards(plannedCases(found, inputs), count); index += 1) {
    const record = await recordOf({ specName: spec.name, shard: { index, count } }, artifacts, adapters);
    if (typeof record === 'string') failures.set(index, record);
    else records.set(index, record);
  }
  for (const [index, why] of failures) job.error(ended(`${spec.name}: shard ${index} of ${count} is missing: ${why}`));
  try {
    const record = mergedRecord({ spec, only, quick, count, records, failures });
    const comparison = record.comparing === undefined ? null : comparisonOf(record);
    const store = await storeOf(spec.name);
    await writeRecord(record, { store });
    await writeReports(record, comparison, { store, assets });
    const artifact = artifactName({ specName: spec.name, shard: null, attempt: facts.runAttempt });
    if (inputs.upload) await job.upload(artifact, store.directory);
    return runVerdict(judgedRun(record, comparison));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    job.error(error.message);
    await keepLost([{ specName: spec.name, why: error.message }], inputs, facts, adapters);
    return 'invalid';
  }
}

/** The record, or why there is none, as its own job has left it or as is found here. */
async function recordOf(
  { specName, shard }: Pick<ArtifactContent, 'specName' | 'shard'>,
  artifacts: readonly ArtifactFacts[],
  { forge, archives }: MergeAdapters,
): Promise<RunRecord | string> {
  const artifact = newestOf(
    artifacts,
    (content) =>
      content.specName === specName && content.shard?.index === shard?.index && content.shard?.count === shard?.count,
  );
  if (artifact === null) return 'its job left no artifact';
  try {
    const zip = await forge.downloadArtifact(artifact.id, MOST_ARTIFACT_BYTES);
    const text = archives.text(zip, 'run.json', maxRecordLength);
    if (text !== null) return readRunRecord(text, `${artifact.name}/run.json`);
    const why = archives.text(zip, FAILURE_FILE, MOST_FAILURE_BYTES)?.trim() ?? '';
    return why === '' ? 'its artifact holds no run.json' : why.replace(/\.$/, '');
  } catch (error) {
    const isKnown = [UserError, ForgeFailure, UnreadableArchive].some((kind) => error instanceof kind);
    if (!isKnown) throw error;
    return `its artifact cannot be read: ${(error as Error).message.replace(/\.$/, '')}`;
  }
}
