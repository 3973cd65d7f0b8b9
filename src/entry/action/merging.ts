import path from 'node:path';
import pageScript from 'wrkbench:report-page';
import { actionsJob } from '../../adapters/actions/job.ts';
import { zipReader } from '../../adapters/archive/zip.ts';
import { checkoutFiles } from '../../adapters/files/checkout-files.ts';
import { openRunStore } from '../../adapters/files/run-store.ts';
import { changedInMerge } from '../../adapters/git/changed-in-merge.ts';
import { createClient } from '../../adapters/github/client.ts';
import { githubForge } from '../../adapters/github/forge.ts';
import type { MergeAdapters } from '../../app/workflow/merge-task.ts';
import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { workspaceOf } from './workspace.ts';

/** Everything real that merging stands on. */
export function mergingAdapters({ token, out }: ActionInputs, facts: JobFacts, version: string): MergeAdapters {
  const job = actionsJob(facts);
  const client = createClient({ apiUrl: facts.apiUrl, token, version, warn: (text) => job.warn(text) });
  const workspace = workspaceOf(facts);
  return {
    job,
    files: checkoutFiles(workspace),
    forge: githubForge(client, facts.repository),
    archives: zipReader(),
    changedFiles: async () => (facts.pullRequest === null ? null : await changedInMerge(workspace)),
    assets: { pageScript },
    storeOf: (specName) => openRunStore(path.join(workspace, out, specName), { resume: false }),
  };
}
