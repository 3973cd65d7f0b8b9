import { randomUUID } from 'node:crypto';
import colors from 'picocolors';
import { terminalText } from '../core/format/text.ts';
import { plainStyle, type Style } from '../core/report/terminal-style.ts';

/** Of standard output; 100 where it is no terminal, so that a log reads as a terminal does. */
export function outputWidth(): number {
  return process.stdout.isTTY === true ? (process.stdout.columns ?? 100) : 100;
}

/** Colours for standard output, where it takes them (`NO_COLOR`, `--no-color`); they become codes in `shown`. */
export function outputColors(): Style {
  return colorsOf(process.stdout);
}

/** The same for standard error. */
export function errorColors(): Style {
  return colorsOf(process.stderr);
}

function colorsOf(stream: { isTTY?: boolean }): Style {
  return stream.isTTY === true && colors.isColorSupported ? marked : plainStyle;
}

/** In place of ESC until a text is shown. Nobody else can know it, so that no code of theirs is taken for one of ours. */
const MARK = randomUUID();

const code = (on: number, off: number) => (text: string) => `${MARK}[${on}m${text}${MARK}[${off}m`;
const marked: Style = {
  bold: code(1, 22),
  dim: code(2, 22),
  red: code(31, 39),
  green: code(32, 39),
  yellow: code(33, 39),
};

/** What a terminal gets of a text: our own colours, and of all that others wrote only what can be seen. */
export function shown(text: string): string {
  return terminalText(text).replaceAll(MARK, '\u001b');
}
