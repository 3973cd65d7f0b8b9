// node scripts/bench.mjs NAME [--json]: bundles scripts/bench/NAME.ts or research/NAME.ts and runs it. Exits 1 where a target is missed.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { textTemplates } from './text-templates.mjs';

/**
 * Left where they lie: what looks for files beside itself cannot go into a bundle elsewhere.
 * @type {import('esbuild').Plugin}
 */
const apart = {
  name: 'apart',
  setup(builder) {
    builder.onResolve({ filter: /^playwright-core$/ }, ({ path: own }) => ({
      path: import.meta.resolve(own),
      external: true,
    }));
    builder.onResolve({ filter: /\/page-script\.mjs$/ }, () => ({
      path: new URL('page-script.mjs', import.meta.url).href,
      external: true,
    }));
  },
};

const name = process.argv[2] ?? '';
const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-bench-'));
const outfile = path.join(folder, 'bench.mjs');
try {
  await build({
    entryPoints: [`scripts/bench/${name}.ts`, `research/${name}.ts`].filter((file) => existsSync(file)),
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // A package in CommonJS requires Node.js modules.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [apart, textTemplates],
    logLevel: 'error',
  });
  const { figuresAndTargets } = await import(pathToFileURL(outfile).href);
  const { figures, targets } = await figuresAndTargets((line) => process.stderr.write(`${line}\n`));
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ figures, targets }, null, 2)}\n`);
  else {
    for (const [figure, value] of Object.entries(figures)) process.stdout.write(`${figure}: ${value}\n`);
    for (const { name: target, value, limit, met } of targets) {
      process.stdout.write(`${met ? 'met   ' : 'MISSED'} ${target}: ${value} (${limit})\n`);
    }
  }
  process.exitCode = targets.every(({ met }) => met) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
