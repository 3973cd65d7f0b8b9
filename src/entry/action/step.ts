import pageScript from 'wrkbench:report-page';
import { readEvent } from '../../adapters/actions/event.ts';
import { actionsJob } from '../../adapters/actions/job.ts';
import { zipReader } from '../../adapters/archive/zip.ts';
import { checkoutFiles } from '../../adapters/files/checkout-files.ts';
import { openRunStore } from '../../adapters/files/run-store.ts';
import { changedInPullRequest } from '../../adapters/git/changed-files.ts';
import { createClient } from '../../adapters/github/client.ts';
import { githubForge } from '../../adapters/github/forge.ts';
import { ownIdentity } from '../../adapters/process/owner.ts';
import { type MergeAdapters, mergeTask } from '../../app/workflow/merge-task.ts';
import { planTask } from '../../app/workflow/plan-task.ts';
import { reportTask } from '../../app/workflow/report-task.ts';
import { runTask, type TaskResult } from '../../app/workflow/run-task.ts';
import { type ActionInputs, actionInputs, WrongInput } from '../../core/action/inputs.ts';
import { type JobFacts, jobFacts } from '../../core/action/job-facts.ts';
import { HANDED_ON, jobLogins, jobVariables } from '../../core/action/job-variables.ts';
import { failureOf } from '../failure.ts';
import { interruption } from '../interruption.ts';
import { measuringAdapters } from './measuring.ts';
import { reportingAdapters } from './reporting.ts';
import { specFolders } from './spec-folders.ts';
import { OWNER_STATE } from './sweep.ts';
import { workspaceOf } from './workspace.ts';

/**
 * One step of a workflow. Never rejects: what went wrong is told to the job, which then fails. `clean`: whether nobody else can read
 * what this process was started with.
 */
export async function actionStep(input: (name: string) => string, version: string, clean: boolean): Promise<void> {
  const facts = jobFacts(process.env, await readEvent(process.env.GITHUB_EVENT_PATH));
  const job = actionsJob({ hosted: facts.hosted });
  const { signal, release } = interruption();
  try {
    const inputs = actionInputs(input);
    // From here on nothing that is started can read them.
    if (inputs.token !== '') job.mask(inputs.token);
    const variables = jobVariables(inputs, facts, process.env);
    const passwords = (jobLogins(inputs, facts) ?? []).map(({ password }) => password);
    for (const line of [...Object.values(variables), ...passwords].flatMap((value) => value.split(/\r?\n/)))
      if (line !== '') job.mask(line);
    withoutSecrets(process.env, inputs.secrets);
    job.remember(OWNER_STATE, ownIdentity());
    refuseTrustedEvent(inputs, facts);
    if (!clean && inputs.task === 'run' && inputs.runtime === 'process') job.warn(READABLE);
    const { failed, verdict } = await taskResult(inputs, facts, variables, version, signal);
    if (failed) job.error(`wrkbench: ${verdict}`);
    process.exitCode = failed ? 1 : 0;
  } catch (error) {
    process.exitCode = 1;
    if (!signal.aborted) job.error(failureOf(error).text);
  } finally {
    release();
  }
}

const READABLE = `The job's token can be read by the services of this run, since Node.js ${process.version} could not start again without it: give the job no permission to write, or use a runner with Node.js 22.15 or later.`;

/** What runs for the default branch, with its rights, must not start what a pull request brings. Throws `WrongInput`. */
function refuseTrustedEvent({ task }: ActionInputs, { event }: JobFacts): void {
  if (task !== 'run' || !['pull_request_target', 'workflow_run'].includes(event)) return;
  throw new WrongInput(
    `task: run does not measure under ${event}: it would start what a pull request brings with the rights of the default branch. Measure under pull_request, and report with task: report.`,
  );
}

async function taskResult(
  inputs: ActionInputs,
  facts: JobFacts,
  variables: Readonly<Record<string, string>>,
  version: string,
  signal: AbortSignal,
): Promise<TaskResult> {
  if (inputs.task === 'plan') {
    const [job, workspace] = [actionsJob(facts), workspaceOf(facts)];
    const adapters = { job, files: checkoutFiles(workspace), ...specFolders(workspace, inputs.out, job) };
    return await planTask(inputs, facts, adapters);
  }
  if (inputs.task === 'merge') return await mergeTask(inputs, facts, mergingAdapters(inputs, facts, version));
  if (inputs.task === 'report') {
    const { adapters, close } = await reportingAdapters(inputs, facts, version, signal);
    return await reportTask(inputs, facts, adapters, signal).finally(close);
  }
  const { adapters, close } = await measuringAdapters(inputs, facts, variables, version, signal);
  return await runTask(inputs, facts, adapters, signal).finally(close);
}

/** What GitHub hands to this process alone. Children get an allowlisted environment anyway; this is the second lock. */
function withoutSecrets(variables: Record<string, string | undefined>, secrets: readonly string[]): void {
  for (const name of Object.keys(variables)) {
    const isOfJob = /^INPUT_(?:TOKEN|REGISTRIES)$|^(?:GITHUB|GH)_TOKEN$|^ACTIONS_ID_TOKEN_/.test(name);
    if (isOfJob || name === HANDED_ON || secrets.includes(name)) delete variables[name];
  }
}

/** Everything real that merging stands on. */
function mergingAdapters({ token, out }: ActionInputs, facts: JobFacts, version: string): MergeAdapters {
  const job = actionsJob(facts);
  const client = createClient({ apiUrl: facts.apiUrl, token, version, warn: (text) => job.warn(text) });
  const workspace = workspaceOf(facts);
  const folders = specFolders(workspace, out, job);
  return {
    ...folders,
    job,
    files: checkoutFiles(workspace),
    forge: githubForge(client, facts.repository),
    archives: zipReader(),
    changedFiles: async () =>
      facts.pullRequest === null ? null : await changedInPullRequest(workspace, facts.pullRequest),
    assets: { pageScript },
    storeOf: (specName) => openRunStore(folders.folderOf(specName), { resume: false }),
  };
}
