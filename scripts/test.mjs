// Runs all tests: sets the machine up, then Vitest. Arguments go to Vitest.
//
// Outside CI a test file whose tools are missing is left out and named at the end; in CI everything runs, so that a
// missing tool is a failure.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { testsThatCannotRun } from './tests/needs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isCi = process.env.CI === 'true';
const run = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;

const setUpStatus = run(['scripts/setup.mjs', 'test']);
const leftOut = isCi ? [] : testsThatCannotRun(root);
const excludes = leftOut.flatMap(({ file }) => ['--exclude', file]);
const status = run(['node_modules/vitest/vitest.mjs', 'run', ...excludes, ...process.argv.slice(2)]);

for (const { file, lacking } of leftOut) {
  process.stdout.write(`not run: ${file}: this machine has no ${lacking.join(', ')}\n`);
}
process.exitCode = status || setUpStatus;
