// needs: nothing
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkflow } from '../../../src/adapters/git/workflow.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';

const NOTHING = { event: null, sha: null, ref: null, baseBranch: null, pullRequestHead: null, defaultBranch: null };

describe('what a workflow says of itself', () => {
  it('is nothing outside of one', async () => {
    expect(await readWorkflow({ GITHUB_EVENT_NAME: 'push', GITHUB_SHA: 'a' })).toEqual(NOTHING);
  });

  it('is its event, commit, ref and branches', async () => {
    const event = join(temporaryFolder(), 'event.json');
    const head = 'b'.repeat(40);
    writeFileSync(
      event,
      JSON.stringify({ repository: { default_branch: 'trunk' }, pull_request: { head: { sha: head } } }),
    );
    const workflow = {
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_SHA: 'a'.repeat(40),
      GITHUB_REF: 'refs/pull/12/merge',
      GITHUB_BASE_REF: 'release/1',
      GITHUB_EVENT_PATH: event,
    };
    expect(await readWorkflow(workflow)).toEqual({
      event: 'pull_request',
      sha: 'a'.repeat(40),
      ref: 'refs/pull/12/merge',
      baseBranch: 'release/1',
      pullRequestHead: head,
      defaultBranch: 'trunk',
    });
    writeFileSync(event, '{"repository": {"default_branch": 3}, "pull_request": "x"}');
    const push = { ...workflow, GITHUB_EVENT_NAME: 'push', GITHUB_BASE_REF: '' };
    expect(await readWorkflow(push)).toMatchObject({
      event: 'push',
      baseBranch: null,
      pullRequestHead: null,
      defaultBranch: null,
    });
    writeFileSync(event, '{');
    expect(await readWorkflow(push)).toMatchObject({ defaultBranch: null });
  });
});
