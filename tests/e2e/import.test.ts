// needs: git
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { specFolder } from '../support/spec-folder.ts';
import { wrkbench } from './support/command.ts';

const data = fileURLToPath(new URL('../../fixtures/github-action-benchmark/data.js', import.meta.url));

it('import adds the history of github-action-benchmark to a branch, once', async () => {
  const cwd = specFolder({});
  const remote = path.join(cwd, 'remote.git');
  const git = (...args: string[]) => execFileSync('git', ['-C', remote, ...args], { encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  const first = await wrkbench(['import', data, '--spec', 'rest-api', '--remote', 'remote.git'], { cwd });
  expect(first).toEqual({
    status: 0,
    stdout: `8 runs are added to rest-api on gh-pages of ${remote}: ${git('rev-parse', 'gh-pages')}.\n`,
    stderr: '',
  });
  const second = await wrkbench(['import', data, '--spec', 'rest-api', '--remote', 'remote.git', '--json'], { cwd });
  expect(JSON.parse(second.stdout)).toEqual({ added: 0, known: 8, leftOut: 0, commit: null });
  expect(git('rev-list', '--count', 'gh-pages')).toBe('1');
});

it('import adds it to a folder', async () => {
  const cwd = specFolder({ 'site/index.html': 'mine' });
  const call = () => wrkbench(['import', data, '--spec', 'rest-api', '--into', 'site'], { cwd });
  expect((await call()).stdout).toBe('8 runs are added to rest-api on site.\n');
  const manifest = readFileSync(path.join(cwd, 'site/wrkbench/rest-api/manifest.json'), 'utf8');
  expect((await call()).stdout).toBe('Nothing is new: 8 runs of it are in rest-api on site already.\n');
  expect(readFileSync(path.join(cwd, 'site/wrkbench/rest-api/manifest.json'), 'utf8')).toBe(manifest);
});
