// needs: nothing
// seconds: 12
import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { dataBranch } from '../../src/adapters/git/data-branch/branch.ts';
import type { BranchText, DataBranch } from '../../src/app/ports/data-branch.ts';
import type { BranchChange } from '../../src/core/publication/change.ts';
import { placeOf } from '../../src/core/publication/place.ts';
import { type Cut, type GitServer, gitServer } from '../support/git-server/server.ts';

const never = new AbortController().signal;
const PAUSES_MS = [10, 20];
let server: GitServer;
let repository: string;
let name: string;
let count = 0;

beforeAll(async () => {
  server = await gitServer();
});
afterAll(() => server.close());
beforeEach(() => {
  count += 1;
  name = `api-${count}`;
  repository = server.create(name);
});
afterEach(() => {
  server.cuts.length = 0;
});

function branch(changes: { remote?: string; pausesMs?: number[] } = {}): DataBranch {
  const remote = `${server.url}/${name}.git`;
  const own = dataBranch({ remote, branch: 'gh-pages', token: null, pausesMs: PAUSES_MS, ...changes });
  onTestFinished(() => own.close());
  return own;
}

const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim();
const files = () => git('ls-tree', '-r', '--name-only', 'gh-pages').split('\n');
const placed = (second: number) =>
  placeOf({ specName: 'api', id: `20261120-0000${String(second).padStart(2, '0')}-00000a`, sha: 'ab'.repeat(20) })!;

function adding(second: number): BranchChange {
  const { path: at, id } = placed(second);
  const write = [{ path: at, content: `{"run":${second}}\n` }];
  return { message: `Add run ${id}`, write, move: [], remove: [], squash: false };
}

/** As `publish` does it: a run that is there is not added again. */
const publishing = (second: number) => (entries: readonly { path: string }[]) =>
  entries.some(({ path }) => path === placed(second).path) ? null : adding(second);

const push = (when: Cut['when']): Cut => ({ service: 'git-receive-pack', posts: true, when });
const asking = (when: Cut['when']): Cut => ({ service: 'git-receive-pack', when });
const read = (when: Cut['when'], posts = false): Cut => ({ service: 'git-upload-pack', posts, when });

const MOMENTS: [string, Cut[]][] = [
  ['the branch is asked for', [read('before')]],
  ['the branch is asked for, by a proxy', [read(502), read(503)]],
  ['the branch is listed', [read('answering', true)]],
  ['the branch is listed, by a proxy', [read(504, true)]],
  ['it is asked what may be written', [asking('before'), asking(503)]],
  ['the push begins', [push('before')]],
  ['the push begins, by a proxy', [push(502)]],
  ['the push is half sent', [push('during')]],
  ['the push was taken', [push('answered')]],
  ['the push was taken, in the middle of its answer', [push('answering')]],
  ['the push was taken, and the next look fails as well', [push('answered'), read('before'), read(503)]],
];

describe('a publication that is cut off', () => {
  it.each(MOMENTS)('while %s is on the branch once', async (_, cuts) => {
    await branch().commit(() => adding(1), never);
    server.cuts.push(...cuts);
    const { sha, retries } = await branch().commit(publishing(2), never);
    expect(server.cuts).toEqual([]);
    // A push that had no answer curl sends once more by itself, which then finds it there: no commit of its own is told.
    expect([git('rev-parse', 'gh-pages'), null]).toContain(sha);
    expect(retries).toBe(sha === null ? 1 : 0);
    expect(git('rev-list', '--count', 'gh-pages')).toBe('2');
    expect(files()).toEqual([placed(1).path, placed(2).path]);
  });

  it.each(MOMENTS)('while %s is the first one of a new branch', async (_, cuts) => {
    server.cuts.push(...cuts);
    const { sha } = await branch().commit(publishing(2), never);
    expect(server.cuts).toEqual([]);
    expect([git('rev-parse', 'gh-pages'), null]).toContain(sha);
    expect(files()).toEqual([placed(2).path]);
  });

  it('is found below what others have published since', async () => {
    await branch().commit(() => adding(1), never);
    const own = branch({ pausesMs: [2_000] });
    let calls = 0;
    server.cuts.push(push('answering'));
    // Their turn comes while this one waits for its next look.
    const waiting = own.commit((entries) => {
      calls += 1;
      return publishing(2)(entries);
    }, never);
    await expect.poll(() => git('rev-list', '--count', 'gh-pages'), { timeout: 20_000 }).toBe('2');
    const theirs = git(
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit-tree',
      'gh-pages^{tree}',
      '-p',
      'gh-pages',
      '-m',
      'x',
    );
    git('update-ref', 'refs/heads/gh-pages', theirs);
    const { sha } = await waiting;
    expect({ sha, calls }).toEqual({ sha: git('rev-parse', 'gh-pages^'), calls: 1 });
  });

  it('is not there, and says so, where the network fails on', async () => {
    await branch().commit(() => adding(1), never);
    server.cuts.push(push(503), push(502), push(504));
    await expect(branch().commit(publishing(2), never)).rejects.toThrow(
      /^gh-pages of http\S+ cannot be written: .+\. The network failed in 3 tries, and nothing was added: run it again\.$/,
    );
    expect(files()).toEqual([placed(1).path]);
  });

  it('is there although every answer was lost, and says no such thing as that it is not', async () => {
    await branch().commit(() => adding(1), never);
    server.cuts.push(push(503), push(503), push('answering'));
    const { sha } = await branch().commit(publishing(2), never);
    expect(sha).toBe(git('rev-parse', 'gh-pages'));
  });

  it('says that it does not know where nobody answers any more', async () => {
    await branch().commit(() => adding(1), never);
    server.cuts.push(push('answering'), read(503), read(503), read(503));
    await expect(branch().commit(publishing(2), never)).rejects.toThrow(
      /cannot be written: .+\. Whether it was added all the same is not known, since the network fails still \(gh-pages of \S+ cannot be read: .+, in 3 tries\)\. Run it again: what is there is not added a second time\.$/,
    );
    expect(files()).toEqual([placed(1).path, placed(2).path]);
    // And so it is.
    expect(await branch().commit(publishing(2), never)).toEqual({ sha: null, retries: 0 });
  });

  it('reads the files that it needs in further tries, too', async () => {
    await branch().commit(() => adding(1), never);
    const own = branch();
    await own.entries(never);
    server.cuts.push(read('before', true), read('answering', true));
    const texts: BranchText[] = [];
    for await (const each of own.texts([placed(1).path], 1000, never)) texts.push(each);
    expect(texts).toEqual([{ path: placed(1).path, text: '{"run":1}' }]);
  });

  it('names how often it has tried to reach somebody who is not there', async () => {
    await expect(branch({ remote: 'http://127.0.0.1:9/api.git' }).entries(never)).rejects.toThrow(
      /^gh-pages of http:\/\/127\.0\.0\.1:9\/api\.git cannot be read: .*(?:Failed|Couldn't) .*connect.*, in 3 tries\.$/,
    );
  });

  it('ends at once when it is stopped between two tries', async () => {
    server.cuts.push(push(503));
    const stopped = new AbortController();
    const own = branch({ pausesMs: [60_000] });
    const waiting = own.commit(publishing(1), stopped.signal);
    await expect.poll(() => server.cuts, { timeout: 20_000 }).toEqual([]);
    stopped.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow();
  });
});
