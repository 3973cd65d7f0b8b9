import type { Diagnostic } from '../core/config/diagnostics.ts';
import { namedFiles, unfoundFile } from '../core/config/named-files.ts';
import { readYaml } from '../core/config/yaml.ts';
import type { CheckoutFiles } from './ports/checkout-files.ts';

/**
 * What a spec's text names and its folder, whose `files` these are, does not hold: all of it, or what one runtime needs. Empty for
 * a text that cannot be read at all. Throws nothing.
 */
export async function missingFiles(
  text: string,
  fileName: string,
  files: Pick<CheckoutFiles, 'kind'>,
  runtime: 'docker' | 'process' | null = null,
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
    const diagnostic = unfoundFile(named, await files.kind(named.file), source);
    if (diagnostic === null) continue;
    diagnostics.push(diagnostic);
    if (named.kind === 'folder') missing.push(named.file);
  }
  return diagnostics;
}
