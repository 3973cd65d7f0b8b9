import { readSpec } from '../core/config/read.ts';
import type { ResolvedSpec } from '../core/config/resolved.ts';
import { namesSqlByGlob, withSqlFiles } from '../core/config/sql-globs.ts';

/**
 * The spec of a text in its folder: what it names by globs, file by file. `list` gives the paths of the folder, relative to it, and
 * is asked only where that is needed. Throws `SpecError`.
 */
export async function specInFolder(
  text: string,
  fileName: string,
  list: () => Promise<readonly string[]>,
): Promise<ResolvedSpec> {
  const spec = readSpec(text, fileName);
  return namesSqlByGlob(spec) ? withSqlFiles(spec, await list()) : spec;
}
