// needs: git
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder = '';
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
const release = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: folder, encoding: 'utf8' });
const at = (revision: string, file: string) => git('show', `${revision}:${file}`);

/** The project as it is here, as the first commit of a repository. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-release-'));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(name))) cpSync(file, path.join(folder, file));
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'someone');
  git('config', 'user.email', 'someone@example.org');
  writeFileSync(path.join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'The project');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  it('is refused where the version is none, or something is not committed', () => {
    expect(release('1.0')).toMatchObject({ status: 2, stderr: 'Expected a version, for example 1.0.0.\n' });
    writeFileSync(path.join(folder, 'left.txt'), '');
    expect(release('1.0.0').stderr).toBe('The checkout has changes: commit them, or put them away.\n');
    rmSync(path.join(folder, 'left.txt'));
  });

  it('is three commits that name each other, and two tags', () => {
    const { status, stdout, stderr } = release('1.2.3', '--date', '2026-12-01');
    expect([status, stderr]).toEqual([0, '']);
    const [starters, workflows, version] = ['HEAD', 'HEAD~1', 'HEAD~2'].map((revision) => git('rev-parse', revision));
    expect(stdout).toContain(`v1.2.3 and v1 are at ${starters}.`);
    expect([git('rev-parse', 'v1.2.3^{commit}'), git('rev-parse', 'v1')]).toEqual([starters, starters]);

    expect(JSON.parse(at(version!, 'package.json'))).toMatchObject({ version: '1.2.3' });
    expect(at(version!, 'CHANGELOG.md')).toContain('## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n');
    const pinsIn = (revision: string, directory: string) =>
      new Set(
        readdirSync(path.join(folder, directory)).flatMap((name) =>
          [...at(revision, `${directory}/${name}`).matchAll(/uses: wrkbench\/wrkbench\S*@(\S+)/g)].map(
            ([, pin]) => pin,
          ),
        ),
      );
    expect(pinsIn(workflows!, '.github/workflows')).toEqual(new Set([version]));
    expect(pinsIn(starters!, 'workflows')).toEqual(new Set([workflows]));
    // What `init` writes comes from the bundle.
    expect(readFileSync(path.join(folder, 'dist', 'init.cjs'), 'utf8')).toContain(`benchmark.yml@${workflows}`);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('is refused where the tag is there already, or nobody has written what is new', () => {
    expect(release('1.2.3').stderr).toBe('There is a tag v1.2.3 already.\n');
    expect(release('1.2.4').stderr).toMatch(/^CHANGELOG\.md says nothing under \[Unreleased\]/);
  });
});
