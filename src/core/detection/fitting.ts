import { plainValue } from '../values/scalars.ts';
import type { Start } from './programs/program.ts';

/** Of one service; a spec with more is read by nobody. */
export const MOST_VARIABLES = 200;
/** As many as a spec takes. */
const MOST_WORDS = 256;
const LONGEST_TEXT = 10_000;
/** Half of a character, which no UTF-8 holds, and what a reader puts for bytes that are none. */
const HALF = /[\p{Cs}\ufffd]/u;

/** Whether a spec can hold a text as a value, in an environment or a command. */
export function isWritable(text: string): boolean {
  return text.length <= LONGEST_TEXT && plainValue.safeParse(text).success && !HALF.test(text);
}

/** A text of somebody as the words of a command or a variable of a spec: nothing in it stands for something else. */
export function literal(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** The command as a spec can hold it; null with the reason where it cannot. */
export function fittingStart(start: Start | null): { start: Start | null; why: string } {
  const why =
    start === null
      ? ''
      : start.command.length === 0 || start.command.length > MOST_WORDS
        ? `its command has ${start.command.length} words, and a spec takes 1 to ${MOST_WORDS}`
        : start.command.every(isWritable)
          ? ''
          : 'its command has a word that no spec can hold: one with NUL or half of a character, or one that is too long';
  return { start: why === '' ? start : null, why };
}

const LONGEST_SHOWN = 600;

export function shown(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
