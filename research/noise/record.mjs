// Records null comparisons, trial by trial; see research/recordings/noise/README.md:
//
//   node research/noise/record.mjs --kind quiet|disturbed --rounds N --out FILE [--pairing duet|interleaved] [--budget SECONDS] [--seed N]
//
// Goes on with the file where it is there already. Bundles record.ts, which does the work.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { textTemplates } from '../../scripts/text-templates.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-noise-'));
try {
  const outfile = path.join(folder, 'record.mjs');
  await build({
    entryPoints: ['research/noise/record.ts'],
    outfile,
    bundle: true,
    plugins: [textTemplates],
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'error',
  });
  const { record } = await import(pathToFileURL(outfile).href);
  process.exitCode = await record(process.argv.slice(2), (line) => process.stderr.write(`${line}\n`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
