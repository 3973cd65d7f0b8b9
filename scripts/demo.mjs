// npm run demo: brings the machine to where the demo can run, then runs it. Arguments go to the demo.
//
// The matrix (`-- --matrix`) wants k6 too. Where that has to be built, which takes minutes, wrk shows meanwhile what it
// measures.
import './setup/new-enough-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { announce, announceFailure } from './setup/announcement.mjs';
import { runInherited } from './setup/command.mjs';
import { limitedMachine, unsupportedMachine } from './setup/machine.mjs';
import { sentenceOf, setUpDemo } from './setup/profile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const command = join(root, 'dist', 'cli.cjs');

const refusal = unsupportedMachine();
if (refusal !== null) {
  announce(refusal);
  process.exit(3);
}
const limits = limitedMachine();
if (limits !== null) announce(limits);

const matrix = process.argv.includes('--matrix');
const { lacks, building } = await setUpDemo(root, { matrix }).catch((error) => {
  announceFailure(error);
  process.exit(3);
});
if (building !== null) {
  if (lacks.length === 0) await firstLook();
  lacks.push(...(await building));
}
for (const lack of lacks) announce(sentenceOf(lack));
// Ctrl-C reaches the demo as well, which says what it keeps: the prompt comes back after that, with its status.
process.on('SIGINT', () => {});
process.exitCode =
  spawnSync(process.execPath, [command, 'demo', ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;

async function firstLook() {
  announce('k6 is being built, which takes some minutes. Meanwhile a first look with wrk: the build takes CPU time');
  announce('from server and generator, so the whole matrix after it will show higher figures.');
  const out = mkdtempSync(join(tmpdir(), 'wrkbench-first-look-'));
  const spec = join(root, 'dist', 'demo', 'wrkbench.yml');
  const options = ['--only', '*/wrk/*', '--quick', '--runtime', 'process', '--out', join(out, 'run')];
  await runInherited(process.execPath, [command, 'run', spec, ...options]);
  rmSync(out, { recursive: true, force: true });
  announce('That was wrk alone. The whole matrix, with k6 and a report to keep, begins when k6 is built.');
}
