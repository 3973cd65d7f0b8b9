// needs: nothing
import { describe, expect, it } from 'vitest';
import type { BranchHistory } from '../../../src/app/branch-history.ts';
import { reportRun } from '../../../src/app/posting/report-run.ts';
import { counts } from '../../../src/core/baseline/counted-run.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { slower } from '../../unit/posting/made-up.ts';
import {
  addArtifact,
  BASE,
  BOT,
  HEAD,
  MERGE,
  OTHER,
  onBranch,
  recordFor,
  reported,
  SPEC,
  WORKFLOW,
  world,
} from './given.ts';
import { factsWithin, reportedByTask } from './task.ts';

const never = new AbortController().signal;

describe('a pull request from a fork', () => {
  it('that makes nothing slower: a green comment and status', async () => {
    const given = await world();
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    const { judged } = await reported(given);
    expect(judged).toHaveLength(1);
    expect(given.forge.statuses).toEqual([
      {
        sha: HEAD,
        context: 'wrkbench/rest-api',
        state: 'success',
        description: expect.stringMatching(/^No change in 1 endpoint/),
        target_url: expect.stringContaining('/runs/7301'),
      },
    ]);
    expect(given.forge.comments).toHaveLength(1);
    expect(given.forge.comments[0]!.body.split('\n')[2]).toMatch(/^### 🟢 No change in 1 endpoint/);
    expect(given.warnings).toEqual([]);
  });

  it('that makes it slower: red, with what to do', async () => {
    const given = await world();
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    expect(given.forge.statuses[0]).toMatchObject({ sha: HEAD, state: 'failure' });
    const { body } = given.forge.comments[0]!;
    expect(body).toContain('Accept it: label `perf-accepted`');
    expect(body).toContain(
      '**Check failed** (`wrkbench/rest-api`): [wrkbench](https://github.com/wrkbench/wrkbench#readme) load-tested ' +
        '`aaaaaaa` (merged: `9d1e7b2`) against `bbbbbbb` (merge-base with main).',
    );
    expect(body).toMatch(
      /^\[Full report \(report\.html, zipped\)\]\(\S+\/runs\/7301\/artifacts\/500\) · \[This run\]\(/m,
    );
    expect(given.summaries[0]).toMatch(/^## 🔴 Regression: `go · \/ping` costs .*\n\n\*\*Check failed\*\*/);
  });

  it('is judged by the limits of its base', async () => {
    const given = await world();
    const gate = { metrics: { 'cpu-per-request': { maxIncrease: { kind: 'ratio' as const, value: 5 } } } };
    addArtifact(given.forge, recordFor({ ...slower, gate }));
    await reported(given);
    expect(given.forge.statuses[0]!.state).toBe('failure');
  });

  it('is unverified where it changes the workflow that measures it', async () => {
    const given = await world();
    given.forge.pulls[0]!.files.push(WORKFLOW);
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given);
    expect(given.forge.statuses[0]).toMatchObject({ state: 'error' });
    expect(given.forge.comments[0]!.body).toContain(
      `### ❌ Not verified: This pull request changes how it is measured (${WORKFLOW})`,
    );
  });

  it.each([
    ['of its name', 'name: rest-api\nservices: {go: {image: a, port: 80}}\nloud: {}\n'],
    ['that does not even tell its name', 'name: [rest-api\n'],
  ])('is unverified where its base has a spec with mistakes, %s', async (_, text) => {
    const given = await world();
    given.forge.files.set(BASE, { 'wrkbench.yml': text, [WORKFLOW]: 'jobs: {}' });
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given);
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['error']);
    expect(given.forge.comments[0]!.body).toContain(
      '### ❌ Not verified: The spec of its base, wrkbench.yml, has mistakes, so its limits are unknown.',
    );
  });

  it('is a first measurement where another spec of its base has mistakes', async () => {
    const given = await world();
    given.forge.files.set(BASE, { 'wrkbench.yml': 'name: another\nloud: {}\n', [WORKFLOW]: 'jobs: {}' });
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given);
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['success']);
  });

  it('is unverified where its record is of another commit', async () => {
    const given = await world();
    given.forge.commits.set(OTHER, { parents: [BASE], message: 'x' });
    addArtifact(given.forge, recordFor({ rounds: 20 }, OTHER));
    await reported(given);
    expect(given.forge.statuses[0]).toMatchObject({ state: 'error' });
  });

  it('is unverified where its record is of a merge with something else than its base', async () => {
    const given = await world();
    const [merge, slow] = ['e'.repeat(40), 'f'.repeat(40)];
    given.forge.commits.set(merge, { parents: [slow, HEAD], message: 'Merge' });
    addArtifact(given.forge, recordFor({ rounds: 20 }, merge, slow));
    await reported(given);
    expect(given.forge.statuses[0]).toMatchObject({ state: 'error' });
  });

  it('is judged by the commit that it was merged into, although its base has moved on', async () => {
    const given = await world();
    given.forge.commits.set(MERGE, { parents: [OTHER, HEAD], message: 'Merge' });
    given.forge.files.set(OTHER, { 'wrkbench.yml': SPEC });
    addArtifact(given.forge, recordFor({ rounds: 20 }, MERGE, OTHER));
    await reported(given);
    expect(given.forge.statuses[0]).toMatchObject({ state: 'success' });
  });

  it('is unverified where it was merged into a commit that is older than where it left its base', async () => {
    const given = await world();
    const old = 'e'.repeat(40);
    given.forge.branches.set('main', [BASE, OTHER, old]);
    given.forge.commits.set(HEAD, { parents: [OTHER], message: 'Add roles' });
    given.forge.files.set(old, { 'wrkbench.yml': SPEC });
    given.forge.commits.set(MERGE, { parents: [old, HEAD], message: 'Merge' });
    addArtifact(given.forge, recordFor({ rounds: 20 }, MERGE, old));
    await reported(given);
    expect(given.forge.statuses[0]).toMatchObject({ state: 'error' });
    expect(given.forge.comments[0]!.body).toContain(
      'It was merged into <code>eeeeeee</code>, which is older than what it grew from.',
    );
  });

  it.each([
    ['where it left its base', OTHER, 'success'],
    ['an older commit', 'e'.repeat(40), 'error'],
    ['a commit of its own', 'f'.repeat(40), 'error'],
  ])('whose head was measured, compared with %s', async (_, against, state) => {
    const given = await world();
    given.forge.branches.set('main', [BASE, OTHER, 'e'.repeat(40)]);
    given.forge.commits.set('f'.repeat(40), { parents: [OTHER], message: 'Slow' });
    given.forge.commits.set(HEAD, { parents: ['f'.repeat(40)], message: 'Add roles' });
    addArtifact(given.forge, recordFor({ rounds: 20 }, HEAD, against));
    await reported(given);
    expect(given.forge.statuses[0]).toMatchObject({ state });
  });

  it('cannot accept by a trailer of its own', async () => {
    const given = await world();
    given.forge.pulls[0]!.messages = ['Faster\n\nPerf-Accept: *: trust me'];
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    expect(given.forge.statuses[0]!.state).toBe('failure');
  });

  it('is never published, although its branch is called main', async () => {
    const given = await world();
    given.forge.runs[0]!.event = 'push';
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    const { recipient, published } = await reported(given);
    expect({ recipient, published }).toEqual({
      recipient: { kind: 'nobody', why: 'a run of another repository is not reported anywhere' },
      published: [],
    });
    expect(given.forge.statuses).toEqual([]);
  });

  it('that has moved on is not told of what it was', async () => {
    const given = await world();
    given.forge.pulls[0]!.head.sha = OTHER;
    addArtifact(given.forge, recordFor(slower));
    const { recipient } = await reported(given);
    expect(recipient).toEqual({
      kind: 'nobody',
      why: 'pull request 12 has moved on to a later commit, which has its own run',
    });
    expect(given.forge.comments).toEqual([]);
  });

  it('whose run left nothing: an error, and the comment says so', async () => {
    const given = await world();
    given.forge.runs[0]!.conclusion = 'failure';
    await reported(given);
    expect(given.forge.statuses).toMatchObject([
      {
        context: 'wrkbench/rest-api',
        state: 'error',
        description: 'Not measured: the run ended with failure (base: main)',
      },
    ]);
    expect(given.forge.comments[0]!.body).toContain('### ❌ Not measured: the run ended with failure');
  });

  it('whose run was cancelled, or ran out of time: what stood there stands, and a status says so where none did', async () => {
    const given = await world();
    given.forge.runs[0]!.conclusion = 'cancelled';
    await reported(given);
    const why = 'Not measured: its run was cancelled, or ran out of time (base: main)';
    expect(given.forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api', state: 'error', description: why }]);
    expect(given.forge.comments).toEqual([]);
    given.forge.statuses = [{ ...given.forge.statuses[0]!, state: 'success' }];
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ state: 'success' }]);
  });

  it('whose run waits for somebody to let it begin: nothing yet', async () => {
    const given = await world();
    given.forge.runs[0]!.conclusion = 'action_required';
    await reported(given);
    expect([given.forge.statuses, given.forge.comments]).toEqual([[], []]);
  });

  it('that takes back what mattered: the comment that told of it says so', async () => {
    const given = await world();
    addArtifact(given.forge, recordFor({ cases: [{ ratios: { 'cpu-per-request': 1.1 } }] }));
    await reported(given, { paths: ['src/*'] });
    expect(given.forge.comments[0]!.body).toContain('### 🔴 Regression');
    given.forge.pulls[0]!.files = ['README.md'];
    await reported(given, { paths: ['src/*'] });
    expect(given.forge.comments).toHaveLength(1);
    expect(given.forge.comments[0]!.body).toContain('### ⚪ Not measured: no relevant files changed.');
    expect(given.forge.comments[0]!.body).not.toContain('Regression');
  });

  it('that hides the stored runs that it is to be held against is not believed', async () => {
    const given = await world();
    given.forge.files.get(BASE)!['wrkbench.yml'] = `${SPEC}gate: {baseline: stored}\n`;
    const { comparing, ...record } = recordFor();
    const unpaired = { ...comparing!, wanted: 'stored', baseline: null, warnings: [], failed: false, accepted: [] };
    addArtifact(given.forge, { ...record, unpaired });
    const history = (all: RunRecord[]): BranchHistory => ({
      place: 'gh-pages',
      unreadable: [],
      places: async () => [],
      notable: async () => [],
      warning: () => null,
      latest: async () => null,
      run: async () => null,
      async *all() {
        yield* all;
      },
    });
    await reported(given, {}, { history: history([recordFor({}, BASE)]) });
    expect(given.forge.statuses.at(-1)).toMatchObject({
      state: 'error',
      description: expect.stringMatching(/^Not verified: .*stored run/),
    });
    given.forge.statuses = [];
    await reported(given, {}, { history: history([]) });
    expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'success' });
  });

  it('is held against none of the stored runs that measured less than this one', async () => {
    const given = await world();
    given.forge.files.get(BASE)!['wrkbench.yml'] = `${SPEC}gate: {baseline: stored}\n`;
    const { comparing, ...record } = recordFor({ rounds: 20 });
    const quick = { ...recordFor({ id: '20261119-092802-0a1b2c' }, BASE), selection: { quick: true, only: null } };
    const history: BranchHistory = {
      place: 'gh-pages',
      unreadable: [],
      places: async () => [],
      notable: async () => [],
      warning: () => null,
      latest: async () => null,
      run: async (_, id, asked) => (id === quick.id && counts(quick, asked) ? quick : null),
      async *all(_, asked) {
        if (counts(quick, asked)) yield quick;
      },
    };
    const unpaired = { ...comparing!, wanted: 'stored', baseline: null, warnings: [], failed: false, accepted: [] };
    addArtifact(given.forge, { ...record, unpaired });
    await reported(given, {}, { history });
    expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'success' });
    const baseline = { recordId: quick.id, sha: BASE, text: `numbers of run ${quick.id}` };
    given.forge.artifacts = [];
    addArtifact(given.forge, { ...record, unpaired: { ...unpaired, baseline } });
    await reported(given, {}, { history });
    expect(given.forge.statuses.at(-1)).toMatchObject({
      state: 'error',
      description: expect.stringMatching(/^Not verified: .*stored run 20261119-092802-0a1b2c/),
    });
  });

  it('offers a stranger no acceptance that would not count', async () => {
    const given = await world();
    addArtifact(given.forge, recordFor({ cases: [{ ratios: { 'cpu-per-request': 1.1 } }] }));
    await reported(given);
    expect(given.forge.comments[0]!.body).toMatch(/ · Accept it: label `perf-accepted`$/m);
  });

  it('that changes nothing that matters passes, by what GitHub says it changes', async () => {
    const given = await world();
    given.forge.pulls[0]!.files = ['README.md'];
    await reported(given, { paths: ['src/*'] });
    expect(given.forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api', state: 'success' }]);
    given.forge.pulls[0]!.files = ['src/server.go'];
    await reported(given, { paths: ['src/*'] });
    expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'error' });
  });
});

describe('two open pull requests of one head, for two bases', () => {
  /** Pull request 14 beside 12. */
  async function twoPullRequests() {
    const given = await world();
    given.forge.pulls.push({ ...given.forge.pulls[0]!, number: 14, base: { sha: BASE, ref: 'release' } });
    given.forge.branches.set('release', [BASE]);
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    return given;
  }
  const told = ({ forge }: { forge: { comments: { issue: number }[] } }) => forge.comments.map(({ issue }) => issue);

  it('each is told of its own run, in a job of that run', async () => {
    const given = await twoPullRequests();
    for (const number of [14, 12]) {
      const event = { pull_request: { number, head: { sha: HEAD }, base: { sha: BASE } } };
      await reportedByTask(given, factsWithin(given, event));
    }
    expect(told(given)).toEqual([14, 12]);
  });

  it('the first one is told by a second workflow, to which nothing says whose run it was', async () => {
    const given = await twoPullRequests();
    await reportedByTask(given);
    expect(told(given)).toEqual([12]);
  });

  it('are unverified: a status belongs to the commit, and would speak for both', async () => {
    const given = await twoPullRequests();
    await reportedByTask(given);
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['error']);
    expect(given.forge.comments[0]!.body).toContain(
      `### ❌ Not verified: Pull request 14 into release has the same commit, and one status would speak for both: push a commit of its own.`,
    );
  });

  it('are unverified as well where the other one comes from another branch', async () => {
    const given = await twoPullRequests();
    given.forge.pulls[1]!.head = { ...given.forge.pulls[1]!.head, ref: 'other', owner: 'eve', repository: 'eve/api' };
    await reportedByTask(given);
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['error']);
  });

  it('are unverified where the other one is closed as well: it can be opened again, and the status is there already', async () => {
    const given = await twoPullRequests();
    given.forge.pulls[1]!.state = 'closed';
    await reportedByTask(given);
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['error']);
    expect(given.forge.comments[0]!.body).toContain(
      'Pull request 14 into release, which is closed, has the same commit, and one status would speak for both: push a commit of its own.',
    );
  });

  it('are verified where the closed one was into the same base', async () => {
    const given = await twoPullRequests();
    Object.assign(given.forge.pulls[1]!, { state: 'closed', base: { sha: BASE, ref: 'main' } });
    await reportedByTask(given);
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['success']);
  });
});

describe('the one comment', () => {
  it('is found among 301 others, and written anew in its place', async () => {
    const given = await world();
    for (let index = 0; index < 301; index += 1) {
      given.forge.comments.push({ id: 2000 + index, issue: 12, body: 'LGTM', author: 'bob' });
    }
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    await reported(given);
    expect(given.forge.comments.filter(({ author }) => author === BOT)).toHaveLength(1);
    expect(given.api.calls.filter((call) => call === 'POST issues/create-comment')).toHaveLength(1);
  });

  it("is not somebody else's that begins like ours", async () => {
    const given = await world();
    given.forge.comments.push({ id: 2000, issue: 12, body: '<!-- wrkbench: comment 1 -->\nmine', author: 'mallory' });
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    expect(given.forge.comments[0]!.body).toBe('<!-- wrkbench: comment 1 -->\nmine');
    expect(given.forge.comments).toHaveLength(2);
  });

  it('is one in the end where two reports come at once', async () => {
    const given = await world();
    addArtifact(given.forge, recordFor(slower));
    const request = await given.request();
    await Promise.all([1, 2, 3].map(() => reportRun(request, given.adapters(), never)));
    expect(given.forge.comments).toHaveLength(1);
    expect(given.forge.comments[0]!.body).toContain('### 🔴');
  });

  it('is not written over by an older run', async () => {
    const given = await world();
    addArtifact(given.forge, recordFor(slower));
    given.forge.runs.push({ ...given.forge.runs[0]!, id: 7400 });
    addArtifact(given.forge, recordFor({ rounds: 20 }), { run: 7400 });
    const later = (await given.adapters().forge.workflowRun(7400))!;
    await reported(given, { run: later });
    const before = given.forge.comments[0]!.body;
    await reported(given);
    expect(given.forge.comments[0]!.body).toBe(before);
  });

  it('is not begun where only changes are wanted, and kept up to date where it is there', async () => {
    const given = await world();
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given, {}, { comment: 'regression' });
    expect(given.forge.comments).toEqual([]);
    await reported(given, {}, { comment: 'change' });
    expect(given.forge.comments).toEqual([]);
    await reported(given);
    await reported(given, {}, { comment: 'change' });
    expect(given.forge.comments).toHaveLength(1);
  });

  it.each([
    ['a regression', slower],
    ['what is undecided', { rounds: 10, scatter: 0.05 }],
    ['what was not measured', { rounds: 1 }],
  ])('is begun for %s where only changes are wanted, and says so when all is well again', async (_, made) => {
    const given = await world();
    addArtifact(given.forge, recordFor(made));
    await reported(given, {}, { comment: 'change' });
    expect(given.forge.comments).toHaveLength(1);
    given.forge.artifacts = [];
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given, {}, { comment: 'change' });
    expect(given.forge.comments).toHaveLength(1);
    expect(given.forge.comments[0]!.body).toContain('### 🟢 No change in 1 endpoint');
    expect(given.forge.comments[0]!.body).not.toMatch(/🔴|🟡|❌/);
  });
});

describe('a push to the default branch', () => {
  it('gets a status, and no comment', async () => {
    const given = await world();
    onBranch(given);
    addArtifact(given.forge, recordFor({ rounds: 20 }, OTHER));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ sha: OTHER, context: 'wrkbench/rest-api', state: 'success' }]);
    expect(given.forge.comments).toEqual([]);
  });

  it('accepts by a trailer of its commit', async () => {
    const given = await world();
    onBranch(given, { message: 'Add roles\n\nPerf-Accept: /ping: for roles' });
    addArtifact(given.forge, recordFor(slower, OTHER));
    await reported(given);
    expect(given.forge.statuses[0]!.state).toBe('success');
  });
});

describe('a merge queue', () => {
  it('passes at once', async () => {
    const given = await world();
    Object.assign(given.forge.runs[0]!, { event: 'merge_group', head_sha: OTHER, head_repository: 'acme/api' });
    given.forge.files.set(OTHER, { 'wrkbench.yml': SPEC });
    given.forge.commits.set(OTHER, { parents: [BASE], message: 'x' });
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ sha: OTHER, context: 'wrkbench/rest-api', state: 'success' }]);
  });
});
