/**
 * Names and messages come from specs, servers and pull requests of strangers. Before any format escapes them for
 * itself, what would act rather than show is made visible here: control characters, bidirectional overrides, invisible
 * letters.
 */

/** One line: line breaks and tabs become a space, what cannot be seen becomes its code point, `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(/(?:(?!\ufeff)\s)+/gu, ' ').replace(hidden, marked);
}

/** As `visible`, keeping the line breaks. */
export function visibleLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/u).map((line) => line.replace(/\t/g, '    ').replace(hidden, marked));
}

/**
 * What a program printed, without the codes by which it chose colours: made visible, they would stand in the way of every line. All
 * other codes stay. Before secrets are left out, which codes may stand in.
 */
export function withoutColours(printed: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the code begins with one.
  return printed.replace(/\u001b\[[\d;:]*m/g, '');
}

/**
 * For a terminal or a log, whose every line may hold something of others: as `visibleLines`, except for the mark of
 * `leftToRight`, which we set ourselves and which does nothing else.
 */
export function terminalText(text: string): string {
  return text.split('\u200e').map(visibleText).join('\u200e');
}

function visibleText(text: string): string {
  return visibleLines(text).join('\n');
}

/**
 * Control, format (bidirectional overrides, zero-width, soft hyphen, BOM), unpaired surrogates, letters that no font shows;
 * not the joiner between two pictures, nor what makes a picture of a letter.
 */
const hidden =
  /(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d\p{Extended_Pictographic}|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

function marked(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** A line goes on from left to right after a name in Hebrew or Arabic, its figures in their places. */
export function leftToRight(text: string): string {
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
    ? `${text}\u200e`
    : text;
}

/** Columns of a terminal that the text takes: two for East Asian wide letters and emoji, none for combining marks. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += widthOf(character);
  return columns;
}

function widthOf(character: string): number {
  const point = character.codePointAt(0)!;
  // Latin letters, and most of what is ever measured: of them only the soft hyphen is not one column wide.
  if (point < 0x300) return point === 0xad ? 0 : 1;
  if (/^(?:\p{Mn}|\p{Me}|\p{Cf}|\ufe0f)$/u.test(character)) return 0;
  if (/^\p{Emoji_Presentation}$/u.test(character)) return 2;
  return wide.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}

/** The blocks that Unicode's EastAsianWidth.txt lists as W or F, joined where only unassigned ones lie between. */
const wide: [number, number][] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x20000, 0x3fffd],
];

/** Cut to `columns` with an ellipsis. */
export function shortened(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

export function paddedEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

export function paddedStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - columnsOf(text))) + text;
}

/** Broken at spaces into lines of at most `columns`; a longer word has a line of its own, cut. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(last) + 1 + columnsOf(word) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(shortened(word, columns));
  }
  return lines;
}
