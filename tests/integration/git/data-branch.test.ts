// needs: nothing
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { dataBranch } from '../../../src/adapters/git/data-branch/branch.ts';
import type { BranchText, DataBranch } from '../../../src/app/ports/data-branch.ts';
import type { BranchChange } from '../../../src/core/publication/change.ts';
import { placeOf } from '../../../src/core/publication/place.ts';
import { type GitServer, gitServer } from '../../support/git-server/server.ts';

const TOKEN = 'ghs_onlyForThisTest';
const never = new AbortController().signal;
let server: GitServer;
let repository: string;
let name: string;
let count = 0;

beforeAll(async () => {
  server = await gitServer({ tokens: { [TOKEN]: 'write', ghs_mayRead: 'read' } });
});
afterAll(() => server.close());
beforeEach(() => {
  count += 1;
  name = `api-${count}`;
  repository = server.create(name);
});

function branch(options: { token?: string | null; branch?: string; patienceSeconds?: number } = {}): DataBranch {
  const own = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: TOKEN, ...options });
  onTestFinished(() => own.close());
  return own;
}

async function textsOf(own: DataBranch, paths: readonly string[], mostBytes = 1000): Promise<BranchText[]> {
  const texts: BranchText[] = [];
  for await (const each of own.texts(paths, mostBytes, never)) texts.push(each);
  return texts;
}

const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim();
const placed = (second: number) =>
  placeOf({ specName: 'api', id: `20261120-0000${String(second).padStart(2, '0')}-00000a`, sha: 'ab'.repeat(20) })!;

function adding(second: number, content = `{"run":${second}}\n`): BranchChange {
  const { path: at, id } = placed(second);
  return { message: `Add run ${id}`, write: [{ path: at, content }], move: [], remove: [], squash: false };
}

/** A branch that somebody else writes pages to. */
function pagesBranch(files: Record<string, string>): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-pages-'));
  const call = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  call('init', '--quiet', '--initial-branch=gh-pages');
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  call('add', '.');
  call('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'Pages');
  call('push', '--quiet', repository, 'gh-pages');
}

describe('a data branch over HTTP', () => {
  it('is made where there is none, with one commit', async () => {
    const own = branch();
    expect(await own.entries(never)).toEqual([]);
    const { sha, retries } = await own.commit(() => adding(1), never);
    expect({ tip: git('rev-parse', 'gh-pages'), commits: git('rev-list', '--count', 'gh-pages'), retries }).toEqual({
      tip: sha,
      commits: '1',
      retries: 0,
    });
    expect(git('show', `gh-pages:${placed(1).path}`)).toBe('{"run":1}');
  });

  it('keeps everything else that is on it as it is', async () => {
    pagesBranch({ 'index.html': '<h1>Mine</h1>\n', CNAME: 'bench.acme.com\n' });
    const before = git('ls-tree', 'gh-pages', 'index.html', 'CNAME');
    await branch().commit(() => adding(1), never);
    expect(git('ls-tree', 'gh-pages', 'index.html', 'CNAME')).toBe(before);
    expect(git('rev-list', '--count', 'gh-pages')).toBe('2');
  });

  it('tells its entries and texts to somebody who comes later', async () => {
    await branch().commit(() => adding(1), never);
    await branch().commit(() => adding(2), never);
    const later = branch();
    const paths = (await later.entries(never)).map((entry) => entry.path);
    expect(paths).toEqual([placed(1).path, placed(2).path]);
    expect(await textsOf(later, paths)).toEqual([
      { path: placed(1).path, text: '{"run":1}' },
      { path: placed(2).path, text: '{"run":2}' },
    ]);
    expect(await textsOf(later, [placed(2).path, placed(3).path])).toEqual([
      { path: placed(2).path, text: '{"run":2}' },
    ]);
  });

  it('leaves its token with no process that is still there after a read', async () => {
    await branch().commit(() => adding(1), never);
    await branch().commit(() => adding(2), never);
    const later = branch();
    const paths = (await later.entries(never)).map((entry) => entry.path);
    expect(await textsOf(later, [paths[0]!])).toEqual([{ path: placed(1).path, text: '{"run":1}' }]);
    expect(await textsOf(later, paths)).toHaveLength(2);
    const left = ownProcesses().filter(({ command }) => command.includes('cat-file'));
    expect(left).not.toEqual([]);
    for (const { variables } of left)
      expect(variables).not.toMatch(/Authorization|GIT_CONFIG_VALUE|eC1hY2Nlc3MtdG9rZW/);
  });

  it('asks for no file a second time', async () => {
    await branch().commit(() => adding(1), never);
    const later = branch();
    await later.entries(never);
    await textsOf(later, [placed(1).path]);
    const before = server.bytes.received;
    expect(await textsOf(later, [placed(1).path])).toEqual([{ path: placed(1).path, text: '{"run":1}' }]);
    expect(server.bytes.received).toBe(before);
  });

  it('reads what a server that knows no filter has sent with the tree', async () => {
    await branch().commit(() => adding(1), never);
    git('config', 'uploadpack.allowFilter', 'false');
    const later = branch();
    await later.entries(never);
    rmSync(repository, { recursive: true });
    expect(await textsOf(later, [placed(1).path])).toEqual([{ path: placed(1).path, text: '{"run":1}' }]);
  });

  it('says why a file cannot be fetched that its tree names', async () => {
    await branch().commit(() => adding(1), never);
    const later = branch();
    await later.entries(never);
    rmSync(repository, { recursive: true });
    await expect(textsOf(later, [placed(1).path])).rejects.toThrow(
      /^wrkbench\/api\/runs\/\S+ on gh-pages of http\S+ cannot be read: .*not found\.$/,
    );
  });

  it('moves and removes what it is told to', async () => {
    const own = branch();
    await own.commit(() => adding(1), never);
    await own.commit(() => adding(2), never);
    await own.commit((entries) => {
      const [first, second] = entries as [(typeof entries)[0], (typeof entries)[0]];
      const to = 'wrkbench/api/set-aside/x.json';
      return {
        message: 'Tidy',
        write: [],
        move: [{ from: first.path, to, blob: first.blob }],
        remove: [second.path],
        squash: false,
      };
    }, never);
    expect(git('ls-tree', '-r', '--name-only', 'gh-pages')).toBe('wrkbench/api/set-aside/x.json');
  });

  it('does nothing where nothing is to be done', async () => {
    const own = branch();
    await own.commit(() => adding(1), never);
    const before = git('rev-parse', 'gh-pages');
    expect(await own.commit(() => null, never)).toEqual({ sha: null, retries: 0 });
    expect(git('rev-parse', 'gh-pages')).toBe(before);
  });

  it('can be left with one commit, and holds all that it held', async () => {
    pagesBranch({ 'index.html': '<h1>Mine</h1>\n' });
    await branch().commit(() => adding(1), never);
    await branch().commit(() => ({ ...adding(2), squash: true }), never);
    expect(git('rev-list', '--count', 'gh-pages')).toBe('1');
    expect(git('ls-tree', '-r', '--name-only', 'gh-pages').split('\n')).toEqual([
      'index.html',
      placed(1).path,
      placed(2).path,
    ]);
  });

  it('is made anew on the tip that somebody else has made meanwhile', async () => {
    const [one, other] = [branch(), branch()];
    let calls = 0;
    const { retries } = await one.commit(() => {
      calls += 1;
      return adding(1);
    }, never);
    expect(retries).toBe(0);
    calls = 0;
    let interfered = false;
    const own = await one.commit((entries) => {
      calls += 1;
      // Between reading the tip and pushing.
      if (!interfered) {
        interfered = true;
        pushedByAnother();
      }
      return { ...adding(3), message: `Add on ${entries.length}` };
    }, never);
    expect({ calls, retries: own.retries }).toEqual({ calls: 2, retries: 1 });
    expect(git('log', '-1', '--format=%s', 'gh-pages')).toBe('Add on 1');
    void other;
  });

  it('counts the very commit that somebody else pushed first as theirs', async () => {
    // Equal files on an equal tip in the same second are one commit to git, which then says that all is up to date.
    const second = vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T00:00:00Z'));
    onTestFinished(() => second.mockRestore());
    const theirs = branch();
    const { retries, sha } = await branch().commit(async (entries) => {
      if (entries.length > 0) return null;
      await theirs.commit(() => adding(1), never);
      return adding(1);
    }, never);
    expect({ retries, sha }).toEqual({ retries: 1, sha: null });
    expect(git('rev-list', '--count', 'gh-pages')).toBe('1');
  });

  it('takes no token from arguments, and is refused without one', async () => {
    await expect(branch({ token: 'wrong' }).entries(never)).rejects.toThrow(
      /gh-pages of http:\/\/127\.0\.0\.1:\d+\/api-\d+\.git cannot be read: .*permissions: contents: write/s,
    );
  });

  it('is read with the right to read, and not written', async () => {
    await branch().commit(() => adding(1), never);
    const before = git('rev-parse', 'gh-pages');
    const reader = branch({ token: 'ghs_mayRead' });
    expect((await reader.entries(never)).map((entry) => entry.path)).toEqual([placed(1).path]);
    await expect(reader.commit(() => adding(2), never)).rejects.toThrow(
      /cannot be written: .*permissions: contents: write/s,
    );
    expect(git('rev-parse', 'gh-pages')).toBe(before);
  });

  it('says so where others are always first', async () => {
    await branch().commit(() => adding(1), never);
    const own = branch({ patienceSeconds: 0 });
    await expect(
      own.commit(() => {
        pushedByAnother();
        return adding(2);
      }, never),
    ).rejects.toThrow('was written by others');
  });

  it('leaves nothing on this machine', async () => {
    const folders = () => readdirSync(tmpdir()).filter((each) => each.startsWith('wrkbench-branch-'));
    const before = folders();
    const own = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: TOKEN });
    await own.commit(() => adding(1), never);
    expect(folders().length).toBe(before.length + 1);
    await own.close();
    expect(folders()).toEqual(before);
  });
});

/** What this process has started and is there still, with what every process of its user can read of it. */
function ownProcesses(): { command: string; variables: string }[] {
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((each) => new RegExp(`^PPid:\\t${process.pid}$`, 'm').test(read(`/proc/${each}/status`)))
    .map((each) => ({ command: read(`/proc/${each}/cmdline`), variables: read(`/proc/${each}/environ`) }));
}

/** Straight into the bare repository: an empty commit on the tip. */
function pushedByAnother(): void {
  const tip = git('rev-parse', 'gh-pages');
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  const sha = git(...author, 'commit-tree', `${tip}^{tree}`, '-p', tip, '-m', 'Another');
  git('update-ref', 'refs/heads/gh-pages', sha);
}
