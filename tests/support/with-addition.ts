import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { textTemplates } from '../../scripts/text-templates.mjs';

/** One line more in a registry: `before` is the text that it stands before. */
export interface Addition {
  file: string;
  before: string;
  line: string;
  /** What the line names, put at the end of the file. */
  definition: string;
}

/**
 * The exports of `entry` (TypeScript), as the sources are with one addition and nothing else changed. Throws where the registry
 * does not hold the text before which the line belongs.
 */
export async function withAddition<Exports>(entry: string, addition: Addition): Promise<Exports> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-addition-'));
  const outfile = path.join(folder, 'bundle.mjs');
  try {
    await build({
      stdin: { contents: entry, resolveDir: process.cwd(), loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      logLevel: 'error',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      plugins: [
        textTemplates,
        {
          name: 'addition',
          setup(own) {
            own.onLoad({ filter: new RegExp(`${addition.file.replaceAll('.', '\\.')}$`) }, ({ path: file }) => {
              const text = readFileSync(file, 'utf8');
              if (!text.includes(addition.before)) throw new Error(`${file} has no ${addition.before}`);
              const added = text.replace(addition.before, `${addition.line}${addition.before}`);
              return { contents: `${added}\n${addition.definition}`, loader: 'ts' };
            });
          },
        },
      ],
    });
    return (await import(pathToFileURL(outfile).href)) as Exports;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
