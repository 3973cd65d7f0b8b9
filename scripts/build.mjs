// Builds the bundles of dist/. CommonJS, because bundling ESM-only dependencies to ESM output has crashed others at
// start-up: https://github.com/advanced-security/maven-dependency-submission-action/issues/163
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { writeDemoSuite } from './demo-suite.mjs';
import { noticesOf } from './notices.mjs';
import { builtPage, pageScript } from './page-script.mjs';
import { textTemplates } from './text-templates.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const outdir = process.argv[2] ?? 'dist';

// The page's script first: the Node.js bundles carry it as text.
const page = await builtPage();

rmSync(outdir, { recursive: true, force: true });
const bundles = await build({
  entryPoints: {
    cli: 'src/entry/cli.ts',
    action: 'src/entry/action.ts',
    artifacts: 'src/adapters/actions/artifact.ts',
    post: 'src/entry/post.ts',
  },
  outdir,
  metafile: true,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  // Names stay, so that a stack trace can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  // dist/licenses.txt has them, whole.
  legalComments: 'none',
  // pg's optional native binding and Cloudflare socket are never used.
  external: ['pg-native', 'cloudflare:sockets'],
  // In CommonJS a module's own address is its file name; the toolkit asks for it as a module would.
  define: { WRKBENCH_VERSION: JSON.stringify(version), 'import.meta.url': 'wrkbenchModuleUrl' },
  banner: {
    js: "#!/usr/bin/env node\nconst wrkbenchModuleUrl = require('node:url').pathToFileURL(__filename).href;",
  },
  loader: { '.sql': 'text' },
  plugins: [
    textTemplates,
    {
      // A bundle of its own: uploading takes a client as long as all the rest, and only some steps upload.
      name: 'artifacts-apart',
      setup(builder) {
        builder.onResolve({ filter: /^\.\/artifact\.ts$/ }, ({ importer }) =>
          /[\\/]adapters[\\/]actions[\\/]/.test(importer) ? { path: './artifacts.cjs', external: true } : undefined,
        );
      },
    },
    {
      // The toolkit's own client takes 550 KB of undici for a kind of proxied request that nothing here makes.
      name: 'no-undici',
      setup(builder) {
        builder.onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'absent' }));
        builder.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
          contents:
            "export const fetch = globalThis.fetch; export class ProxyAgent { constructor() { throw new Error('wrkbench makes no such request'); } }",
          loader: 'js',
        }));
      },
    },
    {
      // 50 languages for messages that are never shown: 400 KB.
      name: 'english-only',
      setup(builder) {
        builder.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
          contents: "export { default as en } from './en.js';",
          loader: 'js',
        }));
      },
    },
    pageScript(page),
    {
      name: 'starters',
      setup(builder) {
        builder.onResolve({ filter: /^wrkbench:starter\/\w+\.yml$/ }, ({ path }) => ({
          path: path.replace('wrkbench:starter/', ''),
          namespace: 'starter',
        }));
        builder.onLoad({ filter: /.*/, namespace: 'starter' }, ({ path }) => ({
          contents: readFileSync(`workflows/${path}`, 'utf8'),
          loader: 'text',
        }));
      },
    },
  ],
});

await writeDemoSuite(`${outdir}/demo`);
const bundled = [page, bundles].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(`${outdir}/licenses.txt`, noticesOf(bundled));
