/**
 * Whether a pattern with `*` (any characters, `/` too, or none) and `?` (one character) stands for the whole text.
 * Linear in both: a pattern from a pull request cannot make it slow.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let afterStar = 0;
  while (from < text.length) {
    if (at < pattern.length && (pattern[at] === '?' || (pattern[at] === text[from] && pattern[at] !== '*'))) {
      at++;
      from++;
    } else if (pattern[at] === '*') {
      star = at++;
      afterStar = from;
    } else if (star >= 0) {
      // What follows the last star did not fit: let the star take one character more.
      at = star + 1;
      from = ++afterStar;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
