import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitRepositories } from '../../../src/adapters/git/repository.ts';
import type { Repository } from '../../../src/app/ports/repositories.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { type Author, author, cloneOf, newRepository, stateOf } from './given.ts';

async function opened({ folder }: Author): Promise<Repository> {
  const found = await gitRepositories().at(folder);
  if ('code' in found) throw new Error(found.message);
  return found;
}

const CLEAN = { tracked: 0, untracked: 0 };

describe('the repository of a folder', () => {
  it('is found from a folder inside of it, and told where there is none', async () => {
    const own = newRepository();
    own.commit({ 'bench/wrkbench.yml': '' });
    const found = await gitRepositories().at(join(own.folder, 'bench'));
    expect(found).toMatchObject({ root: own.folder });
    const outside = temporaryFolder();
    expect(await gitRepositories().at(outside)).toEqual({
      code: 'no-repository',
      message: `${outside} is not in a git repository.`,
    });
  });

  it('is read where it belongs to another user', async () => {
    const own = newRepository();
    const sha = own.commit();
    if (process.getuid?.() === 0) chownSync(own.folder, 65_534, 65_534);
    expect(await (await opened(own)).commitOf('HEAD')).toBe(sha);
  });

  it('knows the paths of its files, through links too', async () => {
    const own = newRepository();
    own.commit({ 'bench/wrkbench.yml': '' });
    const link = join(temporaryFolder(), 'link');
    symlinkSync(join(own.folder, 'bench'), link);
    const repository = await opened(own);
    expect(await repository.pathOf(join(link, 'wrkbench.yml'))).toBe('bench/wrkbench.yml');
    expect(await repository.pathOf('/etc/passwd')).toBeNull();
  });
});

describe('the facts of a checkout', () => {
  it('are empty before the first commit', async () => {
    const own = newRepository();
    own.write({ a: '' });
    expect(await (await opened(own)).facts(null, [])).toEqual({
      head: null,
      branch: 'main',
      parents: [],
      shallow: false,
      changes: { tracked: 0, untracked: 1 },
      base: null,
    });
  });

  it('name the merge-base of a branch with that of the remote', async () => {
    const upstream = newRepository();
    const base = upstream.commit();
    const own = cloneOf(upstream);
    upstream.commit();
    own.git('fetch', '--quiet');
    own.git('checkout', '--quiet', '-b', 'feature/x');
    const head = own.commit({ a: '1' });
    expect(await (await opened(own)).facts(null, [])).toEqual({
      head,
      branch: 'feature/x',
      parents: [{ sha: base, here: true }],
      shallow: false,
      changes: CLEAN,
      base: { name: 'origin/main', mergeBase: base },
    });
  });

  it('take the branch that they are asked for, else main or master of this repository', async () => {
    const own = newRepository();
    own.commit();
    own.git('branch', 'release');
    const onMain = own.commit();
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit();
    const repository = await opened(own);
    expect((await repository.facts(null, [])).base).toEqual({ name: 'main', mergeBase: onMain });
    expect((await repository.facts('release', [])).base).toMatchObject({ name: 'release' });
    expect((await repository.facts('no-such-branch', [])).base).toEqual({ name: 'main', mergeBase: onMain });
    own.git('branch', '--move', 'main', 'trunk');
    expect((await repository.facts(null, [])).base).toBeNull();
  });

  it('take the default branch of any name, as the remote says where the checkout does not know it', async () => {
    const upstream = newRepository();
    upstream.git('branch', '--move', 'main', 'trunk');
    const base = upstream.commit();
    upstream.git('branch', 'release');
    const own = cloneOf(upstream);
    own.git('remote', 'set-head', 'origin', '--delete');
    own.git('checkout', '--quiet', '-b', 'feature', 'origin/trunk');
    own.commit({ a: '1' });
    const repository = await opened(own);
    expect((await repository.facts(null, [])).base).toEqual({ name: 'origin/trunk', mergeBase: base });
    own.git('remote', 'set-url', 'origin', '/nowhere');
    expect((await repository.facts(null, [])).base).toBeNull();
  });

  it('take the default branch of any name, as the configuration says, or as the only one that there is', async () => {
    const own = newRepository();
    own.git('branch', '--move', 'main', 'trunk');
    const base = own.commit();
    const repository = await opened(own);
    expect((await repository.facts(null, [])).base).toEqual({ name: 'trunk', mergeBase: base });
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit({ a: '1' });
    expect((await repository.facts(null, [])).base).toBeNull();
    own.git('config', 'init.defaultBranch', 'trunk');
    expect((await repository.facts(null, [])).base).toEqual({ name: 'trunk', mergeBase: base });
  });

  it('name the parents of a merge, of which a shallow checkout has none', async () => {
    const upstream = newRepository();
    upstream.commit();
    upstream.git('checkout', '--quiet', '-b', 'feature');
    const feature = upstream.commit({ a: '1' });
    upstream.git('checkout', '--quiet', 'main');
    const main = upstream.commit({ b: '1' });
    upstream.git('merge', '--quiet', '--no-ff', 'feature');
    const parents = async (own: Author) => (await (await opened(own)).facts(null, [])).parents;
    expect(await parents(upstream)).toEqual([
      { sha: main, here: true },
      { sha: feature, here: true },
    ]);
    const shallow = cloneOf(upstream, '--depth=1');
    expect(await parents(shallow)).toEqual([
      { sha: main, here: false },
      { sha: feature, here: false },
    ]);
    expect(await (await opened(shallow)).facts(null, [])).toMatchObject({ shallow: true });
  });

  it('have no merge-base where a shallow checkout does not reach it', async () => {
    const upstream = newRepository();
    upstream.commit();
    upstream.git('checkout', '--quiet', '-b', 'feature');
    upstream.commit();
    upstream.git('checkout', '--quiet', 'main');
    upstream.commit();
    const own = cloneOf(upstream, '--depth=1', '--no-single-branch', '--branch=feature');
    expect((await (await opened(own)).facts(null, [])).base).toEqual({ name: 'origin/main', mergeBase: null });
  });

  it('have no branch where HEAD is detached', async () => {
    const own = newRepository();
    const head = own.commit();
    own.git('checkout', '--quiet', '--detach');
    expect(await (await opened(own)).facts(null, [])).toMatchObject({
      head,
      branch: null,
      base: { name: 'main', mergeBase: head },
    });
  });

  it('count a submodule that stands elsewhere, whatever .gitmodules says', async () => {
    const [library, own] = [newRepository(), newRepository()];
    library.commit({ a: '1' });
    own.git('submodule', '--quiet', 'add', `file://${library.folder}`, 'lib');
    own.git('config', '--file', '.gitmodules', 'submodule.lib.ignore', 'all');
    own.commit();
    const repository = await opened(own);
    expect((await repository.facts(null, [])).changes).toEqual(CLEAN);
    author(join(own.folder, 'lib')).commit({ a: '2' });
    expect((await repository.facts(null, [])).changes).toEqual({ tracked: 1, untracked: 0 });
  });

  it('are no clean ones where git cannot tell', async () => {
    const own = newRepository();
    own.commit({ a: '1' });
    const repository = await opened(own);
    writeFileSync(join(own.folder, '.git/index'), 'no index');
    expect((await repository.facts(null, [])).changes).toEqual({ tracked: 0, untracked: 0, unknown: true });
  });

  it('count changes, without what git ignores and what runs leave', async () => {
    const own = newRepository();
    own.commit({ '.gitignore': 'node_modules\n', a: '1', 'b c': '1', gone: '1' });
    own.write({
      a: '2',
      'b c': '2',
      new: '',
      'node_modules/x': '',
      'bench/wrkbench-results/1/run.json': '',
      'out/run.json': '',
    });
    own.git('add', 'a');
    own.git('rm', '--quiet', 'gone');
    const before = stateOf(own);
    expect((await (await opened(own)).facts(null, [join(own.folder, 'out')])).changes).toEqual({
      tracked: 3,
      untracked: 1,
    });
    expect(stateOf(own)).toEqual(before);
  });
});

describe('the name of a commit', () => {
  it('is a branch, a tag, an id, or what leads to one', async () => {
    const own = newRepository();
    const first = own.commit({ 'v1.0': 'a file' });
    own.git('tag', '--annotate', '--message=x', 'v1.0');
    const second = own.commit();
    const { commitOf } = await opened(own);
    const names = ['main', 'v1.0', first.slice(0, 8), 'HEAD~1', 'HEAD^', 'v1.0^{commit}', '@'];
    expect(await Promise.all(names.map(commitOf))).toEqual([second, first, first, first, first, first, second]);
  });

  it('is a branch where a file is called like it', async () => {
    const own = newRepository();
    const sha = own.commit({ topic: '', '--all': '' });
    own.git('branch', 'topic');
    expect(await (await opened(own)).commitOf('topic')).toBe(sha);
  });

  it('is a branch of the remote where there is none here', async () => {
    const upstream = newRepository();
    upstream.commit();
    upstream.git('checkout', '--quiet', '-b', 'release/1');
    const sha = upstream.commit();
    upstream.git('checkout', '--quiet', 'main');
    expect(await (await opened(cloneOf(upstream))).commitOf('release/1')).toBe(sha);
  });

  it.each([
    '--upload-pack=touch pwned',
    '--all',
    '-n1',
    '--exec=touch pwned',
    '^main',
    'main..main',
    'main:a',
    ':a',
    'my branch',
    'main main',
    '$(touch pwned)',
    'a\nb',
    '',
    'no-such',
  ])('is never an option, a range or a file: %j', async (name) => {
    const own = newRepository();
    own.commit({ a: '1' });
    const before = stateOf(own);
    expect(await (await opened(own)).commitOf(name)).toBeNull();
    expect(stateOf(own)).toEqual(before);
  });
});

describe('the history', () => {
  it('goes back along first parents', async () => {
    const own = newRepository();
    const first = own.commit();
    own.git('checkout', '--quiet', '-b', 'feature');
    own.commit();
    own.git('checkout', '--quiet', 'main');
    const second = own.commit();
    own.git('merge', '--quiet', '--no-ff', 'feature');
    const merge = own.git('rev-parse', 'HEAD');
    const repository = await opened(own);
    expect(await repository.firstParents(merge, 10)).toEqual([merge, second, first]);
    expect(await repository.firstParents(merge, 2)).toEqual([merge, second]);
    expect(await repository.firstParents('0'.repeat(40), 2)).toEqual([]);
    expect(await repository.firstParents('--all', 2)).toEqual([]);
  });

  it('has the text of a file at a commit, and the tree', async () => {
    const own = newRepository();
    const first = own.commit({ 'a b/wrkbench.yml': 'name: one' });
    const second = own.commit({ 'a b/wrkbench.yml': 'name: two' });
    const repository = await opened(own);
    expect(await repository.textAt(first, 'a b/wrkbench.yml')).toBe('name: one');
    expect(await repository.textAt(first, 'a b')).toBeNull();
    expect(await repository.textAt(first, 'none')).toBeNull();
    expect(await repository.treeOf(first)).toMatch(/^[0-9a-f]{40}$/);
    expect(await repository.treeOf(first)).not.toBe(await repository.treeOf(second));
    expect(await repository.treeOf('HEAD')).toBeNull();
  });

  it('follows links inside of the commit to a file', async () => {
    const own = newRepository();
    own.write({ 'specs/http.yml': 'name: http' });
    symlinkSync('specs/http.yml', join(own.folder, 'wrkbench.yml'));
    symlinkSync('/etc/hostname', join(own.folder, 'elsewhere.yml'));
    symlinkSync('circle.yml', join(own.folder, 'circle.yml'));
    const sha = own.commit();
    const repository = await opened(own);
    expect(await repository.textAt(sha, 'wrkbench.yml')).toBe('name: http');
    expect(await repository.textAt(sha, 'elsewhere.yml')).toBeNull();
    expect(await repository.textAt(sha, 'circle.yml')).toBeNull();
  });

  it('leaves out what is ignored, and says what that is', async () => {
    const own = newRepository();
    own.commit({ '.gitignore': 'node_modules/\n*.log\n', 'node_modules/a/b': '', 'x.log': '' });
    mkdirSync(join(own.folder, 'empty'));
    expect(await (await opened(own)).ignored(10, [])).toEqual(['node_modules/', 'x.log']);
    expect(await (await opened(own)).ignored(1, [])).toEqual(['node_modules/']);
  });

  it('counts nothing that runs leave among what is ignored', async () => {
    const own = newRepository();
    own.commit({
      '.gitignore': 'wrkbench-results/\nout*\n',
      'bench/a': '',
      'bench/wrkbench-results/one/run.json': '',
      'out/run.json': '',
    });
    own.write({ output: '' });
    expect(await (await opened(own)).ignored(10, [join(own.folder, 'out')])).toEqual(['output']);
  });
});

describe('the fingerprint of a checkout', () => {
  const fingerprintOf = async (own: Author) => (await opened(own)).fingerprint([join(own.folder, 'out')]);

  it('is another one with each change, and the same again without it', async () => {
    const own = newRepository();
    own.commit({ a: '1', '.gitignore': 'ignored\n' });
    const before = await fingerprintOf(own);
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    own.write({ ignored: '', 'out/run.json': '', 'wrkbench-results/x/run.json': '' });
    expect(await fingerprintOf(own)).toBe(before);
    own.write({ a: '2' });
    const changed = await fingerprintOf(own);
    own.write({ a: '3' });
    const changedAgain = await fingerprintOf(own);
    own.write({ a: '1', b: '1' });
    const added = await fingerprintOf(own);
    own.write({ b: '2' });
    const all = [before, changed, changedAgain, added, await fingerprintOf(own)];
    expect(new Set(all).size).toBe(all.length);
    own.git('clean', '--quiet', '--force', 'b');
    expect(await fingerprintOf(own)).toBe(before);
  });

  it('is none before the first commit', async () => {
    expect(await fingerprintOf(newRepository())).toBeNull();
  });
});

describe('without git', () => {
  it('there is no repository, and the reason is told', async () => {
    const own = author(temporaryFolder());
    const before = process.env.PATH;
    process.env.PATH = temporaryFolder();
    try {
      expect(await gitRepositories().at(own.folder)).toEqual({
        code: 'no-git',
        message: 'git was not found on the PATH, so no commit is available.',
      });
    } finally {
      process.env.PATH = before;
    }
  });
});
