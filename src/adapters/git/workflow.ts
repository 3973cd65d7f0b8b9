import { readFile } from 'node:fs/promises';
import type { WorkflowFacts } from '../../core/baseline/commit.ts';

type Variables = Record<string, string | undefined>;

/** What GitHub Actions says of the run, from the environment of this process and the event's file. Never rejects. */
export async function readWorkflow(environment: Variables): Promise<WorkflowFacts> {
  if (environment.GITHUB_ACTIONS !== 'true') {
    return { event: null, sha: null, ref: null, baseBranch: null, pullRequestHead: null, defaultBranch: null };
  }
  const { GITHUB_EVENT_NAME, GITHUB_SHA, GITHUB_REF, GITHUB_BASE_REF, GITHUB_EVENT_PATH } = environment;
  const event = GITHUB_EVENT_PATH ? await eventIn(GITHUB_EVENT_PATH) : null;
  return {
    event: GITHUB_EVENT_NAME || 'unknown',
    sha: GITHUB_SHA || null,
    ref: GITHUB_REF || null,
    baseBranch: GITHUB_BASE_REF || null,
    pullRequestHead: textOf(event?.pull_request?.head?.sha),
    defaultBranch: textOf(event?.repository?.default_branch),
  };
}

/** As the forge wrote it: of any shape. Null where there is none. */
async function eventIn(path: string): Promise<PayloadOfEvent | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

/** What is asked of it, as far as it is there. */
interface PayloadOfEvent {
  repository?: { default_branch?: unknown };
  pull_request?: { head?: { sha?: unknown } };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
