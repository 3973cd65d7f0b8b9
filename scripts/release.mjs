// node scripts/release.mjs X.Y.Z [--date YYYY-MM-DD]: makes the commits and tags of a release, and pushes nothing.
//
// A workflow cannot name the commit that it is part of, so that each round names the one before:
//
//     dist/ of the version  ◀── .github/workflows name that commit ◀── workflows/ name that one; `init` carries one of them
//     commit 1                  commit 2                               commit 3, tagged vX.Y.Z and vX
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}

function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) refuse(`${[program, ...args].join(' ')} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}

const git = (...args) => run('git', ...args);
const node = (...args) => run(process.execPath, ...args);

function replaceIn(file, from, to) {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(from, to);
  if (after === before) refuse(`${file} has no ${from}.`);
  writeFileSync(file, after);
}

const [version = '', flag, given] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse('Expected a version, for example 1.0.0.');
const date = flag === '--date' ? given : new Date().toISOString().slice(0, 10);
const tag = `v${version}`;
const major = tag.split('.')[0];
if (git('status', '--porcelain') !== '') refuse('The checkout has changes: commit them, or put them away.');
if (git('tag', '--list', tag) !== '') refuse(`There is a tag ${tag} already.`);
const [, afterHeading = ''] = readFileSync('CHANGELOG.md', 'utf8').split('## [Unreleased]\n');
const [unreleased = ''] = afterHeading.split('\n## [');
if (unreleased.trim() === '') refuse('CHANGELOG.md says nothing under [Unreleased]: nobody would learn what is new.');

for (const file of ['package.json', 'package-lock.json'])
  replaceIn(file, /"version": "[^"]+"/, `"version": "${version}"`);
replaceIn('package-lock.json', /(^ {4}"": \{\n {6}"name": "wrkbench",\n {6}"version": ")[^"]+/m, `$1${version}`);
replaceIn('CHANGELOG.md', '## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
node('scripts/build.mjs');
git('add', '--all');
git('commit', '--quiet', '--message', `Release ${version}`);

node('scripts/pin.mjs', '.github/workflows');
git('commit', '--quiet', '--all', '--message', `Name the action of ${version} in the reusable workflows`);

node('scripts/pin.mjs', 'workflows');
node('scripts/build.mjs');
git('commit', '--quiet', '--all', '--message', `Name the workflows of ${version} in the starters`);

git('tag', '--annotate', '--message', `wrkbench ${version}`, tag);
git('tag', '--force', major);
console.log(`${tag} and ${major} are at ${git('rev-parse', 'HEAD')}.`);
console.log(`Push them: git push --atomic origin HEAD:main ${tag} +refs/tags/${major}`);
