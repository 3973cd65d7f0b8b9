// The script of the report page: a bundle of its own, which the command carries as text under `wrkbench:report-page`.
import { build } from 'esbuild';

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

/** @returns {import('esbuild').Plugin} */
export const pageScript = (page) => ({
  name: 'page-script',
  setup(builder) {
    builder.onResolve({ filter: /^wrkbench:report-page$/ }, () => ({ path: 'report-page', namespace: 'page' }));
    builder.onLoad({ filter: /.*/, namespace: 'page' }, () => ({ contents: page.outputFiles[0].text, loader: 'text' }));
  },
});
