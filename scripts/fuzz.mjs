// npm run fuzz [-- --inputs N] [--seed N] [--kind NAME] [--at N]: gives inputs made from real ones to all that reads or shows
// what others wrote. Nothing may be thrown that is not meant for a person, nothing may act where it is shown, and no input may
// take longer than a second of CPU. Exits 1 where one did; `--seed S --kind K --at N` has that one input again, whole.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { textTemplates } from './text-templates.mjs';

/** After so long on one input it is taken to have no end. */
const HANGS_SECONDS = 30;

const number = { type: 'string' };
const { values } = parseArgs({ options: { inputs: number, seed: number, kind: number, at: number } });
const seed = whole('seed', values.seed ?? String(Math.floor(Math.random() * 0x1_0000_0000)));
const workerData = {
  seed,
  inputs: whole('inputs', values.inputs ?? '20000'),
  kind: values.kind ?? null,
  at: values.at === undefined ? null : whole('at', values.at),
  /** Number of the kind, and of its input, that is being read. */
  place: new Int32Array(new SharedArrayBuffer(8)),
};

function whole(name, text) {
  if (/^\d{1,10}$/.test(text) && Number(text) <= 0xffff_ffff) return Number(text);
  process.stderr.write(`--${name} ${text}: expected a whole number from 0 to 4294967295.\n`);
  process.exit(2);
}

const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-fuzz-'));
const outfile = path.join(folder, 'fuzz.mjs');
try {
  await build({
    entryPoints: ['scripts/fuzz/worker.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [textTemplates],
    logLevel: 'error',
  });
  process.stdout.write(`seed ${seed}\n`);
  process.exitCode = (await failuresOf(new Worker(outfile, { workerData }))) === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** In a thread of its own, so that an input without an end is named and not waited for. */
function failuresOf(worker) {
  return new Promise((resolve, reject) => {
    let kinds = [];
    let last = '';
    let unchanged = 0;
    const watch = setInterval(() => {
      const here = workerData.place.join('/');
      unchanged = here === last ? unchanged + 1 : 0;
      last = here;
      if (unchanged < HANGS_SECONDS) return;
      const [kind, at] = workerData.place;
      process.stdout.write(`FAILED ${kinds[kind]} ${at}: no end after ${HANGS_SECONDS} s\n`);
      process.stdout.write(`  npm run fuzz -- --seed ${seed} --kind ${kinds[kind]} --at ${at}\n`);
      end(1);
      void worker.terminate();
    }, 1000);
    const end = (failures) => {
      clearInterval(watch);
      resolve(failures);
    };
    worker.on('message', ({ line, failures, names }) => {
      if (names !== undefined) kinds = names;
      else if (line !== undefined) process.stdout.write(`${line}\n`);
      else end(failures);
    });
    worker.on('error', (error) => {
      clearInterval(watch);
      reject(error);
    });
  });
}
