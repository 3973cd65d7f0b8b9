import path from 'node:path';
import { actionsJob } from '../../adapters/actions/job.ts';
import { useLogins } from '../../adapters/docker/logins.ts';
import { checkoutFiles } from '../../adapters/files/checkout-files.ts';
import { rawTexts } from '../../adapters/files/raw-texts.ts';
import { changedInPullRequest } from '../../adapters/git/changed-files.ts';
import { dataBranch } from '../../adapters/git/data-branch/branch.ts';
import { previousTag } from '../../adapters/git/tags.ts';
import { progressOn } from '../../adapters/terminal/progress.ts';
import { createToolbox } from '../../adapters/tools/toolbox.ts';
import { branchHistory } from '../../app/branch-history.ts';
import { storedComparison } from '../../app/report.ts';
import { anchoredRun } from '../../app/run/anchored-run.ts';
import type { RunResult } from '../../app/run/run.ts';
import { type RunOptions, runOptions } from '../../app/run/run-options.ts';
import type { RunTaskAdapters } from '../../app/workflow/run-task.ts';
import type { FoundSpec } from '../../app/workflow/specs.ts';
import { eventBaseline, measuresTheSame } from '../../core/action/event-baseline.ts';
import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { jobLogins } from '../../core/action/job-variables.ts';
import { absoluteLimits } from '../../core/comparison/absolute-limits.ts';
import { MOST_RAW, rawPaths } from '../../core/publication/raw-text.ts';
import { runAdapters } from '../adapters.ts';
import { textOf } from '../commands/files.ts';
import { recordAt } from '../commands/record-file.ts';
import { runnerContainerRun } from '../runner-container-run.ts';
import { reportingAdapters } from './reporting.ts';
import { specFolders } from './spec-folders.ts';
import { FOLDERS_STATE } from './sweep.ts';
import { workspaceOf } from './workspace.ts';

/** Everything real that measuring in a job stands on. `close` removes what it keeps on this machine. */
export async function measuringAdapters(
  inputs: ActionInputs,
  facts: JobFacts,
  variables: Readonly<Record<string, string>>,
  version: string,
  signal: AbortSignal,
): Promise<{ adapters: RunTaskAdapters; close(): Promise<void> }> {
  const job = actionsJob({ hosted: facts.hosted });
  const workspace = workspaceOf(facts);
  const remote = `${facts.serverUrl}/${facts.repository}.git`;
  const token = inputs.token === '' ? null : inputs.token;
  const branch = dataBranch({ remote, branch: inputs.branch, token });
  const history = branchHistory(branch, signal, (text) => job.warn(text));
  const folders = new Set<string>();
  // No image is pulled for a process, which could read the folder.
  const forget = inputs.runtime === 'docker' ? await useLogins(process.env, jobLogins(inputs, facts)) : null;
  const kept = specFolders(workspace, inputs.out, job);
  return {
    adapters: {
      job,
      files: checkoutFiles(workspace),
      ...kept,
      changedFiles: async () =>
        facts.pullRequest === null ? null : await changedInPullRequest(workspace, facts.pullRequest),
      tools: createToolbox({ temporary: facts.runnerTemp, say: (text) => job.say(text) }),
      async measure(found, out, aborted) {
        const specFile = path.join(workspace, found.path);
        folders.add(path.dirname(specFile));
        job.remember(FOLDERS_STATE, JSON.stringify([...folders]));
        const ownFolders = [path.join(workspace, inputs.out)];
        const baseline = inputs.baseline ?? (await baselineOfEvent(facts, workspace));
        const anchor = found.spec.gate.anchor ?? null;
        const noSkip = measuresTheSame({ event: facts.event, anchor });
        const options = { ...optionsOf(found, specFile, ownFolders, baseline, inputs), noSkip };
        const progress = progressOn(process.stderr, process.env);
        const print = (line: string) => job.say(line);
        const given = { value: (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined) };
        const call = { options, out, json: false, history, variables: given, print, progress };
        const status = await runnerContainerRun(call, aborted);
        if (status !== null) return await resultIn(out);
        const adapters = await runAdapters(out, path.dirname(specFile), false, history, given);
        return await anchoredRun(options, adapters, aborted);
      },
      rawTexts: ({ spec, cases }) => rawTexts(kept.folderOf(spec.name), rawPaths(cases), MOST_RAW),
      reporting: (aborted) => reportingAdapters(inputs, facts, version, aborted),
    },
    close: async () => {
      await forget?.();
      await branch.close();
    },
  };
}

async function baselineOfEvent({ event, ref }: JobFacts, workspace: string): Promise<string | null> {
  const tag = ref.startsWith('refs/tags/') ? await previousTag(workspace, ref) : null;
  return eventBaseline({ event, ref, previousTag: tag });
}

/** `baseline`: phrase of the call, or of the event; null for what the spec says. */
function optionsOf(
  { spec }: FoundSpec,
  specFile: string,
  ownFolders: string[],
  baseline: string | null,
  inputs: ActionInputs,
): RunOptions {
  const { only, quick, shard, runtime, seed, accepted, fail } = inputs;
  const recordDirectory = path.dirname(specFile);
  return runOptions(spec, specFile, {
    ...{ only, quick, shard, runtime, seed, accepted, ownFolders },
    baseline:
      baseline === null
        ? { text: spec.gate.baseline, phraseFrom: 'spec', recordDirectory }
        : { text: baseline, phraseFrom: 'call', recordDirectory },
    failOnInconclusive: fail === 'inconclusive',
  });
}

/** What a run left that was made elsewhere. Throws `UsageError` where it left nothing. */
async function resultIn(folder: string): Promise<Pick<RunResult, 'record' | 'comparison' | 'limits'>> {
  const record = await recordAt(folder);
  const beside = path.join(folder, 'comparison.json');
  const comparison = storedComparison(record, await textOf(beside, '').catch(() => null), beside);
  return { record, comparison, limits: absoluteLimits(record) };
}
