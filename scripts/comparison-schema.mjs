// Writes schema/comparison.schema.json from src/core/comparison/schema.ts; with --check it only says whether the two agree.
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const path = 'schema/comparison.schema.json';
const bundle = await build({
  entryPoints: ['src/core/comparison/schema.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
});
const source = Buffer.from(bundle.outputFiles[0].contents).toString('base64');
const { comparisonJsonSchema } = await import(`data:text/javascript;base64,${source}`);
const text = `${JSON.stringify(comparisonJsonSchema(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  if (readOrNull(path) !== text) {
    console.error(
      `${path} is not what src/core/comparison/schema.ts says. Run \`node scripts/comparison-schema.mjs\` and commit it.`,
    );
    process.exit(1);
  }
} else {
  writeFileSync(path, text);
}

function readOrNull(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
