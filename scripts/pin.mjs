// node scripts/pin.mjs FOLDER [COMMIT]: writes a commit, HEAD if none is given, into every `uses: wrkbench/wrkbench…@…` of a
// folder's workflows. `.github/workflows` names the action of a commit with its dist/; `workflows`, for who copies one, names
// what is in `.github/workflows` at a commit that has those names. CONTRIBUTING.md has the order.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stands there before the first release. */
const NO_COMMIT = '0'.repeat(40);
/** Folder → file that a commit must have to be named there. */
const NEEDED = { '.github/workflows': 'dist/action.cjs', workflows: '.github/workflows/benchmark.yml' };

function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}

const git = (...args) => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout : null;
};

const [folder, given] = process.argv.slice(2);
const needed = NEEDED[folder];
if (needed === undefined) refuse(`Expected one of ${Object.keys(NEEDED).join(', ')}, and a commit after it.`);
const sha = given ?? git('rev-parse', 'HEAD')?.trim() ?? '';
if (!/^[0-9a-f]{40}$/.test(sha)) refuse(`${sha} is no commit: 40 hexadecimal digits are expected.`);
const text = git('show', `${sha}:${needed}`);
if (text === null) refuse(`The commit ${sha} has no ${needed}, or is not here.`);
if (folder === 'workflows' && text.includes(NO_COMMIT))
  refuse(`${needed} of the commit ${sha} names no action yet: pin .github/workflows first, and commit.`);

for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  const before = readFileSync(path, 'utf8');
  const after = before.replaceAll(/(uses: wrkbench\/wrkbench[^@\s]*@)[0-9a-f]{40}/g, `$1${sha}`);
  if (after === before) continue;
  writeFileSync(path, after);
  console.log(path);
}
