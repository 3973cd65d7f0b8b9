// The scripts of pages. That of the report page goes into each report, and is imported as text from `wrkbench:report-page`;
// those of the published pages are files, of which a browser loads what the view that it shows needs.
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { textTemplates } from './text-templates.mjs';

export async function builtPage() {
  return await build({
    entryPoints: ['src/site/report-page.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    platform: 'browser',
    write: false,
    metafile: true,
    legalComments: 'none',
  });
}

/**
 * The script as text, inside of the bundle. @returns {import('esbuild').Plugin}
 */
export const pageScript = (page) => ({
  name: 'page-script',
  setup(builder) {
    builder.onResolve({ filter: /^wrkbench:report-page$/ }, () => ({ path: 'report-page', namespace: 'page' }));
    builder.onLoad({ filter: /.*/, namespace: 'page' }, () => ({ contents: page.outputFiles[0].text, loader: 'text' }));
  },
});

/**
 * The script in a file beside the bundles, which would each carry it otherwise: 185 KB. @returns {import('esbuild').Plugin}
 */
export const pageScriptApart = {
  name: 'page-script-apart',
  setup(builder) {
    builder.onResolve({ filter: /^wrkbench:report-page$/ }, () => ({ path: './report-page.cjs', external: true }));
  },
};

/** What that file holds: a module whose value is the text. */
export const pageScriptModule = (page) => `module.exports = ${JSON.stringify(page.outputFiles[0].text)};\n`;

/**
 * zod/mini as modules of its own: a chunk that it shared with what reads a run record would hold all of zod, which every visitor would
 * load for the tenth of it that reading series takes. Their configuration is one, on `globalThis`.
 * @type {import('esbuild').Plugin}
 */
const smallZod = {
  name: 'small-zod',
  setup(builder) {
    const namespace = 'small-zod';
    builder.onResolve({ filter: /^zod\/mini$/ }, () => ({
      path: relative('.', fileURLToPath(import.meta.resolve('zod/mini'))),
      namespace,
      sideEffects: false,
    }));
    builder.onResolve({ filter: /^\./, namespace }, ({ path, importer }) => ({
      path: join(dirname(importer), path),
      namespace,
      sideEffects: false,
    }));
    builder.onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: readFileSync(path, 'utf8'), loader: 'js' }));
  },
};

/** Of scripts of the published pages that begin a page; what several need is in chunks. */
const PAGES = ['src/site/pages/app.ts', 'src/site/pages/overview.ts'];

/** Their metafile, and the files as they lie beside each other in `wrkbench/assets/` of the data branch. */
export async function builtPages() {
  const { outputFiles, metafile } = await build({
    entryPoints: PAGES,
    outdir: 'pages',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    charset: 'utf8',
    // A chunk of an older version, which a browser may have kept, has another name.
    chunkNames: '[name]-[hash]',
    write: false,
    metafile: true,
    legalComments: 'none',
    plugins: [textTemplates, smallZod],
  });
  const files = outputFiles.map((file) => ({ name: basename(file.path), content: file.text }));
  // A run's page shows parts of its report.
  const styles = ['report.css', 'pages/pages.css', 'pages/overview.css', 'pages/views.css'].map((file) =>
    readFileSync(`templates/${file}`, 'utf8'),
  );
  const { code } = await transform(styles.join('\n'), { loader: 'css', minify: true, target: 'es2022' });
  files.push({ name: 'pages.css', content: code });
  return { metafile, files: files.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}
