// needs: git, root
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changedInPullRequest } from '../../../src/adapters/git/changed-files.ts';
import { git } from '../../../src/adapters/git/git.ts';
import { gitRepositories } from '../../../src/adapters/git/repository.ts';
import { previousTag } from '../../../src/adapters/git/tags.ts';
import { readSource } from '../../../src/adapters/machine/source.ts';
import type { Repository, Worktree } from '../../../src/app/ports/repositories.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { type Author, author, never, newRepository } from './given.ts';

const SOMEBODY = '65534:65534';

/** A program that says that it ran, whoever started it, and gives on what it is given. */
function trap(): { program: string; ran(): string } {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const [program, log] = [join(folder, 'trap'), join(folder, 'ran')];
  writeFileSync(program, `#!/bin/sh\necho "$*" >> ${log}\necho changed; cat\n`);
  chmodSync(program, 0o755);
  return { program, ran: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') };
}

/** Every setting of a repository by which git would start it. */
function settingsOf(program: string): [key: string, value: string][] {
  return [
    ['filter.evil.smudge', `${program} smudge`],
    ['filter.evil.clean', `${program} clean`],
    ['filter.evil.required', 'true'],
    ['filter.a=b c.smudge', `${program} smudge-odd-name`],
    ['filter.long.process', `${program} process`],
    ['filter.long.required', 'true'],
    ['filter.lfs.smudge', `${program} lfs`],
    ['filter.lfs.clean', `${program} lfs`],
    ['filter.lfs.required', 'true'],
    ['core.fsmonitor', `${program} fsmonitor`],
    ['core.sshCommand', `${program} ssh`],
    ['core.gitProxy', `${program} proxy`],
    ['core.askPass', `${program} askpass`],
    ['core.alternateRefsCommand', `${program} alternates`],
    ['core.pager', `${program} pager`],
    ['credential.helper', program],
    ['credential.https://example.com.helper', program],
    ['diff.external', `${program} diff`],
    ['diff.evil.textconv', `${program} textconv`],
    ['diff.evil.command', `${program} diff-command`],
    ['protocol.ext.allow', 'always'],
    ['remote.origin.uploadpack', `${program} upload-pack`],
  ];
}

const ATTRIBUTES =
  '*.evil filter=evil diff=evil\n*.long filter=long\n*.bin filter=lfs -text\nodd filter="a=b\n*.plain diff=evil\n';
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12\n`;
const FILES = {
  'a.evil': 'one\n',
  'b.long': 'two\n',
  'c.bin': POINTER,
  'd.plain': 'four\n',
  '.gitattributes': ATTRIBUTES,
};

/** A repository whose files belong to somebody else, with a change in each of them, and its first commit. */
function foreign(program: string, before: (own: Author, sha: string) => void = () => {}): { own: Author; sha: string } {
  const own = newRepository();
  const sha = own.commit(FILES);
  own.commit({ 'a.evil': 'one, later\n', 'd.plain': 'four, later\n' });
  for (const [key, value] of settingsOf(program)) own.git('config', key, value);
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'fsmonitor-watchman']) {
    spawnSync('cp', [program, join(own.folder, '.git/hooks', hook)]);
  }
  own.write({ 'a.evil': 'one, here\n', 'b.long': 'two, here\n', 'd.plain': 'four, here\n', 'new.evil': 'new\n' });
  before(own, sha);
  givenAway(own.folder);
  return { own, sha };
}

function givenAway(folder: string): void {
  expect(spawnSync('chown', ['-R', SOMEBODY, folder]).status).toBe(0);
}

async function opened(folder: string): Promise<Repository> {
  const repository = await gitRepositories().at(folder);
  if ('code' in repository) throw new Error(repository.message);
  return repository;
}

async function worktreeOf(repository: Repository, sha: string): Promise<Worktree> {
  const worktree = await repository.worktree(sha, never());
  onTestFinished(() => worktree.release());
  return worktree;
}

describe('a repository of another user', () => {
  it('is refused by git itself, and runs its filter where git is told to trust it', () => {
    const { program, ran } = trap();
    const { own } = foreign(program);
    const status = (...trusted: string[]) =>
      spawnSync('git', [...trusted, '-C', own.folder, 'status', '--porcelain'], { encoding: 'utf8' });
    expect(status().stderr).toContain('detected dubious ownership');
    expect(ran()).toBe('');
    status('-c', 'safe.directory=*');
    expect(ran()).not.toBe('');
  });

  it('is read, and none of the programs that it names is started', async () => {
    const { program, ran } = trap();
    const { own, sha } = foreign(program);
    const repository = await opened(own.folder);
    const facts = await repository.facts('main', []);
    expect(facts).toMatchObject({ branch: 'main', changes: { tracked: 3, untracked: 1 } });
    expect(await repository.textAt(sha, 'a.evil')).toBe('one');
    expect(await repository.fingerprint([])).toMatch(/^[0-9a-f]{64}$/);
    expect(await repository.ignored(5, [])).toEqual([]);
    const line = await repository.firstParents(facts.head!, 5);
    expect(line).toHaveLength(2);
    const pullRequest = { headSha: line[0]!, baseSha: line[1]! };
    expect(await changedInPullRequest(own.folder, pullRequest)).toEqual(['a.evil', 'd.plain']);
    expect(await previousTag(own.folder, 'HEAD')).toBeNull();
    expect(await readSource(own.folder, {})).toMatchObject({ sha: facts.head, ref: 'refs/heads/main' });
    expect(ran()).toBe('');
  });

  it('is checked out as it was committed, and what its filters would have made of it is told', async () => {
    const { program, ran } = trap();
    const { own, sha } = foreign(program);
    const { directory, warnings } = await worktreeOf(await opened(own.folder), sha);
    for (const [name, content] of Object.entries(FILES)) {
      expect(readFileSync(join(directory, name), 'utf8'), name).toBe(content);
    }
    expect(warnings.map(({ code }) => code)).toEqual(['filters-off', 'lfs-pointers']);
    expect(warnings[0]!.message).toBe(
      `The repository ${own.folder} belongs to another user, so that no program of its configuration is started: what the ` +
        "filters evil, long, lfs would make of files is missing on the baseline's side, where they are as they were " +
        `committed. Run as its owner, or make it yours: sudo chown -R "$USER" ${own.folder}`,
    );
    expect(ran()).toBe('');
  });

  it('fetches nothing that it lacks from where its configuration leads', async () => {
    const { program, ran } = trap();
    const { own, sha } = foreign(program, ({ git: run, folder }, commit) => {
      const blob = run('rev-parse', `${commit}:d.plain`);
      run('config', 'core.repositoryFormatVersion', '1');
      run('config', 'extensions.partialClone', 'origin');
      run('config', 'remote.origin.promisor', 'true');
      run('config', 'remote.origin.url', `ext::${program} remote`);
      rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    });
    const repository = await opened(own.folder);
    expect(await repository.textAt(sha, 'd.plain')).toBeNull();
    await expect(repository.worktree(sha, never())).rejects.toThrow(/^[0-9a-f]{7} cannot be checked out: /);
    expect(ran()).toBe('');
  });

  it('has submodules whose programs are not started either', async () => {
    const { program, ran } = trap();
    const [library, own] = [newRepository(), newRepository()];
    library.commit(FILES);
    own.git('submodule', '--quiet', 'add', `file://${library.folder}`, 'lib');
    const sha = own.commit({ a: '1' });
    const inner = author(join(own.folder, 'lib'));
    for (const [key, value] of settingsOf(program)) inner.git('config', key, value);
    inner.write({ 'a.evil': 'one, here\n', 'b.long': 'two, here\n' });
    givenAway(own.folder);
    const repository = await opened(own.folder);
    expect(await repository.facts('main', [])).toMatchObject({ changes: { tracked: 1, untracked: 0 } });
    expect(await repository.fingerprint([])).toMatch(/^[0-9a-f]{64}$/);
    const { directory } = await worktreeOf(repository, sha);
    expect(readFileSync(join(directory, 'lib/a.evil'), 'utf8')).toBe('one\n');
    expect(ran()).toBe('');
  });

  it('whose settings cannot be listed is not read at all, and the reason is told', async () => {
    const own = newRepository();
    own.commit({ a: '1' });
    appendFileSync(join(own.folder, '.git/config'), '[broken\n');
    givenAway(own.folder);
    expect(await gitRepositories().at(own.folder)).toEqual({
      code: 'no-repository',
      message: expect.stringMatching(/^git cannot read the repository of .+ \(.+\)\.$/),
    });
  });
});

describe('trust', () => {
  it('ends at the checkout: another repository of that user is refused by the same call', async () => {
    const [own, other] = [newRepository(), newRepository()];
    own.commit({ a: '1' });
    other.commit({ a: '1' });
    for (const { folder } of [own, other]) givenAway(folder);
    const inside = await git(own.folder, ['-C', other.folder, 'rev-parse', 'HEAD']);
    expect(inside.said).toContain('detected dubious ownership');
    expect((await git(own.folder, ['rev-parse', 'HEAD'])).failure).toBeNull();
  });

  it('is written for no folder in the settings of a worktree that has no submodule', async () => {
    const own = newRepository();
    const { directory } = await worktreeOf(await opened(own.folder), own.commit({ a: '1' }));
    expect(readFileSync(join(dirname(directory), 'gitconfig'), 'utf8')).not.toContain('safe');
  });

  it('leaves the filters of a repository of our own as they are, also in a folder of another user', async () => {
    const own = newRepository();
    own.git('config', 'filter.shout.smudge', 'tr a-z A-Z');
    own.git('config', 'filter.shout.clean', 'tr A-Z a-z');
    const sha = own.commit({ 'a.loud': 'one', '.gitattributes': '*.loud filter=shout\n' });
    mkdirSync(join(own.folder, 'bench'));
    expect(spawnSync('chown', [SOMEBODY, own.folder, join(own.folder, 'bench')]).status).toBe(0);
    const { directory, warnings } = await worktreeOf(await opened(join(own.folder, 'bench')), sha);
    expect(readFileSync(join(directory, 'a.loud'), 'utf8')).toBe('ONE');
    expect(warnings).toEqual([]);
  });
});
