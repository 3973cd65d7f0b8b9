// needs: git
// seconds: 12
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
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

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

/** With a line under [Unreleased] and a commit, as any change between two releases. */
function change(files: Record<string, string>) {
  const news = { 'CHANGELOG.md': read('CHANGELOG.md').replace('## [Unreleased]\n', '## [Unreleased]\n\n- News.\n') };
  for (const [file, text] of Object.entries({ ...news, ...files })) writeFileSync(path.join(folder, file), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Change something');
}

/** What stands behind `@` of all that is our own, in these files of a revision. */
const namesIn = (revision: string, ...files: string[]) =>
  new Set(
    files.flatMap((file) =>
      [...at(revision, file).matchAll(/wrkbench\/wrkbench(?:\/[^\s@`]+)?@([^\s`]+(?: # \S+)?)/g)].map(
        ([, name]) => name,
      ),
    ),
  );
const below = (directory: string) => readdirSync(path.join(folder, directory)).map((name) => `${directory}/${name}`);
const starters = () => below('workflows');
const documents = () => ['README.md', ...below('docs').filter((file) => file.endsWith('.md'))];

describe('a release', () => {
  it('is refused where the version is none, or something is not committed', () => {
    expect(release('1.0')).toMatchObject({ status: 2, stderr: 'Expected a version, for example 1.0.0.\n' });
    writeFileSync(path.join(folder, 'left.txt'), '');
    expect(release('1.0.0').stderr).toBe('The checkout has changes: commit them, or put them away.\n');
    rmSync(path.join(folder, 'left.txt'));
  });

  it('is refused, before anything is changed, where something would not be named by a version or a commit', () => {
    const before = git('rev-parse', 'HEAD');
    change({
      'workflows/gate.yml': `${read('workflows/gate.yml')}      - uses: actions/cache@v5\n`,
      '.github/workflows/smoke.yml': read('.github/workflows/smoke.yml').replace('$/.', './'),
      'README.md': `${read('README.md')}Copy it from \`@main\`.\n`,
    });
    expect(release('1.2.3')).toMatchObject({
      status: 2,
      stderr: `Not named by a version, or by the commit of one:
.github/workflows/smoke.yml: uses: ./
workflows/gate.yml: - uses: actions/cache@v5
README.md: Copy it from \`@main\`.
`,
    });
    expect([git('status', '--porcelain'), git('tag', '--list')]).toEqual(['', '']);
    git('reset', '--quiet', '--hard', before);
  });

  it('is two commits, of which the second names the first in the starters, and two tags of the first', () => {
    change({});
    const { status, stdout, stderr } = release('1.2.3', '--date', '2026-12-01');
    expect([status, stderr]).toEqual([0, '']);
    const [last, version] = ['HEAD', 'HEAD~1'].map((revision) => git('rev-parse', revision)) as [string, string];
    expect(stdout).toContain(`v1.2.3 and v1 are at ${version}.`);
    expect([git('rev-parse', 'v1.2.3^{commit}'), git('rev-parse', 'v1')]).toEqual([version, version]);
    expect(git('log', '-3', '--format=%s').split('\n')).toEqual([
      'Name 1.2.3 in the starters',
      'Release 1.2.3',
      'Change something',
    ]);

    expect(JSON.parse(at(version, 'package.json'))).toMatchObject({ version: '1.2.3' });
    expect(at(version, 'CHANGELOG.md')).toContain('## [Unreleased]\n\n## [1.2.3] - 2026-12-01\n');
    expect(namesIn(version, ...documents())).toEqual(new Set(['v1']));
    expect(documents().filter((file) => /until released|@main/.test(at(version, file)))).toEqual([]);
    expect(namesIn(last, ...starters())).toEqual(new Set([`${version} # v1.2.3`]));
    // `init` has them in its bundle.
    expect(git('diff', '--name-only', version, last).split('\n').toSorted()).toEqual(
      ['dist/init.cjs', ...starters()].toSorted(),
    );
    const init = ['dist/cli.cjs', 'init', '--dry-run', 'fixtures/repositories/monorepo'];
    const written = execFileSync(process.execPath, init, { cwd: folder, encoding: 'utf8' });
    expect(written).toContain(`/benchmark.yml@${version} # v1.2.3\n    with:\n      spec: "wrkbench.*.yml"\n`);
    expect(namesIn(last, ...below('.github/workflows'))).toEqual(new Set());
    expect(git('status', '--porcelain')).toBe('');
  });

  it('is refused where the tag is there already, or nobody has written what is new', () => {
    expect(release('1.2.3').stderr).toBe('There is a tag v1.2.3 already.\n');
    expect(release('1.2.4').stderr).toMatch(/^CHANGELOG\.md says nothing under \[Unreleased\]/);
  });

  it('takes the place of the one before it', () => {
    change({});
    expect(release('2.0.0')).toMatchObject({ status: 0, stderr: '' });
    expect(namesIn('HEAD', ...starters())).toEqual(new Set([`${git('rev-parse', 'HEAD~1')} # v2.0.0`]));
    expect(namesIn('HEAD', ...documents())).toEqual(new Set(['v2']));
    expect(git('rev-parse', 'v2')).toBe(git('rev-parse', 'HEAD~1'));
    expect(git('rev-parse', 'v1')).toBe(git('rev-parse', 'v1.2.3^{commit}'));
  });
});
