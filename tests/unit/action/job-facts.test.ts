import { describe, expect, it } from 'vitest';
import { ownRun } from '../../../src/app/workflow/own-run.ts';
import { jobFacts } from '../../../src/core/action/job-facts.ts';

const variables = {
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_REPOSITORY: 'acme/api',
  GITHUB_API_URL: 'https://api.github.com',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_RUN_ID: '7301',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_WORKFLOW_REF: 'acme/api/.github/workflows/gate.yml@refs/pull/12/merge',
  GITHUB_SHA: 'c'.repeat(40),
  GITHUB_REF: 'refs/pull/12/merge',
  GITHUB_WORKSPACE: '/home/runner/work/api/api',
};
const event = {
  repository: { full_name: 'acme/api', default_branch: 'main' },
  pull_request: {
    number: 12,
    head: { sha: 'a'.repeat(40), ref: 'roles', user: { login: 'alice' }, repo: { full_name: 'alice/api' } },
    base: { sha: 'b'.repeat(40), ref: 'main' },
  },
};

/** GitHub says in its variables where the page of a run is. */
const unasked = { runPage: async () => expect.unreachable() };

describe('what GitHub says of a job', () => {
  it('is read from its variables and the event', () => {
    expect(jobFacts(variables, event)).toEqual({
      event: 'pull_request',
      repository: 'acme/api',
      apiUrl: 'https://api.github.com',
      graphqlUrl: null,
      serverUrl: 'https://github.com',
      runId: 7301,
      runNumber: null,
      runAttempt: 2,
      workflowPath: '.github/workflows/gate.yml',
      sha: 'c'.repeat(40),
      ref: 'refs/pull/12/merge',
      defaultBranch: 'main',
      workspace: '/home/runner/work/api/api',
      runnerTemp: null,
      pullRequest: {
        number: 12,
        headSha: 'a'.repeat(40),
        headBranch: 'roles',
        headOwner: 'alice',
        baseSha: 'b'.repeat(40),
        baseBranch: 'main',
        fromFork: true,
      },
      workflowRunId: null,
      workflowRunHead: null,
      workflowRunEvent: null,
      hosted: true,
    });
  });

  it('knows a pull request of the repository itself, and one whose fork is gone', () => {
    const own = structuredClone(event);
    own.pull_request.head.repo.full_name = 'acme/api';
    expect(jobFacts(variables, own).pullRequest?.fromFork).toBe(false);
    const gone = {
      ...event,
      pull_request: { ...event.pull_request, head: { ...event.pull_request.head, repo: null } },
    };
    expect(jobFacts(variables, gone).pullRequest?.fromFork).toBe(true);
  });

  it('names the run of a workflow_run', () => {
    const run = { id: 99, head_sha: 'd'.repeat(40), event: 'schedule' };
    const facts = jobFacts(variables, { workflow_run: run });
    expect(facts).toMatchObject({
      workflowRunId: 99,
      workflowRunHead: 'd'.repeat(40),
      workflowRunEvent: 'schedule',
    });
  });

  it.each([null, 3, 'x', [], { pull_request: 7 }, { pull_request: { number: 'x' } }])(
    'comes to nothing from %j',
    (odd) => {
      expect(jobFacts({}, odd)).toMatchObject({ pullRequest: null, workflowRunId: null, repository: '', runId: 0 });
    },
  );

  it('is read without the slash that an address may end in', async () => {
    const slashes = {
      ...variables,
      GITHUB_SERVER_URL: 'https://acme.com/git/',
      GITHUB_API_URL: 'https://acme.com/git/api/v1//',
    };
    const facts = jobFacts(slashes, event);
    expect(facts).toMatchObject({ serverUrl: 'https://acme.com/git', apiUrl: 'https://acme.com/git/api/v1' });
    expect((await ownRun(facts, unasked)).url).toBe('https://acme.com/git/acme/api/actions/runs/7301');
  });

  it('has the number of the run where its page is found by that, and not on GitHub', () => {
    const numbered = { ...variables, GITHUB_RUN_NUMBER: '12' };
    expect(jobFacts(numbered, event).runNumber).toBeNull();
    expect(jobFacts({ ...numbered, GITEA_ACTIONS: 'true' }, event).runNumber).toBe(12);
    expect(jobFacts({ ...numbered, FORGEJO_ACTIONS: 'true' }, event).runNumber).toBe(12);
    expect(jobFacts({ ...variables, GITEA_ACTIONS: 'true' }, event).runNumber).toBeNull();
  });

  it('names the owner of a branch by its repository, where the forge names no user', () => {
    const { user: _, ...head } = event.pull_request.head;
    const repo = { ...head.repo, owner: { login: 'alice' } };
    const ofGitea = { ...event, pull_request: { ...event.pull_request, head: { ...head, repo } } };
    expect(jobFacts(variables, ofGitea).pullRequest?.headOwner).toBe('alice');
  });

  it.each([
    ['https://github.com', true],
    ['https://acme.ghe.com', true],
    ['https://ghe.acme.com', false],
    ['https://github.com.evil.example', false],
  ])('tells servers with artifacts apart: %s', (GITHUB_SERVER_URL, hosted) => {
    expect(jobFacts({ ...variables, GITHUB_SERVER_URL }, event).hosted).toBe(hosted);
  });
});
