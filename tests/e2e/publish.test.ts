// needs: git
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { specFolder } from '../support/spec-folder.ts';
import { recordOf } from '../unit/posting/made-up.ts';
import { wrkbench } from './support/command.ts';

const record = recordOf();
const sha = record.source.sha!;
const place = `wrkbench/rest-api/runs/2026-11/${record.id}.${sha}.json`;

/** A folder with the run `out`, and beside it the empty repository `remote.git`. */
function folderWith(run: RunRecord = record) {
  const cwd = specFolder({ 'out/run.json': JSON.stringify(run) });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path.join(cwd, 'remote.git'), ...args], { encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '--quiet', '--bare', path.join(cwd, 'remote.git')]);
  const publish = (...args: string[]) => wrkbench(['publish', ...args], { cwd });
  return { cwd, git, publish };
}

describe('publish', () => {
  it('adds a run to a branch that is made for it, once', async () => {
    const { git, publish, cwd } = folderWith();
    const remote = path.join(cwd, 'remote.git');
    const first = await publish('out', '--remote', 'remote.git');
    expect(first).toEqual({
      status: 0,
      stdout: `${place} is on gh-pages of ${remote}: ${git('rev-parse', 'gh-pages')}.\n`,
      stderr: '',
    });
    const second = await publish('out/run.json', '--remote', 'remote.git');
    expect(second).toEqual({ status: 0, stdout: `${place} is on gh-pages of ${remote} already.\n`, stderr: '' });
    const paths = git('ls-tree', '-r', '--name-only', 'gh-pages').split('\n');
    expect(paths).toEqual(
      expect.arrayContaining([
        place,
        'wrkbench/index.html',
        'wrkbench/assets/app.js',
        'wrkbench/rest-api/index.html',
        'wrkbench/rest-api/manifest.json',
        'wrkbench/rest-api/badges/verdict.svg',
        'wrkbench/rest-api/badges/verdict.json',
      ]),
    );
    expect(paths.filter((path) => !path.startsWith('wrkbench/') || /(?:^|\/)_/.test(path))).toEqual([]);
    expect(git('rev-list', '--count', 'gh-pages')).toBe('1');
  });

  it('leaves what others keep there, and the checkout that it is called in', async () => {
    const { git, publish, cwd } = folderWith();
    const own = (...args: string[]) =>
      execFileSync('git', ['-C', cwd, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        encoding: 'utf8',
      });
    own('init', '--quiet', '--initial-branch', 'main');
    own('add', 'out');
    own('commit', '--quiet', '--message', 'The site');
    own('remote', 'add', 'origin', 'remote.git');
    own('push', '--quiet', 'origin', 'main:gh-pages');
    // Changed and not staged, staged, and known to nobody.
    appendFileSync(path.join(cwd, 'out/run.json'), '\n');
    writeFileSync(path.join(cwd, 'staged'), 'x');
    own('add', 'staged');
    writeFileSync(path.join(cwd, 'unknown'), 'x');
    const state = () => [own('status', '--porcelain', '--branch'), readFileSync(path.join(cwd, '.git/index'), 'hex')];
    const before = state();
    expect((await publish('out')).status).toBe(0);
    const paths = git('ls-tree', '-r', '--name-only', 'gh-pages').split('\n');
    expect(paths.filter((path) => !path.startsWith('wrkbench/'))).toEqual(['out/run.json']);
    expect(paths).toContain(place);
    expect(state()).toEqual(before);
  });

  it('hides a run that is there, as JSON where that is asked for', async () => {
    const { git, publish } = folderWith();
    await publish('out', '--remote', 'remote.git');
    const hidden = await publish(
      'rest-api',
      '--hide',
      `${record.id}=the runner was updated`,
      '--remote',
      'remote.git',
      '--json',
    );
    expect(JSON.parse(hidden.stdout)).toEqual({ id: record.id, commit: git('rev-parse', 'gh-pages') });
    expect(git('show', `gh-pages:wrkbench/rest-api/hidden/${record.id}`)).toContain('the runner was updated');
    const unknown = await publish('rest-api', '--hide', '20260101-000000-000000=x', '--remote', 'remote.git');
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('20260101-000000-000000') });
  });

  it('makes the series anew from the runs', async () => {
    const { git, publish, cwd } = folderWith();
    await publish('out', '--remote', 'remote.git');
    const before = git('rev-parse', 'gh-pages^{tree}');
    const rebuilt = await publish('rest-api', '--rebuild', '--remote', 'remote.git');
    expect(rebuilt).toEqual({
      status: 0,
      stdout: `The series of rest-api are made anew from 1 run: ${git('rev-parse', 'gh-pages')}.\n`,
      stderr: '',
    });
    expect(git('rev-parse', 'gh-pages^{tree}')).toBe(before);
    const manifest = JSON.parse(git('show', 'gh-pages:wrkbench/rest-api/manifest.json'));
    expect(manifest).toMatchObject({ spec: 'rest-api', latest: { id: record.id }, leftOut: [] });
    const unknown = await publish('web', '--rebuild', '--remote', path.join(cwd, 'remote.git'));
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('The branch holds no run of web') });
  });

  it('does not add a run that ended early', async () => {
    const stopped = { code: 'interrupted', message: 'The run was stopped.' } as const;
    const { publish } = folderWith({ ...record, interrupted: stopped });
    const { status, stderr } = await publish('out', '--remote', 'remote.git');
    expect([status, stderr]).toEqual([
      2,
      `The run ${record.id} ended early (The run was stopped), so it is not published: cases are missing.\n`,
    ]);
  });

  it.each([
    ['no record', ['nowhere', '--remote', 'remote.git'], 2, /nowhere: there is no such file/],
    ['no remote', ['out'], 2, /no git remote named origin. Say where to publish to: --remote URL/],
    [
      'a branch that is an option',
      ['out', '--remote', 'remote.git', '--branch=-x'],
      2,
      /--branch '-x' is not a name of a branch/,
    ],
    ['a remote that starts a program', ['out', '--remote', 'ext::sh -c id'], 3, /transport 'ext' not allowed\.\n$/],
    [
      'a server that is not there',
      ['out', '--remote', 'http://127.0.0.1:9/x.git'],
      3,
      /cannot be read: unable to access/,
    ],
  ])('answers %s with a sentence', async (_, args, status, said) => {
    const { publish } = folderWith();
    const ended = await publish(...args);
    expect(ended).toMatchObject({ status, stdout: '', stderr: expect.stringMatching(said) });
  });
});
