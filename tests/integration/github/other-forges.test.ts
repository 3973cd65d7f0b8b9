// needs: nothing
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentText } from '../../../src/adapters/github/answers.ts';
import { githubForge } from '../../../src/adapters/github/forge.ts';
import { type Forge, ForgeFailure } from '../../../src/app/ports/forge.ts';
import { checkedOutMerge, ownRun } from '../../../src/app/workflow/own-run.ts';
import { jobFacts } from '../../../src/core/action/job-facts.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { slower } from '../../unit/posting/made-up.ts';
import { addArtifact, BASE, HEAD, MERGE, plainClient, recordFor, reported, type World, world } from './given.ts';

describe('a forge like GitHub', () => {
  it('under another base path, and without check runs, works', async () => {
    const given = await world({ basePath: '/api/v3', missing: ['checks/create'] });
    addArtifact(given.forge, recordFor(slower));
    await reported(given, {}, { check: true });
    expect(given.forge.statuses[0]!.state).toBe('failure');
    expect(given.forge.comments).toHaveLength(1);
    expect(given.warnings).toEqual([expect.stringMatching(/^The check wrkbench\/rest-api cannot be written: /)]);
  });

  it('that lets it write neither comment nor status: the verdict stands, and it is told', async () => {
    const given = await world({ permissions: { actions: 'read', contents: 'read', 'pull-requests': 'read' } });
    addArtifact(given.forge, recordFor(slower));
    const { judged } = await reported(given);
    expect(judged[0]!.comparison!.gate.passed).toBe(false);
    expect(given.warnings).toEqual([
      expect.stringContaining('permissions: statuses: write'),
      expect.stringContaining('permissions: pull-requests: write'),
    ]);
    expect(given.summaries).toHaveLength(1);
  });
});

describe('a forge whose lists go on at another host', () => {
  it('is asked for them itself, and nobody else is told the token', async () => {
    const asked: string[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.authorization}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void elsewhere.close());
    const given = await world({ linksAt: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}` });
    for (let index = 0; index < 150; index += 1) {
      given.forge.comments.push({ id: 2000 + index, issue: 12, body: 'LGTM', author: 'bob' });
    }
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    given.forge.runs[0]!.run_attempt = 2;
    await reported(given);
    // Ours is the last of the second page: who does not read that writes another one.
    expect(given.forge.comments.filter(({ body }) => body !== 'LGTM')).toHaveLength(1);
    expect(asked).toEqual([]);
  });
});

/** What such a forge has: comments, commit statuses, pull requests, and contents that come as JSON whatever is asked for. */
const PLAIN = {
  basePath: '/api/v1',
  plainContents: true,
  missing: [
    'actions/',
    'git/',
    'checks/',
    'repos/compare-commits-with-basehead',
    'repos/get-collaborator-permission-level',
    'issues/list-events',
  ],
};
/** Whose name nobody told us. */
const WRITER = 'forge-actions';
const plainWorld = (more = {}) => world({ ...PLAIN, secondMs: 2, login: WRITER, ...more });

/** As a job says of itself that measured pull request 12 and tells of it. */
const facts = (runId: number, changes: Record<string, string> = {}) =>
  jobFacts(
    {
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_REPOSITORY: 'acme/api',
      GITHUB_SERVER_URL: 'https://forge.acme.com',
      GITHUB_RUN_ID: String(runId),
      GITHUB_WORKFLOW_REF: 'acme/api/.forgejo/workflows/gate.yml@refs/pull/12/merge',
      GITHUB_SHA: MERGE,
      GITHUB_REF: 'refs/pull/12/merge',
      ...changes,
    },
    {
      repository: { full_name: 'acme/api', default_branch: 'main' },
      pull_request: {
        number: 12,
        head: { sha: HEAD, ref: 'main', user: { login: 'mallory' }, repo: { full_name: 'mallory/api' } },
        base: { sha: BASE, ref: 'main' },
      },
    },
  );

async function toldInOneStep(given: World, record: RunRecord, own = facts(7301)) {
  const records = [{ specName: 'rest-api', record }];
  return await reported(given, {
    run: await ownRun(own, given.adapters().forge),
    checkedOut: checkedOutMerge(own),
    records,
  });
}

describe('a forge with comments, statuses and pull requests alone, in one step', () => {
  it('gets a green comment and status, by the limits of the base', async () => {
    const given = await plainWorld();
    const gate = { metrics: { 'cpu-per-request': { maxIncrease: { kind: 'ratio' as const, value: -0.5 } } } };
    await toldInOneStep(given, recordFor({ rounds: 20, gate }));
    expect(given.forge.statuses).toEqual([
      {
        sha: HEAD,
        context: 'wrkbench/rest-api',
        state: 'success',
        description: expect.stringMatching(/^No change in 1 endpoint/),
        target_url: 'https://forge.acme.com/acme/api/actions/runs/7301',
      },
    ]);
    expect(given.forge.comments.map(({ author }) => author)).toEqual([WRITER]);
    expect(given.warnings).toEqual([]);
  });

  it('gets a red one, in the same comment, though nobody knows as whom it was written', async () => {
    const given = await plainWorld();
    await toldInOneStep(given, recordFor({ rounds: 20 }));
    const { id } = given.forge.comments[0]!;
    await toldInOneStep(given, recordFor(slower), facts(7302));
    expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'failure' });
    expect(given.forge.comments).toMatchObject([{ id, body: expect.stringContaining('### 🔴') }]);
  });

  it('offers no label, which could not count, but a line in a commit to whom it may be believed', async () => {
    const given = await plainWorld();
    await toldInOneStep(given, recordFor(slower));
    expect(given.forge.comments[0]!.body).toContain('### 🔴');
    expect(given.forge.comments[0]!.body).not.toContain('Accept it');
    given.forge.pulls[0]!.head.repository = 'acme/api';
    await toldInOneStep(given, recordFor(slower), facts(7302));
    expect(given.forge.comments[0]!.body).toMatch(
      / · Accept it: a line `Perf-Accept: CASES: REASON` in a commit message$/m,
    );
  });

  it('accepts by no label, and says why', async () => {
    const given = await plainWorld();
    given.forge.pulls[0]!.labels = ['perf-accepted'];
    await toldInOneStep(given, recordFor(slower));
    expect(given.forge.statuses[0]!.state).toBe('failure');
    expect(given.forge.pulls[0]!.labels).toEqual(['perf-accepted']);
    expect(given.warnings).toEqual([expect.stringMatching(/^Whether a label was set for aaaaaaa is not known/)]);
  });

  it('does not believe a record of another commit, nor one that measured the base', async () => {
    const given = await plainWorld();
    await toldInOneStep(given, recordFor({ rounds: 20 }, 'd'.repeat(40)));
    expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'error' });
    const target = facts(7302, { GITHUB_EVENT_NAME: 'pull_request_target', GITHUB_SHA: BASE });
    await toldInOneStep(given, recordFor({ rounds: 20 }, BASE), target);
    expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'error' });
  });

  it('does not believe a pull request that changes a workflow, though the forge does not say which one measured', async () => {
    const given = await plainWorld();
    given.forge.pulls[0]!.files.push('.forgejo/workflows/gate.yml');
    await toldInOneStep(given, recordFor({ rounds: 20 }), facts(7301, { GITHUB_WORKFLOW_REF: '' }));
    expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'error' });
  });

  it('cannot list files: specs that are named by a glob are not known, and nothing passes for it', async () => {
    const given = await plainWorld();
    const records = [{ specName: 'rest-api', record: recordFor({ rounds: 20 }) }];
    const own = facts(7301);
    await reported(given, {
      run: await ownRun(own, given.adapters().forge),
      checkedOut: checkedOutMerge(own),
      records,
      specs: ['*.yml'],
    });
    expect(given.forge.statuses).toMatchObject([{ state: 'error' }]);
    expect(given.warnings).toEqual([expect.stringMatching(/^The specs at bbbbbbb cannot be read, .*git\/trees/)]);
  });
});

describe('the contents of a file', () => {
  const request = 'GET /repos/acme/api/contents/wrkbench.yml';
  it('are its text, however it comes', () => {
    expect(contentText('name: api\n', request)).toBe('name: api\n');
    const content = Buffer.from('name: käse\n').toString('base64').replace(/.{8}/g, '$&\n');
    expect(contentText({ type: 'file', encoding: 'base64', content }, request)).toBe('name: käse\n');
  });

  it('are none of a folder', () => {
    expect(contentText([{ type: 'file', path: 'a/b' }], request)).toBeNull();
  });

  it.each([{ type: 'file', encoding: 'none', content: '' }, { type: 'symlink', target: 'x' }, null])(
    'are not empty where the answer leaves them out: %j is a failure',
    (other) => {
      expect(() => contentText(other, request)).toThrow(`${request} was answered without the text of a file (`);
    },
  );
});

describe('Gitea', () => {
  const giteaWorld = () => world({ gitea: true, basePath: '/api/v1', secondMs: 2, login: WRITER });
  const pushed = (sha: string, runId = '7301', changes: Record<string, string> = {}) =>
    jobFacts(
      {
        GITEA_ACTIONS: 'true',
        GITHUB_RUN_NUMBER: String(Number(runId) - 7289),
        GITHUB_EVENT_NAME: 'push',
        GITHUB_SHA: sha,
        GITHUB_REF: 'refs/heads/main',
        GITHUB_REPOSITORY: 'acme/api',
        GITHUB_SERVER_URL: 'https://gitea.acme.com',
        GITHUB_RUN_ID: runId,
        ...changes,
      },
      { repository: { default_branch: 'main' } },
    );

  it('gets the status of a push, with what its message accepts', async () => {
    const given = await giteaWorld();
    const sha = 'd'.repeat(40);
    given.forge.commits.set(sha, { parents: [BASE], message: 'Add roles\n\nPerf-Accept: *: roles are worth it' });
    await toldInOneStep(given, recordFor(slower, sha), pushed(sha));
    expect(given.forge.statuses).toMatchObject([
      { sha, state: 'success', description: expect.stringContaining('Accepted regression') },
    ]);
    expect(given.warnings).toEqual([]);
  });

  it('shows the status of the later of two runs of one second', async () => {
    const given = await giteaWorld();
    const sha = 'd'.repeat(40);
    await toldInOneStep(given, recordFor(slower, sha), pushed(sha, '7302'));
    await toldInOneStep(given, recordFor({ rounds: 20 }, sha), pushed(sha, '7303'));
    await toldInOneStep(given, recordFor(slower, sha), pushed(sha, '7301'));
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['failure', 'success']);
    expect(given.warnings).toEqual([
      expect.stringContaining('stays as run 14 has set it, which is later than run 12.'),
    ]);
  });

  const linkOf = ({ forge }: World) => forge.statuses.at(-1)?.target_url;
  const SHA = 'd'.repeat(40);

  it('finds the page of a run by its number in the repository, and so do its links', async () => {
    const given = await giteaWorld();
    await toldInOneStep(given, recordFor({ rounds: 20 }, SHA), pushed(SHA));
    expect(linkOf(given)).toBe('https://gitea.acme.com/acme/api/actions/runs/12');
    await toldInOneStep(given, recordFor(slower, SHA), pushed(SHA, '7301', { GITHUB_RUN_ATTEMPT: '2' }));
    expect(linkOf(given)).toBe('https://gitea.acme.com/acme/api/actions/runs/12?attempt=2');
    // The first attempt, told of late.
    await toldInOneStep(given, recordFor({ rounds: 20 }, SHA), pushed(SHA));
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['success', 'failure']);
  });

  it.each([
    ['its id, in later versions', '/acme/api/actions/runs/7301'],
    ['its number', '/acme/api/actions/runs/12'],
  ])('is believed where it says that the page is found by %s', async (_, page) => {
    const forge = await answering(
      'application/json',
      JSON.stringify({ id: 7301, html_url: `https://gitea.acme.com${page}` }),
    );
    expect((await ownRun(pushed(SHA), forge)).url).toBe(`https://gitea.acme.com${page}`);
  });

  it.each(['{}', '{"html_url":"https://gitea.acme.com/acme/api"}'])(
    'that answers %s goes by the number',
    async (body) => {
      const { url } = await ownRun(pushed(SHA), await answering('application/json', body));
      expect(url).toBe('https://gitea.acme.com/acme/api/actions/runs/12');
    },
  );

  it('is told of a pull request, whose branch has no user there', async () => {
    const given = await giteaWorld();
    const own = jobFacts(
      { GITHUB_EVENT_NAME: 'pull_request', GITHUB_REPOSITORY: 'acme/api', GITHUB_RUN_ID: '7301', GITHUB_SHA: HEAD },
      {
        repository: { full_name: 'acme/api', default_branch: 'main' },
        pull_request: {
          number: 12,
          head: { sha: HEAD, ref: 'main', repo: { full_name: 'mallory/api', owner: { login: 'mallory' } } },
          base: { sha: BASE, ref: 'main' },
        },
      },
    );
    expect(own.pullRequest).toMatchObject({ headOwner: 'mallory', fromFork: true });
    await toldInOneStep(given, recordFor(slower, HEAD), own);
    expect(given.forge.comments).toMatchObject([{ issue: 12, author: WRITER }]);
    expect(given.forge.statuses).toMatchObject([{ sha: HEAD, state: 'failure' }]);
  });
});

/** A server that is no forge, or one of another kind: each request gets the same answer. */
async function answering(type: string, body: string): Promise<Forge> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return githubForge(plainClient(apiUrl), 'acme/api');
}

describe('an answer of another form', () => {
  const odd = [
    ['application/json', '{}'],
    ['application/json', '[{}]'],
    ['application/json', 'null'],
    ['application/json', '7'],
    ['application/json', '{"commit":{"message":7},"parents":null,"id":"x","number":"1","tree":7,"permission":null}'],
    ['application/json', '[{"id":"x","filename":7,"commit":null,"context":"x","event":7,"name":7}]'],
    ['text/html', '<title>Sign in</title>'],
  ] as const;
  const calls: [string, (forge: Forge) => Promise<unknown>][] = [
    ['pullRequest', (forge) => forge.pullRequest(12)],
    ['pullRequestsOf', (forge) => forge.pullRequestsOf({ owner: 'acme', branch: 'main' })],
    ['changedFiles', (forge) => forge.changedFiles(12)],
    ['commitMessages', (forge) => forge.commitMessages(12)],
    ['commit', (forge) => forge.commit(HEAD)],
    ['isOnBranch', (forge) => forge.isOnBranch('main', HEAD)],
    ['filesAt', (forge) => forge.filesAt(HEAD)],
    ['comments', (forge) => forge.comments(12)],
    ['comment', (forge) => forge.comment(1)],
    ['createComment', (forge) => forge.createComment(12, 'x')],
    ['updateComment', (forge) => forge.updateComment(1, 'x')],
    ['statuses', (forge) => forge.statuses(HEAD)],
    ['labelsSet', (forge) => forge.labelsSet(12)],
    ['mayWrite', (forge) => forge.mayWrite('alice')],
    ['workflowRun', (forge) => forge.workflowRun(7301)],
    ['runPage', (forge) => forge.runPage(7301)],
    ['runsOf', (forge) => forge.runsOf(HEAD)],
    ['artifacts', (forge) => forge.artifacts(7301)],
  ];

  it.each(calls)('to %s is a failure with a sentence, and no crash', async (_, call) => {
    for (const [type, body] of odd) {
      const outcome = await call(await answering(type, body)).catch((error: unknown) => error);
      // Nothing at all is an empty list.
      if (body === 'null' && Array.isArray(outcome)) continue;
      expect({ body, outcome }).toMatchObject({ body, outcome: expect.any(ForgeFailure) });
      expect((outcome as Error).message).toMatch(
        /^(GET|POST|PATCH) \/repos\/acme\/api\/\S+ was answered in a form that is not known here \(.+\)\. The forge needs an API like GitHub's, at the address in GITHUB_API_URL\.$/,
      );
    }
  });

  it('to what was merged as a commit is one as well, but where it is no pull request at all', async () => {
    for (const [type, body] of odd) {
      const outcome = await (await answering(type, body)).pullRequestsBringing(HEAD).catch((error: unknown) => error);
      expect({ body, outcome }).toMatchObject({ body, outcome: body === 'null' ? [] : expect.any(ForgeFailure) });
    }
  });

  it('says which field, and what was expected there', async () => {
    const forge = await answering('application/json', '{"message":"x","parents":[{"sha":7}]}');
    await expect(forge.commit(HEAD)).rejects.toThrow(
      `GET /repos/acme/api/git/commits/${HEAD} was answered in a form that is not known here (parents.0.sha: expected string, received number).`,
    );
  });
});

describe('a push in one step', () => {
  it('gets its status', async () => {
    const given = await plainWorld();
    const sha = 'd'.repeat(40);
    const pushed = {
      GITHUB_EVENT_NAME: 'push',
      GITHUB_SHA: sha,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_REPOSITORY: 'acme/api',
    };
    const own = jobFacts({ ...pushed, GITHUB_RUN_ID: '7301' }, { repository: { default_branch: 'main' } });
    expect(await ownRun(own, given.adapters().forge)).toMatchObject({
      event: 'push',
      head: { sha, branch: 'main', owner: 'acme' },
      fromFork: false,
    });
    await toldInOneStep(given, recordFor({ rounds: 20 }, sha), own);
    expect(given.forge.statuses).toMatchObject([{ sha, state: 'success' }]);
    expect(given.forge.comments).toEqual([]);
  });
});
