import type { Diagnostic } from '../core/config/diagnostics.ts';
import { type FoundKind, type NamedFile, namedFiles, unfoundFile } from '../core/config/named-files.ts';
import { pathFilter } from '../core/config/path-glob.ts';
import type { Source } from '../core/config/source.ts';
import { readYaml } from '../core/config/yaml.ts';
import { quoted } from '../core/format/quoted.ts';
import { languageOf, type ScriptFolder, scriptFiles } from '../core/generators/script-files.ts';
import type { CheckoutFiles } from './ports/checkout-files.ts';

/**
 * What a spec's text names and its folder, whose `files` these are, does not hold: all of it, or what one runtime needs. Empty for
 * a text that cannot be read at all. With `scripts`, also what scripts of generators read beside them. Throws nothing.
 */
export async function missingFiles(
  text: string,
  fileName: string,
  files: Pick<CheckoutFiles, 'kind' | 'list'>,
  runtime: 'docker' | 'process' | null = null,
  scripts: ScriptFolder | null = null,
): Promise<Diagnostic[]> {
  const { source } = readYaml(text, fileName);
  if (source === null) return [];
  const wanted = namedFiles(source).filter(
    (named) => runtime === null || named.runtime === null || named.runtime === runtime,
  );
  const diagnostics: Diagnostic[] = [];
  const missing: string[] = [];
  for (const named of wanted) {
    if (missing.some((folder) => named.file.startsWith(`${folder}/`))) continue;
    const diagnostic = unfoundFile(named, await kindOf(named, files), source);
    if (diagnostic === null) {
      if (scripts !== null) diagnostics.push(...(await scriptDiagnostics(named, source, scripts)));
      continue;
    }
    diagnostics.push(diagnostic);
    if (named.kind === 'folder') missing.push(named.file);
  }
  return diagnostics;
}

async function kindOf(
  { file, isGlob }: NamedFile,
  files: Pick<CheckoutFiles, 'kind' | 'list'>,
): Promise<FoundKind | null> {
  if (!isGlob) return await files.kind(file);
  return (await files.list()).some(pathFilter([file])) ? 'file' : null;
}

async function scriptDiagnostics(
  { at, file }: NamedFile,
  source: Source,
  scripts: ScriptFolder,
): Promise<Diagnostic[]> {
  const [load, generator, key] = at;
  if (load !== 'load' || key !== 'script') return [];
  const { problems } = await scriptFiles(file, languageOf(String(generator)), scripts);
  return problems.map((problem) =>
    source.aboutValue(at, {
      code: 'missing-file',
      message: `${at.join('.')}: ${quoted(file)} ${problem}`,
      found: file,
      expected: 'a script that finds what it reads',
    }),
  );
}
