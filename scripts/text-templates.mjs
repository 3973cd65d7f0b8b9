// Files of templates/ as texts, for esbuild and for Vite: an editor and a linter know them as what they are.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const OURS = /[\\/]templates[\\/]/;

/** @type {import('esbuild').Plugin} */
export const textTemplates = {
  name: 'text-templates',
  setup(builder) {
    builder.onLoad({ filter: OURS }, ({ path: file }) => ({ contents: readFileSync(file, 'utf8'), loader: 'text' }));
  },
};

/** Under a name of its own, without the file's ending: Vite has ideas of its own about style sheets and pages. */
const PREFIX = '\0text-template:';

/** @type {import('vite').Plugin} */
export const textTemplatesForVite = {
  name: 'text-templates',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !/[\\/]templates[\\/]/.test(source) || /\.ts$/.test(source)) return null;
    const file = path.resolve(path.dirname(importer), source);
    return `${PREFIX}${Buffer.from(file).toString('base64url')}`;
  },
  load(id) {
    if (!id.startsWith(PREFIX)) return null;
    const file = Buffer.from(id.slice(PREFIX.length), 'base64url').toString();
    return `export default ${JSON.stringify(readFileSync(file, 'utf8'))};`;
  },
};
