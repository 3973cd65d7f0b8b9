/** Lines that a program has printed before it failed, of which one may say why. */

const SAYS_WHY =
  /\b(?:error|fatal|panic|cannot|could not|undefined|not found|no such|not set|missing|failed|denied|refused|exception)\b/i;

/** Frames of a stack, and members of an error as Node.js prints it: `severity: 'FATAL',`. */
const AROUND_IT = /^\s*(?:at .*|\[?\w{1,40}\]?: (?:'[^']{0,40}'|undefined|null|\d{1,20}),?)$/;

/** The last one that says why; undefined where none does. */
export function tellingLine(lines: readonly string[]): string | undefined {
  return lines.findLast(isTelling);
}

function isTelling(line: string): boolean {
  return SAYS_WHY.test(line) && !AROUND_IT.test(line);
}

/** So many of them at most: the last, and before them the one that says why where none of the last does. */
export function excerptOf(lines: readonly string[], most: number): string[] {
  const last = lines.slice(-most);
  const at = lines.findLastIndex(isTelling);
  return at === -1 || at >= lines.length - most ? last : [lines[at]!, '…', ...lines.slice(2 - most)];
}
