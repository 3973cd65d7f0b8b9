import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { withheldFrom } from '../../core/action/job-variables.ts';
import { unjudged } from '../../core/posting/annotations.ts';
import { artifactName } from '../../core/posting/artifact-name.ts';
import {
  isFailure,
  type JudgedRun,
  judgedRun,
  mostSevere,
  type RunVerdict,
  runVerdict,
} from '../../core/posting/verdict.ts';
import type { RawText } from '../../core/publication/raw-text.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import type { CheckoutFiles } from '../ports/checkout-files.ts';
import type { Job } from '../ports/job.ts';
import type { Toolbox } from '../ports/tools.ts';
import type { RunResult } from '../run/run.ts';
import { keepLost, type SpecFolders } from './lost-specs.ts';
import { notMeasured } from './not-measured.ts';
import { AWAITED_STATE } from './own-run.ts';
import { ownCases } from './planned-cases.ts';
import { specsWithoutProgram } from './programs.ts';
import { type ReportedRuns, type Reporting, reportInJob, takeBackInJob } from './report-in-job.ts';
import { type FoundSpec, type LostSpec, specsIn } from './specs.ts';
import { whyLost } from './why-lost.ts';

export interface RunTaskAdapters extends SpecFolders {
  job: Job;
  files: CheckoutFiles;
  tools: Toolbox;
  /** Measures one spec into `out`, absolute; compares and writes the reports. Throws as a run does. */
  measure(spec: FoundSpec, out: string, signal: AbortSignal): Promise<Pick<RunResult, 'record' | 'comparison'>>;
  /** Paths that the pull request changes; null outside of one, and where git cannot say. */
  changedFiles(): Promise<string[] | null>;
  /** What the generators of a run printed, from its folder. Never rejects. */
  rawTexts(record: RunRecord): Promise<readonly RawText[]>;
  reporting: Reporting;
}

export interface TaskResult {
  verdict: RunVerdict;
  failed: boolean;
}

/**
 * Measures what the inputs name, one spec after the other, and judges it. One that cannot be measured costs none of the
 * others. Sets all outputs. Rejects only where there is nothing to measure at all, or the job is cancelled.
 */
export async function runTask(
  inputs: ActionInputs,
  facts: JobFacts,
  adapters: RunTaskAdapters,
  signal: AbortSignal,
): Promise<TaskResult> {
  const { job } = adapters;
  const why = await notMeasured(inputs, facts, adapters);
  if (why !== null) {
    job.say(why);
    // A required status would be waited for in vain.
    const { commentUrl } = await reportInJob({ runs: [], lost: [] }, inputs, facts, adapters, signal);
    setOutputs('same', { judged: [], commentUrl, pageUrl: null }, adapters);
    return { verdict: 'same', failed: false };
  }
  await takeBackInJob(inputs, facts, adapters.reporting, signal);
  const found = await specsIn(inputs.specs, adapters.files);
  const mistakes = isFirstShard(inputs) ? found : { diagnostics: [], errors: [], lost: [] };
  for (const diagnostic of mistakes.diagnostics) job.diagnostic(diagnostic);
  for (const error of mistakes.errors) job.error(error);
  const isWrong = mistakes.diagnostics.length > 0 || mistakes.errors.length > 0;
  const awaited = [...found.specs.map(({ spec }) => spec.name), ...mistakes.lost.map(({ specName }) => specName)];
  if (inputs.status && inputs.token !== '') job.remember(AWAITED_STATE, JSON.stringify(awaited));
  const bringing = () => specsWithoutProgram(found.specs, inputs, adapters.tools, signal);
  const unequipped = found.specs.length > 0 ? await job.group('Programs', bringing) : [];
  await keepLost(mistakes.lost, inputs, facts, adapters);
  const runs: JudgedRun[] = [];
  const lost: LostSpec[] = [...mistakes.lost];
  const artifacts = new Map<string, number>();
  for (const spec of found.specs) {
    signal.throwIfAborted();
    const { name } = spec.spec;
    const { shard } = inputs;
    if (shard !== null && ownCases(spec, inputs) === null) {
      job.say(`${name} has no case for shard ${shard.index} of ${shard.count}.`);
      continue;
    }
    const out = adapters.folderOf(name);
    const withheld = withheldFrom(spec.spec, facts);
    const measured =
      (withheld === null ? null : { specName: name, why: withheld }) ??
      unequipped.find(({ specName }) => specName === name) ??
      (await measuredRun(spec, out, adapters, signal));
    if ('why' in measured) {
      lost.push(measured);
      job.error(`${spec.path}: ${measured.why}`);
      await adapters.keepFailure(name, measured.why);
    } else runs.push(measured);
    // Of a cancelled job as well: what was measured is kept.
    const artifact = artifactName({ specName: name, shard, attempt: facts.runAttempt });
    const kept = inputs.upload ? await job.upload(artifact, out) : null;
    if (kept !== null) artifacts.set(name, kept.id);
  }
  signal.throwIfAborted();
  const { rawTexts } = adapters;
  const reported = await reportInJob({ runs, lost, artifacts, rawTexts }, inputs, facts, adapters, signal);
  job.remember(AWAITED_STATE, '[]');
  for (const { title, message } of reported.judged.flatMap(unjudged)) {
    job.annotate({ level: 'warning', title, message, file: facts.workflowPath });
  }
  const verdicts = reported.judged.map(runVerdict);
  // A shard may hold no case of any spec.
  const verdict = mostSevere([...verdicts, ...(isWrong || lost.length > 0 ? (['invalid'] as const) : [])]) ?? 'same';
  setOutputs(verdict, reported, adapters);
  const failed = isWrong || isFailure(verdict, inputs.fail);
  return { verdict, failed };
}

/** All machines find the same mistakes: one tells of them, and fails because of them. */
function isFirstShard({ shard }: ActionInputs): boolean {
  return shard === null || shard.index === 1;
}

async function measuredRun(
  spec: FoundSpec,
  out: string,
  { measure }: RunTaskAdapters,
  signal: AbortSignal,
): Promise<JudgedRun | LostSpec> {
  try {
    const { record, comparison } = await measure(spec, out, signal);
    return judgedRun(record, comparison);
  } catch (error) {
    return { specName: spec.spec.name, why: whyLost(error) };
  }
}

/** Of several specs the folders are listed, a line each. */
function setOutputs(
  verdict: RunVerdict,
  { judged, commentUrl, pageUrl }: ReportedRuns,
  adapters: RunTaskAdapters,
): void {
  const { job, folderOf } = adapters;
  const files = (name: string, has: (judged: JudgedRun) => boolean = () => true) =>
    judged
      .filter(has)
      .map(({ record }) => `${folderOf(record.spec.name)}/${name}`)
      .join('\n');
  job.output('verdict', verdict);
  job.output('record', files('run.json'));
  job.output(
    'comparison',
    files('comparison.json', ({ comparison }) => comparison !== null),
  );
  job.output('report', files('report.html'));
  job.output('comment-url', commentUrl ?? '');
  job.output('page-url', pageUrl ?? '');
}
