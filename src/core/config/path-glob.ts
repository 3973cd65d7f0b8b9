import picomatch from 'picomatch';
import { expandedBraces } from './glob.ts';

/**
 * Which of a repository's files some globs mean, as GitHub's own `paths` has it: `*` stays within a folder, `**` does not, and of
 * several globs the last that fits decides, one with `!` before it against the file. Extended globs are plain text; `{a,b}`, which GitHub
 * takes as text, is either, as in every other glob of ours.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 */
export function pathFilter(globs: readonly string[]): (path: string) => boolean {
  const rules = globs.map((glob) => {
    const excludes = glob.startsWith('!');
    const matches = picomatch(expandedBraces(excludes ? glob.slice(1) : glob), {
      dot: true,
      nobrace: true,
      noextglob: true,
      nonegate: true,
    });
    return { excludes, matches };
  });
  return (path) => rules.findLast(({ matches }) => matches(path))?.excludes === false;
}

/** Whether it may mean other files than the one that is called so. */
export function isPathGlob(pattern: string): boolean {
  return /[*?]/.test(pattern) || expandedBraces(pattern).length > 1;
}
