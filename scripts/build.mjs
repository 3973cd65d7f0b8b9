// Builds the bundles of dist/. CommonJS, because bundling ESM-only dependencies to ESM output has crashed others at
// start-up: https://github.com/advanced-security/maven-dependency-submission-action/issues/163
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { writeDemoSuite } from './demo-suite.mjs';
import { noticesOf } from './notices.mjs';
import { builtPage, builtPages, pageScriptApart, pageScriptModule } from './page-script.mjs';
import { OLDEST_NODE } from './setup/node.mjs';
import { textTemplates } from './text-templates.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const outdir = process.argv[2] ?? 'dist';

/** A sentence, where otherwise some function of Node.js would not be there. */
const ON_OLD_NODE = [
  'const [nodeMajor, nodeMinor] = process.versions.node.split(".").map(Number);',
  `if (nodeMajor < ${OLDEST_NODE[0]} || (nodeMajor === ${OLDEST_NODE[0]} && nodeMinor < ${OLDEST_NODE[1]})) {`,
  `console.error(\`This is Node.js \${process.version}, and wrkbench needs ${OLDEST_NODE.join('.')} or later: https://nodejs.org/en/download\`);`,
  'process.exit(3);',
  '}',
].join(' ');

// The scripts of pages: the Node.js bundles read them from files beside them.
const page = await builtPage();
const pages = await builtPages();

rmSync(outdir, { recursive: true, force: true });
const bundles = await build({
  entryPoints: {
    cli: 'src/entry/cli.ts',
    action: 'src/entry/action.ts',
    artifacts: 'src/adapters/actions/artifact.ts',
    certificate: 'src/adapters/tls/certificate.ts',
    post: 'src/entry/post.ts',
    init: 'src/entry/commands/init.ts',
    serve: 'src/entry/commands/serve.ts',
    site: 'src/core/pages/pages.ts',
  },
  outdir,
  metafile: true,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
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
    js: `#!/usr/bin/env node\n${ON_OLD_NODE}\nconst wrkbenchModuleUrl = require('node:url').pathToFileURL(__filename).href;`,
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
      // A bundle of its own: what makes a certificate is 550 KB, and few services are asked over TLS.
      name: 'certificate-apart',
      setup(builder) {
        builder.onResolve({ filter: /^\.\/certificate\.ts$/ }, ({ importer }) =>
          /[\\/]adapters[\\/]tls[\\/]/.test(importer) ? { path: './certificate.cjs', external: true } : undefined,
        );
      },
    },
    {
      // A bundle of its own: it reads Markdown, and only publications and `serve` want it.
      name: 'site-apart',
      setup(builder) {
        builder.onResolve({ filter: /\/core\/pages\/pages\.ts$/ }, ({ importer }) =>
          /[\\/]src[\\/]entry[\\/]/.test(importer) ? { path: './site.cjs', external: true } : undefined,
        );
      },
    },
    {
      // The command must stay small, and these verbs are rarely called.
      name: 'verbs-apart',
      setup(builder) {
        builder.onResolve({ filter: /\/commands\/(?:init|serve)\.ts$/ }, ({ path: file, importer }) =>
          /[\\/]entry[\\/]cli\.ts$/.test(importer)
            ? { path: `./${file.replace(/^.*\/(\w+)\.ts$/, '$1')}.cjs`, external: true }
            : undefined,
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
    {
      // `npm run schema` makes the published schemas from the sources; a bundle checks and never describes: 34 KB.
      name: 'no-json-schema',
      setup(builder) {
        const describes = /zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
        builder.onLoad({ filter: describes }, ({ path: file }) => {
          const exported = /^export (?:(?:const|function) (\w+)|\{ \w+ as (\w+) \})/gm;
          const names = [...readFileSync(file, 'utf8').matchAll(exported)].map(([, name, alias]) => name ?? alias);
          const none = "const none = () => { throw new Error('A bundle makes no JSON Schema'); };";
          return {
            contents: `${none}\nexport { ${names.map((name) => `none as ${name}`).join(', ')} };`,
            loader: 'js',
          };
        });
      },
    },
    {
      // What a field of a record means is said in those schemas as well: 12 KB.
      name: 'no-descriptions',
      setup(builder) {
        const description = /\.describe\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),?\s*\)/g;
        builder.onLoad(
          { filter: /[\\/]src[\\/]core[\\/](?:comparison|publication|record)[\\/].*\.ts$/ },
          ({ path: file }) => ({
            contents: readFileSync(file, 'utf8').replaceAll(description, ''),
            loader: 'ts',
          }),
        );
      },
    },
    {
      // The other client of pg, for a native library that is never there: 11 KB.
      name: 'no-native-pg',
      setup(builder) {
        builder.onLoad({ filter: /[\\/]pg[\\/]lib[\\/]native[\\/]index\.js$/ }, () => ({
          contents: "throw Object.assign(new Error('no pg-native'), { code: 'MODULE_NOT_FOUND' });",
          loader: 'js',
        }));
      },
    },
    pageScriptApart,
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

writeFileSync(`${outdir}/report-page.cjs`, pageScriptModule(page));
mkdirSync(`${outdir}/pages`);
for (const { name, content } of pages.files) writeFileSync(`${outdir}/pages/${name}`, content);
await writeDemoSuite(`${outdir}/demo`);
const bundled = [page, pages, bundles].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(`${outdir}/licenses.txt`, noticesOf(bundled));
