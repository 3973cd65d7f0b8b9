import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSource, repositoryUrl } from '../../../src/adapters/machine/source.ts';
import { runCommand } from '../../../src/adapters/process/command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wrkbench-source-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function git(...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=main'];
  const { stdout, failure } = await runCommand('git', [...who, '-C', folder, ...args]);
  if (failure !== null) throw new Error(failure);
  return stdout;
}

async function commit(): Promise<string> {
  await git('commit', '--allow-empty', '-q', '-m', 'x');
  return git('rev-parse', 'HEAD');
}

const NOTHING = { repository: null, sha: null, ref: null, pullRequest: null };

describe('the source of a folder', () => {
  it('is nothing where there is no git and no workflow', async () => {
    expect(await readSource(folder, {})).toEqual(NOTHING);
    expect(await readSource(join(folder, 'missing'), {})).toEqual(NOTHING);
  });

  it('is a branch without a commit before the first one', async () => {
    await git('init', '-q');
    expect(await readSource(folder, {})).toEqual({ ...NOTHING, ref: 'refs/heads/main' });
  });

  it('is the commit, the branch and the repository without a token', async () => {
    await git('init', '-q');
    await git('remote', 'add', 'origin', 'https://x-access-token:ghs_secret@github.com/acme/api.git');
    const sha = await commit();
    await mkdir(join(folder, 'bench'));
    expect(await readSource(join(folder, 'bench'), {})).toEqual({
      repository: 'https://github.com/acme/api',
      sha,
      ref: 'refs/heads/main',
      pullRequest: null,
    });
    await git('checkout', '-q', '--detach');
    expect(await readSource(folder, {})).toMatchObject({ sha, ref: null });
  });

  it('is read from a folder of another user, and from no other repository that git was told of', async () => {
    await git('init', '-q');
    const sha = await commit();
    if (process.getuid?.() === 0) await chown(folder, 65_534, 65_534);
    const before = process.env.GIT_DIR;
    process.env.GIT_DIR = '/nonexistent';
    try {
      expect(await readSource(folder, {})).toMatchObject({ sha });
    } finally {
      if (before === undefined) delete process.env.GIT_DIR;
      else process.env.GIT_DIR = before;
    }
  });
});

describe('the source in a workflow', () => {
  const workflow = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'acme/api',
    GITHUB_SHA: 'a'.repeat(40),
    GITHUB_REF: 'refs/pull/12/merge',
  };

  it('is what the workflow says where there is no git', async () => {
    expect(await readSource(folder, workflow)).toEqual({
      repository: 'https://github.example/acme/api',
      sha: 'a'.repeat(40),
      ref: 'refs/pull/12/merge',
      pullRequest: 12,
    });
    expect(await readSource(folder, { ...workflow, GITHUB_ACTIONS: undefined })).toEqual(NOTHING);
  });

  it("is the event's own where its commit is checked out, detached as it is there", async () => {
    await git('init', '-q');
    const sha = await commit();
    await git('checkout', '-q', '--detach');
    const own = { ...workflow, GITHUB_SHA: sha };
    expect(await readSource(folder, own)).toMatchObject({ sha, ref: 'refs/pull/12/merge', pullRequest: 12 });
  });

  it("is not the event's where another commit is checked out", async () => {
    await git('init', '-q');
    const sha = await commit();
    expect(await readSource(folder, workflow)).toMatchObject({ sha, ref: 'refs/heads/main', pullRequest: null });
  });

  it('has the pull request of its event, where the event is readable', async () => {
    const path = join(folder, 'event.json');
    const event = { ...workflow, GITHUB_REF: 'refs/heads/main', GITHUB_EVENT_PATH: path };
    await writeFile(path, JSON.stringify({ pull_request: { number: 34 } }));
    expect((await readSource(folder, event)).pullRequest).toBe(34);
    await writeFile(path, JSON.stringify({ pull_request: { number: '34; rm -rf' } }));
    expect((await readSource(folder, event)).pullRequest).toBeNull();
    await writeFile(path, '{');
    expect((await readSource(folder, event)).pullRequest).toBeNull();
    expect((await readSource(folder, { ...event, GITHUB_EVENT_PATH: undefined })).pullRequest).toBeNull();
  });
});

describe('a remote as a web address', () => {
  it.each([
    ['https://github.com/acme/api.git', 'https://github.com/acme/api'],
    ['https://user:token@github.com/acme/api', 'https://github.com/acme/api'],
    ['https://ghp_token@github.com/acme/api.git/', 'https://github.com/acme/api'],
    ['https://git.example:8443/acme/api.git?private_token=x#y', 'https://git.example:8443/acme/api'],
    ['http://git.example/acme/api.git', 'http://git.example/acme/api'],
    ['git@github.com:acme/api.git', 'https://github.com/acme/api'],
    ['github.com:acme/api.git', 'https://github.com/acme/api'],
    ['ssh://git@github.com:22/acme/api.git', 'https://github.com/acme/api'],
    ['git://github.com/acme/api', 'https://github.com/acme/api'],
    ['/srv/git/api.git', null],
    ['file:///srv/git/api.git', null],
    ['../api.git', null],
    ['', null],
  ])('%s', (remote, url) => {
    expect(repositoryUrl(remote)).toBe(url);
  });
});
