// node scripts/release.mjs X.Y.Z [--date YYYY-MM-DD]: makes the commits and tags of a release, and pushes nothing.
//
// The reusable workflows name the action of their own commit (`$/.`). Starters are copied into other repositories and have to
// name a commit, which can only be an earlier one:
//
//     version, changelog, documents, dist/  ◀── workflows/ name that commit; `init`, in dist/, carries some of them
//     commit 1, tagged vX.Y.Z and vX            commit 2, of which the package is made
//
// The tags are at the commit that the starters name. Of a commit without a tag Dependabot proposes the newest commit of its
// branch, not the next release, and zizmor says that the version beside it is another commit:
// https://github.com/dependabot/dependabot-core/blob/main/github_actions/lib/dependabot/github_actions/package/package_details_fetcher.rb
// https://docs.zizmor.sh/audits/#ref-version-mismatch
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const filesIn = (folder, ending) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
const STARTERS = filesIn('workflows', '.yml');
const WORKFLOWS = filesIn('.github/workflows', '.yml');
const DOCUMENTS = ['README.md', ...filesIn('docs', '.md')];

/** What is our own, as other repositories name it, and what stands behind it. */
const OWN = /(\bwrkbench\/wrkbench(?:\/[^\s@`]+)?@)[\w-]+(?:\.[\w-]+)*(?: # v[\d.]+)?/g;
/** What documents say of the time before the first release. */
const UNTIL_RELEASED = /\s*<!-- until released -->[\s\S]*?<!-- \/until released -->/g;

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
const read = (file) => readFileSync(file, 'utf8');

function replaceIn(file, from, to) {
  const before = read(file);
  const after = before.replace(from, to);
  if (after === before) refuse(`${file} has no ${from}.`);
  writeFileSync(file, after);
}

const starter = (text, commit) => text.replaceAll(OWN, `$1${commit} # ${tag}`);
const document = (text) => text.replaceAll(UNTIL_RELEASED, '').replaceAll(OWN, `$1${major}`);

/** What could be another thing tomorrow, of what a release hands out: `FILE: LINE`. */
function unpinned() {
  const linesOf = (file, text) => text.split('\n').map((line) => [file, line.trim()]);
  const workflows = [
    ...WORKFLOWS.map((file) => [file, read(file)]),
    ...STARTERS.map((file) => [file, starter(read(file), '0'.repeat(40))]),
  ]
    .flatMap(([file, text]) => linesOf(file, text))
    .filter(([, line]) => /^(?:- )?uses:/.test(line) && !/ (?:\$\/\S+|\S+@[0-9a-f]{40} # v[\d.]+)$/.test(line));
  const documents = DOCUMENTS.flatMap((file) => linesOf(file, document(read(file)))).filter(([, line]) =>
    /@main\b|until released/.test(line),
  );
  return [...workflows, ...documents].map(([file, line]) => `${file}: ${line}`);
}

const [version = '', flag, given] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) refuse('Expected a version, for example 1.0.0.');
const date = flag === '--date' ? given : new Date().toISOString().slice(0, 10);
const tag = `v${version}`;
const major = tag.split('.')[0];
if (git('status', '--porcelain') !== '') refuse('The checkout has changes: commit them, or put them away.');
if (git('tag', '--list', tag) !== '') refuse(`There is a tag ${tag} already.`);
const [, afterHeading = ''] = read('CHANGELOG.md').split('## [Unreleased]\n');
const [unreleased = ''] = afterHeading.split('\n## [');
if (unreleased.trim() === '') refuse('CHANGELOG.md says nothing under [Unreleased]: nobody would learn what is new.');
const left = unpinned();
if (left.length > 0) refuse(`Not named by a version, or by the commit of one:\n${left.join('\n')}`);

for (const file of ['package.json', 'package-lock.json'])
  replaceIn(file, /"version": "[^"]+"/, `"version": "${version}"`);
replaceIn('package-lock.json', /(^ {4}"": \{\n {6}"name": "wrkbench",\n {6}"version": ")[^"]+/m, `$1${version}`);
replaceIn('CHANGELOG.md', '## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
for (const file of DOCUMENTS) writeFileSync(file, document(read(file)));
node('scripts/build.mjs');
git('add', '--all');
git('commit', '--quiet', '--message', `Release ${version}`);

const released = git('rev-parse', 'HEAD');
for (const file of STARTERS) writeFileSync(file, starter(read(file), released));
node('scripts/build.mjs');
git('commit', '--quiet', '--all', '--message', `Name ${version} in the starters`);

git('tag', '--annotate', '--message', `wrkbench ${version}`, tag, released);
git('tag', '--force', major, released);
console.log(`${tag} and ${major} are at ${released}.`);
console.log(`Push them: git push --atomic origin HEAD:main ${tag} +refs/tags/${major}`);
