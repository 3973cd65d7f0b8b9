import { readFile } from 'node:fs/promises';
import type { WorkflowFacts } from '../../core/baseline/commit.ts';

type Variables = Record<string, string | undefined>;

/** What GitHub Actions says of the run, from the environment of this process and the event's file. Never rejects. */
export async function readWorkflow(environment: Variables): Promise<WorkflowFacts> {
  if (environment.GITHUB_ACTIONS !== 'true') {
    return { event: null, sha: null, ref: null, baseBranch: null, defaultBranch: null };
  }
  const { GITHUB_EVENT_NAME, GITHUB_SHA, GITHUB_REF, GITHUB_BASE_REF, GITHUB_EVENT_PATH } = environment;
  return {
    event: GITHUB_EVENT_NAME || 'unknown',
    sha: GITHUB_SHA || null,
    ref: GITHUB_REF || null,
    baseBranch: GITHUB_BASE_REF || null,
    defaultBranch: GITHUB_EVENT_PATH ? await defaultBranchOf(GITHUB_EVENT_PATH) : null,
  };
}

async function defaultBranchOf(path: string): Promise<string | null> {
  try {
    const event = JSON.parse(await readFile(path, 'utf8'));
    const name: unknown = event?.repository?.default_branch;
    return typeof name === 'string' && name !== '' ? name : null;
  } catch {
    return null;
  }
}
