import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TemplateSource } from '../app/ports/template-source.ts';
import { templateFiles } from '../app/project-templates.ts';
import type { Diagnostic } from '../core/config/diagnostics.ts';
import type { Pages } from '../core/pages/pages.ts';

/** Scripts and styles; `scripts/build.mjs` puts them beside the bundle. */
const ASSETS = path.join(__dirname, 'pages');

/** What makes the published pages. Rejects as the source does. */
export async function pagesFrom(
  source: TemplateSource,
  version: string,
): Promise<{ pages: Pages; diagnostics: Diagnostic[] }> {
  const { pagesOf } = await import('../core/pages/pages.ts');
  const templates = await templateFiles(source);
  return pagesOf({ version, assets: await builtAssets(), templates });
}

async function builtAssets(): Promise<{ name: string; content: string }[]> {
  const names = (await readdir(ASSETS)).filter((name) => /\.(?:js|css)$/.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => ({ name, content: await readFile(path.join(ASSETS, name), 'utf8') })),
  );
}
