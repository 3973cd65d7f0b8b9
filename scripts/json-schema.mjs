// Writes the JSON Schemas of what a run leaves and what is published of it from their sources; with --check it only says whether they agree.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { textTemplates } from './text-templates.mjs';

const bundle = await build({
  entryPoints: ['scripts/json-schemas.ts'],
  bundle: true,
  plugins: [textTemplates],
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node22',
});
const source = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
const { schemas } = await import(`data:text/javascript;base64,${source}`);

for (const { path, from, made } of schemas) {
  const text = `${JSON.stringify(made(), null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (readOrNull(path) !== text) {
    console.error(`${path} is not what ${from} says. Run \`node scripts/json-schema.mjs\` and commit it.`);
    process.exitCode = 1;
  }
}

function readOrNull(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
