import { actionsJob } from '../../adapters/actions/job.ts';
import { zipReader } from '../../adapters/archive/zip.ts';
import { dataBranch } from '../../adapters/git/data-branch/branch.ts';
import { authorOf } from '../../adapters/github/author.ts';
import { createClient } from '../../adapters/github/client.ts';
import { githubForge } from '../../adapters/github/forge.ts';
import { branchHistory } from '../../app/branch-history.ts';
import type { Job } from '../../app/ports/job.ts';
import { pageLinksOf } from '../../app/posting/page-links.ts';
import type { ReportAdapters } from '../../app/posting/report-request.ts';
import { templatesAt } from '../../app/project-templates.ts';
import { siteSource } from '../../app/site-source.ts';
import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { pagesFrom } from '../pages.ts';

/** Everything real that reporting needs. `close` removes what it keeps on this machine. */
export async function reportingAdapters(
  inputs: ActionInputs,
  facts: JobFacts,
  version: string,
  signal: AbortSignal,
): Promise<{ adapters: ReportAdapters & { job: Job }; close(): Promise<void> }> {
  const job = actionsJob({ hosted: facts.hosted });
  const warn = (text: string) => job.warn(text);
  const client = createClient({ apiUrl: facts.apiUrl, token: inputs.token, version, warn });
  const remote = `${facts.serverUrl}/${facts.repository}.git`;
  const forge = githubForge(client, facts.repository);
  const branch = dataBranch({ remote, branch: inputs.branch, token: inputs.token });
  return {
    adapters: {
      job,
      forge,
      archives: zipReader(),
      branch,
      history: branchHistory(branch, signal, warn),
      pages: { tool: version, server: facts.serverUrl, site: () => [] },
      comment: inputs.comment,
      author: await authorOf(inputs.token, facts.graphqlUrl, client),
      status: inputs.status,
      check: inputs.check,
      summary: (text) => job.summary(text),
      pageLinks: pageLinksOf(forge, {
        serverUrl: facts.serverUrl,
        repository: facts.repository,
        branch: inputs.branch,
        hosted: facts.hosted,
        warn,
      }),
      async siteAt(sha) {
        const { pages, diagnostics } = await pagesFrom(templatesAt(sha, forge), version);
        for (const { file, line, column, message } of diagnostics) warn(`${file}:${line}:${column}: ${message}`);
        return siteSource(pages);
      },
      // Other servers than GitHub's keep them elsewhere.
      artifactUrl: ({ url }, artifact) => (facts.hosted ? `${url}/artifacts/${artifact}` : null),
      warn,
      now: () => new Date(),
    },
    close: () => branch.close(),
  };
}
