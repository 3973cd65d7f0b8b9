import { isPathGlob, pathFilter } from '../config/path-glob.ts';
import { namedFiles } from '../config/paths.ts';
import type { ResolvedSpec } from '../config/resolved.ts';

/** What a status says of a pull request that was not measured on purpose. */
export const UNTOUCHED = 'Not measured: no relevant files changed.';

/**
 * What matters whatever a workflow's `paths` say: specs, under the paths or globs that name them, and the files that they name. One
 * that is taken away has no gate any more.
 */
export function relevantPaths(
  patterns: readonly string[],
  specs: readonly { path: string; spec: ResolvedSpec }[],
): (path: string) => boolean {
  const named = new Set(specs.flatMap(({ path, spec }) => [path, ...namedFiles(spec, path)]));
  const isSpec = pathFilter(patterns);
  const fits = pathFilter([...named].filter(isPathGlob));
  return (path) => named.has(path) || isSpec(path) || fits(path);
}

/** Whether nothing that matters was changed; false where nobody said what matters, or what was changed is not known. */
export function isUntouched(
  changed: readonly string[] | null,
  globs: readonly string[],
  isRelevant: (path: string) => boolean,
): boolean {
  if (globs.length === 0 || changed === null) return false;
  const isWanted = pathFilter(globs);
  return !changed.some((path) => isWanted(path) || isRelevant(path));
}
