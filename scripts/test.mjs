// npm test: sets the machine up, then runs what every change is tested with. Arguments go to Vitest.
//
//   node scripts/test.mjs [-- ARGUMENTS]                        npm test
//   node scripts/test.mjs full [--part K] [-- ARGUMENTS]        npm run test:full: what takes longer, or a part of it
//
// `--part commit` is the one that the number of the checked-out commit says. Without a part the fuzzer takes a million inputs too.
//
// A test file whose tools are missing is left out and named in the last line. In CI that is a failure, elsewhere a sentence:
// nothing else differs.
import './setup/new-enough-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { announce } from './setup/announcement.mjs';
import { testsThatCannotRun } from './tests/needs.mjs';
import { FULL, partOf, partsOf } from './tests/parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

const args = process.argv.slice(2);
const isFull = args[0] === 'full';
if (isFull) args.shift();
const parts = readTree(() => partsOf(root));
const part = isFull && args[0] === '--part' ? partOf(args.splice(0, 2)[1], root, parts.length) : undefined;
if (part === null) {
  announce(`Expected --part and a number from 1 to ${parts.length}, or --part commit in a git checkout.`);
  process.exit(2);
}

// Also for what is named by its path or project: a file of `full` is then run by `npm test` too.
const named = args.some((arg) => arg.startsWith('--project') || arg.startsWith('tests/full'));
const projects = isFull ? ['full-*'] : ['unit', 'parallel', 'browser', 'serial'];
const selection = named ? [] : projects.flatMap((project) => ['--project', project]);
const files = part === undefined ? [] : parts[part - 1];
if (part !== undefined)
  process.stdout.write(`part ${part} of ${parts.length} of what takes longer: ${files.join(', ')}\n`);

const setUpStatus = run(['scripts/setup.mjs', 'test']);
if (!existsSync(`${root}node_modules/vitest`)) {
  announce('no test can run without node_modules: see above');
  process.exit(3);
}
// What takes longer is not asked for here, unless it is named.
const leftOut = readTree(() => testsThatCannotRun(root)).filter(
  ({ file }) => isFull || named || !file.startsWith(`${FULL}/`),
);
process.env.WRKBENCH_LEFT_OUT = leftOut.map(({ file }) => file).join('\n');
const tested = run(['node_modules/vitest/vitest.mjs', 'run', ...selection, ...files, ...args]);
const isWhole =
  isFull && part === undefined && args.every((arg) => arg.startsWith('--reporter') || arg.startsWith('--output'));
const status = tested || (isWhole ? run(['scripts/fuzz.mjs', '--inputs', '1000000']) : 0);

const lacking = [...new Set(leftOut.flatMap(({ lacking }) => lacking))];
const isFailure = process.env.CI === 'true' && (leftOut.length > 0 || setUpStatus !== 0);
if (leftOut.length > 0) {
  const names = leftOut.map(({ file }) => file).join(', ');
  process.stdout.write(`not run, since this machine has no ${lacking.join(', ')}: ${names}\n`);
} else if (isFailure) process.stdout.write('set-up lacks something, and in CI all of it must be there: see above\n');
process.exitCode = status || (isFailure ? 1 : 0);

/** What is wrong in the tree is a sentence, as all that set-up says. */
function readTree(read) {
  try {
    return read();
  } catch (error) {
    announce(error.message);
    process.exit(1);
  }
}
