// Writes schema/spec.schema.json and the tables between the markers of its pages in docs/ from the written schema. With
// --check it writes nothing and exits 1 where one of them is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { textTemplates } from './text-templates.mjs';

const SCHEMA = 'schema/spec.schema.json';
const PAGES = ['docs/spec.md', 'docs/spec-keys.md'];

const { outputFiles } = await build({
  entryPoints: ['src/core/config/reference.ts'],
  bundle: true,
  plugins: [textTemplates],
  format: 'cjs',
  platform: 'node',
  write: false,
});
const bundle = { exports: {} };
new Function('module', 'exports', 'require', outputFiles[0].text)(
  bundle,
  bundle.exports,
  createRequire(import.meta.url),
);
const { jsonSchema, referenceTables } = bundle.exports;

const wanted = new Map([
  [SCHEMA, `${JSON.stringify(jsonSchema(), null, 2)}\n`],
  ...withTables(PAGES, referenceTables()),
]);
const drifted = [...wanted].filter(([path, content]) => contentOf(path) !== content);

if (!process.argv.includes('--check')) {
  for (const [path, content] of drifted) writeFileSync(path, content);
  console.log(drifted.length === 0 ? 'nothing has changed' : `written: ${drifted.map(([path]) => path).join(', ')}`);
} else if (drifted.length > 0) {
  const paths = drifted.map(([path]) => path).join(' and ');
  console.error(`${paths} is not what the written schema makes of it: run \`node scripts/schema.mjs\` and commit.`);
  process.exitCode = 1;
} else {
  console.log(`${[SCHEMA, ...PAGES].join(', ')} are up to date`);
}

/** The pages, with what stands between `<!-- NAME -->` and `<!-- /NAME -->` replaced by the table of that name. */
function withTables(pages, tables) {
  const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));
  for (const [name, table] of Object.entries(tables)) {
    const markers = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
    const page = pages.find((each) => markers.test(texts.get(each)));
    if (page === undefined) throw new Error(`No page has <!-- ${name} --> … <!-- /${name} -->: ${pages.join(', ')}`);
    texts.set(
      page,
      texts.get(page).replace(markers, (_, open, close) => `${open}${table}\n${close}`),
    );
  }
  return texts;
}

function contentOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
