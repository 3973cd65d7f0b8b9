import { actionsJob } from '../../adapters/actions/job.ts';
import { zipReader } from '../../adapters/archive/zip.ts';
import { dataBranch } from '../../adapters/git/data-branch/branch.ts';
import { createClient } from '../../adapters/github/client.ts';
import { githubForge } from '../../adapters/github/forge.ts';
import { branchHistory } from '../../app/branch-history.ts';
import type { Job } from '../../app/ports/job.ts';
import type { ReportAdapters } from '../../app/reporting/report-request.ts';
import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { pageAddress } from '../../core/publication/page-address.ts';

/** Login of what the token of a workflow writes. Of another token the comment's own author is asked for. */
const WORKFLOW_AUTHOR = 'github-actions[bot]';

/** Everything real that telling stands on. `close` removes what it keeps on this machine. */
export async function tellingAdapters(
  inputs: ActionInputs,
  facts: JobFacts,
  version: string,
  signal: AbortSignal,
): Promise<{ adapters: ReportAdapters & { job: Job }; close(): Promise<void> }> {
  const job = actionsJob({ hosted: facts.hosted });
  const warn = (text: string) => job.warn(text);
  const client = createClient({ apiUrl: facts.apiUrl, token: inputs.token, version, warn });
  const remote = `${facts.serverUrl}/${facts.repository}.git`;
  const branch = dataBranch({ remote, branch: inputs.branch, token: inputs.token });
  return {
    adapters: {
      job,
      forge: githubForge(client, facts.repository),
      archives: zipReader(),
      branch,
      history: branchHistory(branch, signal, warn),
      comment: inputs.comment,
      author: (await authorOf(inputs.token, client)) ?? WORKFLOW_AUTHOR,
      status: inputs.status,
      check: inputs.check,
      summary: (text) => job.summary(text),
      pageUrl: (specName) => pageAddress(facts.serverUrl, facts.repository, specName),
      warn,
      now: () => new Date(),
    },
    close: () => branch.close(),
  };
}

/** A workflow's own token, whose first letters say so, may not ask who it is. */
async function authorOf(token: string, client: ReturnType<typeof createClient>): Promise<string | null> {
  if (token.startsWith('ghs_')) return null;
  try {
    const { data } = await client.request('GET /user', { request: { retries: 0 } });
    return (data as { login?: string }).login ?? null;
  } catch {
    return null;
  }
}
