// Writes the JSON Schemas of what a run leaves and what is published of it from their sources; with --check it only says whether they agree.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { textTemplates } from './text-templates.mjs';

const SCHEMAS = [
  { path: 'schema/run.schema.json', from: 'src/core/record/schema.ts', made: 'runRecordJsonSchema' },
  { path: 'schema/comparison.schema.json', from: 'src/core/comparison/schema.ts', made: 'comparisonJsonSchema' },
  {
    path: 'schema/published-run.schema.json',
    from: 'src/core/record/published-form.ts',
    made: 'publishedFormJsonSchema',
  },
  { path: 'schema/manifest.schema.json', from: 'src/core/publication/manifest.ts', made: 'manifestJsonSchema' },
  { path: 'schema/series.schema.json', from: 'src/core/publication/series-piece.ts', made: 'seriesPieceJsonSchema' },
];

for (const { path, from, made } of SCHEMAS) {
  const bundle = await build({
    entryPoints: [from],
    bundle: true,
    plugins: [textTemplates],
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
  });
  const source = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
  const schema = (await import(`data:text/javascript;base64,${source}`))[made]();
  const text = `${JSON.stringify(schema, null, 2)}\n`;
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
