import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gitRepositories } from '../../../src/adapters/git/repository.ts';
import { sweepWorktrees } from '../../../src/adapters/git/worktree.ts';
import { type Worktree, WorktreeFailure } from '../../../src/app/ports/repositories.ts';
import { freePort } from '../../support/free-port.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { type Author, author, cloneOf, never, newRepository, stateOf } from './given.ts';

async function worktreeOf({ folder }: Author, sha: string, signal = never()): Promise<Worktree> {
  const repository = await gitRepositories().at(folder);
  if ('code' in repository) throw new Error(repository.message);
  const worktree = await repository.worktree(sha, signal);
  onTestFinished(() => worktree.release());
  return worktree;
}

/** Serves `outer.git` and the like on this machine; resolves to the address of `outer`. */
async function served(repositories: Record<string, Author>): Promise<string> {
  const base = temporaryFolder();
  for (const [name, { folder }] of Object.entries(repositories)) {
    author(base).git('clone', '--quiet', '--bare', folder, `${name}.git`);
  }
  const port = await freePort();
  const listening = ['--listen=127.0.0.1', `--port=${port}`, '--reuseaddr'];
  const daemon = spawn('git', ['daemon', ...listening, `--base-path=${base}`, '--export-all', base], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
    detached: true,
  });
  onTestFinished(() => void process.kill(-daemon.pid!, 'SIGKILL'));
  const address = `git://127.0.0.1:${port}/outer.git`;
  await vi.waitFor(() => author(base).git('ls-remote', address), { timeout: 10_000, interval: 50 });
  return address;
}

const textIn = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');
const ourFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('wrkbench-worktree-'));

describe('a worktree', () => {
  it('holds the commit as it is, and is gone when it is released', async () => {
    const own = newRepository();
    const sha = own.commit({ a: 'old', 'bench/wrkbench.yml': 'name: old', '.gitignore': 'ignored' });
    own.commit({ a: 'new' });
    own.write({ a: 'dirty', untracked: '', ignored: '' });
    own.git('add', 'a');
    const before = stateOf(own);
    const worktree = await worktreeOf(own, sha);
    expect(worktree.warnings).toEqual([]);
    expect(readdirSync(worktree.directory).sort()).toEqual(['.git', '.gitignore', 'a', 'bench']);
    expect(textIn(worktree.directory, 'a')).toBe('old');
    expect(author(worktree.directory).git('status', '--porcelain')).toBe('');
    await worktree.release();
    await worktree.release();
    expect(existsSync(dirname(worktree.directory))).toBe(false);
    expect(stateOf(own)).toMatchObject({ ...before, left: expect.any(String) });
  });

  it('may be had of what is checked out, and twice', async () => {
    const own = newRepository();
    const sha = own.commit({ a: '1' });
    const [one, other] = [await worktreeOf(own, sha), await worktreeOf(own, sha)];
    expect(one.directory).not.toBe(other.directory);
    await one.release();
    expect(textIn(other.directory, 'a')).toBe('1');
  });

  it('goes with what a build has left in it', async () => {
    const own = newRepository();
    const worktree = await worktreeOf(own, own.commit({ a: '1' }));
    writeFileSync(join(worktree.directory, 'a'), 'changed');
    mkdirSync(join(worktree.directory, 'node_modules/x'), { recursive: true });
    own.git('worktree', 'lock', worktree.directory);
    await worktree.release();
    expect(existsSync(dirname(worktree.directory))).toBe(false);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('is had from a shallow checkout, and from one that is detached', async () => {
    const upstream = newRepository();
    upstream.commit({ a: '1' });
    const sha = upstream.commit({ a: '2' });
    const shallow = cloneOf(upstream, '--depth=1');
    shallow.git('checkout', '--quiet', '--detach');
    expect(textIn((await worktreeOf(shallow, sha)).directory, 'a')).toBe('2');
  });

  it('runs no hook and no program that the repository names', async () => {
    const own = newRepository();
    const ran = join(own.folder, 'ran');
    const sha = own.commit({ a: '1' });
    for (const hook of ['post-checkout', 'post-merge', 'reference-transaction', 'post-index-change']) {
      const path = join(own.folder, '.husky', hook);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\necho ${hook} >> ${ran}\n`);
      chmodSync(path, 0o755);
    }
    own.git('config', 'core.hooksPath', '.husky');
    own.git('config', 'core.fsmonitor', `touch ${ran}; false`);
    await (await worktreeOf(own, sha)).release();
    expect(existsSync(ran)).toBe(false);
  });

  it('is told to be impossible in one sentence, and leaves nothing', async () => {
    const own = newRepository();
    own.commit();
    const before = ourFolders();
    await expect(worktreeOf(own, 'f'.repeat(40))).rejects.toThrow(
      new WorktreeFailure(`fffffff cannot be checked out: invalid reference: ${'f'.repeat(40)}.`),
    );
    expect(ourFolders()).toEqual(before);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('leaves nothing when the run is interrupted', async () => {
    const own = newRepository();
    const sha = own.commit({ a: '1' });
    const interruption = new AbortController();
    const before = ourFolders();
    const asked = worktreeOf(own, sha, interruption.signal);
    interruption.abort(new Error('stopped'));
    await expect(asked).rejects.toThrow('stopped');
    expect(ourFolders()).toEqual(before);
  });

  it('says which files are only pointers of Git LFS', async () => {
    const own = newRepository();
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`;
    const sha = own.commit({ 'data/.gitattributes': '*.bin filter=lfs -text\n', 'data/users.bin': pointer });
    expect((await worktreeOf(own, sha)).warnings).toEqual([
      {
        code: 'lfs-pointers',
        message:
          "data/users.bin is a pointer of Git LFS on the baseline's side, not the content. " +
          'Install git-lfs (git lfs install) and fetch it (git lfs fetch --all) before the run.',
      },
    ]);
  });
});

describe('a worktree without its link', () => {
  it('is no repository any more, with all its files, and goes like any other', async () => {
    const [library, own] = [newRepository(), newRepository()];
    library.commit({ text: 'library' });
    own.git('submodule', '--quiet', 'add', `file://${library.folder}`, 'lib');
    const sha = own.commit({ a: '1' });
    const worktree = await worktreeOf(own, sha);
    await worktree.withoutLink();
    expect(readdirSync(worktree.directory).sort()).toEqual(['.gitmodules', 'a', 'lib']);
    expect(readdirSync(join(worktree.directory, 'lib'))).toEqual(['text']);
    await worktree.release();
    expect(existsSync(dirname(worktree.directory))).toBe(false);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});

describe('a worktree with a repository of its own', () => {
  it('has its commit alone, nothing of the settings of the other, and goes like any other', async () => {
    const own = newRepository();
    own.commit({ a: '1' });
    const sha = own.commit({ a: '2', 'b/c': '3' });
    own.git('config', 'http.extraheader', 'AUTHORIZATION: basic c2VjcmV0');
    own.commit({ a: '4' });
    const worktree = await worktreeOf(own, sha);
    await worktree.withoutLink();
    await worktree.withRepository();
    const git = (...args: string[]) =>
      spawnSync('git', ['-C', worktree.directory, ...args], { encoding: 'utf8' }).stdout.trim();
    expect(git('rev-parse', 'HEAD')).toBe(sha);
    expect(git('log', '--format=%H')).toBe(sha);
    expect(git('status', '--porcelain')).toBe('');
    expect(textIn(worktree.directory, '.git/config')).not.toContain('AUTHORIZATION');
    expect(lstatSync(join(worktree.directory, '.git')).isDirectory()).toBe(true);
    await worktree.release();
    expect(existsSync(dirname(worktree.directory))).toBe(false);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});

describe('the worktree of a killed run', () => {
  it('goes with the next one, those of others stay', async () => {
    const own = newRepository();
    const sha = own.commit({ a: '1' });
    const killed = await worktreeOf(own, sha);
    const alive = await worktreeOf(own, sha);
    // A process that has ended: its number and start time fit nobody.
    const owner = textIn(dirname(alive.directory), 'owner').trim().split(':');
    const { pid } = spawnSync('true');
    writeFileSync(join(dirname(killed.directory), 'owner'), [owner[0], owner[1], pid, '1'].join(':'));
    const elsewhere = join(temporaryFolder(), 'mine');
    own.git('worktree', 'add', '--quiet', '--detach', elsewhere, sha);
    rmSync(elsewhere, { recursive: true });
    await (await worktreeOf(own, sha)).release();
    expect(existsSync(killed.directory)).toBe(false);
    expect(existsSync(alive.directory)).toBe(true);
    const listed = own.git('worktree', 'list', '--porcelain').match(/^worktree .*/gm)!;
    expect(new Set(listed.map((line) => basename(line)))).toEqual(
      new Set([basename(own.folder), 'wrkbench-baseline', 'mine']),
    );
    expect(listed).toHaveLength(3);
  });

  it('goes when the repository is swept, from any folder of it, and is told', async () => {
    const own = newRepository();
    const sha = own.commit({ 'bench/wrkbench.yml': '' });
    const killed = await worktreeOf(own, sha);
    const bench = join(own.folder, 'bench');
    expect(await sweepWorktrees(bench)).toEqual([]);
    rmSync(dirname(killed.directory), { recursive: true });
    expect(await sweepWorktrees(bench)).toEqual([
      `Removed the worktree ${killed.directory}, left behind by a run that has ended.`,
    ]);
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(await sweepWorktrees(temporaryFolder())).toEqual([]);
  });

  it('goes where only the repository remembers it', async () => {
    const own = newRepository();
    const sha = own.commit({ a: '1' });
    const killed = await worktreeOf(own, sha);
    rmSync(dirname(killed.directory), { recursive: true });
    await (await worktreeOf(own, sha)).release();
    expect(own.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});

describe('submodules', () => {
  /** `outer` holds `library` in lib/a b, which holds `inner` in deep. */
  function nested(): { outer: Author; library: Author; inner: Author; sha: string } {
    const [inner, library, outer] = [newRepository(), newRepository(), newRepository()];
    inner.commit({ text: 'inner 1' });
    library.git('submodule', '--quiet', 'add', `file://${inner.folder}`, 'deep');
    library.commit({ text: 'library 1' });
    outer.git('submodule', '--quiet', 'add', '--name', 'the library', `file://${library.folder}`, 'lib/a b');
    outer.git('submodule', '--quiet', 'update', '--init', '--recursive');
    const sha = outer.commit({ text: 'outer 1' });
    library.commit({ text: 'library 2' });
    author(join(outer.folder, 'lib/a b')).git('pull', '--quiet', 'origin', 'main');
    outer.commit({ text: 'outer 2' });
    return { outer, library, inner, sha };
  }

  it('stand at the commits of that time, without asking anybody for them', async () => {
    const { outer, library, inner, sha } = nested();
    for (const { folder } of [library, inner]) rmSync(folder, { recursive: true });
    const before = stateOf(outer);
    const { directory, release } = await worktreeOf(outer, sha);
    expect(textIn(directory, 'text')).toBe('outer 1');
    expect(textIn(directory, 'lib/a b/text')).toBe('library 1');
    expect(textIn(directory, 'lib/a b/deep/text')).toBe('inner 1');
    expect(author(directory).git('status', '--porcelain')).toBe('');
    expect(author(join(directory, 'lib/a b')).git('config', 'remote.origin.url')).toBe(`file://${library.folder}`);
    await release();
    expect(existsSync(directory)).toBe(false);
    expect(stateOf(outer)).toEqual({ ...before, left: expect.any(String) });
  });

  it('are fetched from where their addresses lead, where the checkout has none of them', async () => {
    const [inner, library, outer] = [newRepository(), newRepository(), newRepository()];
    inner.commit({ text: 'inner 1' });
    const add = (own: Author, { folder }: Author, path: string, url: string) => {
      own.git('submodule', '--quiet', 'add', `file://${folder}`, path);
      own.write({ '.gitmodules': `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n` });
      return own.commit({ text: path });
    };
    add(library, inner, 'deep', './../inner.git');
    const sha = add(outer, library, 'lib', '../library.git');
    const own = cloneOf(outer);
    own.git('remote', 'set-url', 'origin', await served({ inner, library, outer }));
    const before = stateOf(own);
    const { directory, release } = await worktreeOf(own, sha);
    expect(textIn(directory, 'lib/deep/text')).toBe('inner 1');
    await release();
    expect(stateOf(own)).toEqual({ ...before, left: expect.any(String) });
  });

  it('that cannot be had are told, with what to do', async () => {
    const { outer, library, sha } = nested();
    const own = cloneOf(outer);
    const before = stateOf(own);
    rmSync(library.folder, { recursive: true });
    const failure = await worktreeOf(own, sha).catch((error) => error);
    expect(failure).toBeInstanceOf(WorktreeFailure);
    expect(failure.message).toMatch(/^Submodule lib\/a b \([0-9a-f]{7}\) cannot be checked out: /);
    expect(failure.message).toMatch(/ git submodule update --init --recursive$/);
    expect(stateOf(own)).toEqual({ ...before, left: expect.any(String) });
  });

  it('whose folder belongs to another user are read as well', async () => {
    const { outer, sha } = nested();
    if (process.getuid?.() !== 0) return;
    spawnSync('chown', ['-R', '65534:65534', outer.folder]);
    const { directory } = await worktreeOf(outer, sha);
    expect(textIn(directory, 'lib/a b/deep/text')).toBe('inner 1');
  });
});
