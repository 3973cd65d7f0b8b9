import { withoutLog } from '../../format/sentence.ts';
import { shortened, visible } from '../../format/text.ts';

/** What strangers wrote may go on for megabytes and end with the lines of a log: what a comparison shows of it. */

/** The first line, at most `columns` of it. */
export function clippedLine(text: string, columns = 200): string {
  return clippedText(withoutLog(text.slice(0, columns * 4)), columns);
}

/** All of it on one line, at most `columns` of it: a statement, a name. */
export function clippedText(text: string, columns: number): string {
  // No more than could be shown is looked at: each character may become the eight of `⟨U+202E⟩`.
  return withoutHalfCode(shortened(visible(text.slice(0, columns * 4)), columns));
}

/** Half a command is another command: one that is cut off is left out. */
function withoutHalfCode(line: string): string {
  const isHalf = line.endsWith('…') && line.split('`').length % 2 === 0;
  return isHalf ? `${line.slice(0, line.lastIndexOf('`')).trimEnd()} …` : line;
}
