import picomatch from 'picomatch';

/**
 * Which of a repository's files some globs mean, as GitHub's own `paths` has it: `*` stays within a folder, `**` does not, and of
 * several globs the last that fits decides, one with `!` before it against the file. Braces and extended globs are plain text there.
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 */
export function pathFilter(globs: readonly string[]): (path: string) => boolean {
  const rules = globs.map((glob) => {
    const excludes = glob.startsWith('!');
    const matches = picomatch(excludes ? glob.slice(1) : glob, {
      dot: true,
      nobrace: true,
      noextglob: true,
      nonegate: true,
    });
    return { excludes, matches };
  });
  return (path) => rules.findLast(({ matches }) => matches(path))?.excludes === false;
}
