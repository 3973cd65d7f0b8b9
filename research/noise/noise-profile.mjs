// Writes src/core/plan/noise-profile.ts, what `wrkbench plan` predicts from, from recordings of null comparisons:
//
//   node research/noise/noise-profile.mjs [--check] [FILE…]
//
// Without files from the quiet ones of research/recordings/noise, but for that of a slow machine. With --check it only says whether
// the two agree. Bundles noise-profile.ts, which does the work.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { textTemplates } from '../../scripts/text-templates.mjs';

const TABLE = 'src/core/plan/noise-profile.ts';
const NOISE = 'research/recordings/noise';
/** A machine that scatters more than others has longer to compare than `plan` says; others need not wait as long as it does. */
const LEFT_OUT = ['quiet-slow.jsonl'];

const check = process.argv.includes('--check');
const named = process.argv.slice(2).filter((argument) => argument !== '--check');
const quiet = readdirSync(NOISE).filter((name) => /^quiet.*\.jsonl$/.test(name) && !LEFT_OUT.includes(name));
const files = named.length > 0 ? named : quiet.sort().map((name) => `${NOISE}/${name}`);
const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-noise-profile-'));
try {
  process.exitCode = await written();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function written() {
  if (files.length === 0) {
    console.error(`There is no quiet recording in ${NOISE}: record one, as its README.md says, or name a file.`);
    return 1;
  }
  const outfile = path.join(folder, 'noise-profile.mjs');
  await build({
    entryPoints: ['research/noise/noise-profile.ts'],
    outfile,
    bundle: true,
    plugins: [textTemplates],
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'error',
  });
  const { tableText } = await import(pathToFileURL(outfile).href);
  const before = readFileSync(TABLE, 'utf8');
  const after = tableText(
    before,
    files.map((name) => ({ name, text: readFileSync(name, 'utf8') })),
  );
  if (!check) {
    writeFileSync(TABLE, after);
    return 0;
  }
  if (before === after) return 0;
  console.error(`${TABLE} is not what ${files.join(', ')} gives. Run \`npm run noise-profile\` and commit it.`);
  return 1;
}
