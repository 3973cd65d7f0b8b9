import { pathFilter } from '../config/path-glob.ts';

/** What a status says of a pull request that was not measured on purpose. */
export const UNTOUCHED = 'Not measured: no relevant files changed.';

/** Whether nothing that matters was changed; false where nobody said what matters, or what was changed is not known. */
export function isUntouched(changed: readonly string[] | null, globs: readonly string[]): boolean {
  if (globs.length === 0 || changed === null) return false;
  return !changed.some(pathFilter(globs));
}
