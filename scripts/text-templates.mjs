// Files of templates/ as texts, for esbuild and for Vite: an editor and a linter know them as what they are.
import { readFileSync } from 'node:fs';

const OURS = /[\\/]templates[\\/]/;

/** @type {import('esbuild').Plugin} */
export const textTemplates = {
  name: 'text-templates',
  setup(builder) {
    builder.onLoad({ filter: OURS }, ({ path }) => ({ contents: readFileSync(path, 'utf8'), loader: 'text' }));
  },
};

/** @type {import('vite').Plugin} */
export const textTemplatesForVite = {
  name: 'text-templates',
  enforce: 'pre',
  load(id) {
    return OURS.test(id) && !id.includes('node_modules')
      ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))};`
      : null;
  },
};
