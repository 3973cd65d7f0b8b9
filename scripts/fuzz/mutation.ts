import type { Random } from '../../src/core/statistics/random.ts';
import { PIECES } from '../../tests/support/github-markdown/pieces.ts';

/** Longer ones show nothing that these do not. */
const LONGEST = 200_000;

export function oneOf<T>(items: readonly T[], random: Random): T {
  return items[random.below(items.length)]!;
}

const CONTROL = [
  '\u0000',
  '\u001b[2J',
  '\u001b]0;x\u0007',
  '\u009b31m',
  '\u202e',
  '\u200b',
  '\ud800',
  '\udfff',
  '\ufeff',
  '\u2028',
  '\r',
  '::error::x',
  '##[error]x',
];
const NUMBERS = [
  '0',
  '-1',
  '1e309',
  '-0',
  '1e-320',
  'NaN',
  '99999999999999999999',
  '9007199254740993',
  '0x10',
  '1_000',
  '.5',
  '5.',
  'Infinity',
  '4294967296',
  '1.7976931348623157e308',
];
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'];

/** Something that a reader may not have thought of. */
export function fragment(words: readonly string[], random: Random): string {
  const from = random.below(7);
  if (from === 0) return oneOf(CONTROL, random);
  if (from === 1) return oneOf(NUMBERS, random);
  if (from === 2) return oneOf(NAMES, random);
  if (from === 3) return String.fromCodePoint(random.below(0x11_0000));
  return oneOf(from === 4 ? PIECES : words, random);
}

/** A real text with up to six changes: pieces cut, moved, doubled, put in, and now and then one repeated for very long. */
export function mutated(text: string, words: readonly string[], random: Random): string {
  let result = text;
  for (let left = 1 + random.below(1 + random.below(6)); left > 0; left -= 1) result = changed(result, words, random);
  return result;
}

function changed(text: string, words: readonly string[], random: Random): string {
  const start = random.below(text.length + 1);
  const end = Math.min(text.length, start + random.below(1 + (random.below(4) === 0 ? text.length : 30)));
  const [before, piece, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (random.below(8)) {
    case 0:
      return before + after;
    case 1:
      return before + piece + piece + after;
    case 2:
      return before + fragment(words, random) + after;
    case 3:
      return before + [...piece].reverse().join('') + after;
    case 4:
      return text.replace(/\d+(?:\.\d+)?/g, (digits) => (random.below(8) === 0 ? oneOf(NUMBERS, random) : digits));
    case 5: {
      const repeated = random.below(2) === 0 ? piece : fragment(words, random);
      const times = random.below(30) === 0 ? 20_000 : 2 + random.below(40);
      return (
        before +
        repeated.repeat(Math.max(1, Math.min(times, Math.floor(LONGEST / Math.max(1, repeated.length))))) +
        after
      );
    }
    case 6:
      return before;
    default:
      return before + fragment(words, random) + piece + after;
  }
}

/** Words of real texts, which a change puts elsewhere. */
export function wordsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.match(/[^\s]+|\n/g) ?? []))].slice(0, 3000);
}

/** A value with a few of its parts changed, wherever in it they lie. */
export function mutatedValue(value: unknown, words: readonly string[], random: Random): unknown {
  const copy = structuredClone(value);
  for (let left = 1 + random.below(1 + random.below(8)); left > 0; left -= 1) changePart(copy, words, random);
  return copy;
}

function changePart(whole: unknown, words: readonly string[], random: Random): void {
  let at = whole as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(at);
    if (keys.length === 0) return;
    const key = oneOf(keys, random);
    const inner = at[key];
    const goesOn = typeof inner === 'object' && inner !== null && random.below(10) > 0;
    if (!goesOn) {
      if (random.below(12) === 0) delete at[key];
      else at[key] = otherValue(inner, words, random);
      return;
    }
    at = inner as Record<string, unknown>;
  }
}

function otherValue(value: unknown, words: readonly string[], random: Random): unknown {
  const from = random.below(12);
  if (from === 0) return oneOf([null, true, {}, [], '', 0, [[]], 'x'], random);
  if (typeof value === 'number' || from === 1) {
    return oneOf(
      [
        0,
        -1,
        1,
        0.5,
        1e308,
        -1e308,
        5e-324,
        2 ** 53,
        2 ** 31,
        1e-9,
        Number(value) * 1e6,
        Number(value) / 1e6,
        -Number(value),
      ],
      random,
    );
  }
  if (Array.isArray(value))
    return random.below(2) === 0 ? [...value, ...value] : value.slice(random.below(value.length + 1));
  if (typeof value === 'string')
    return random.below(3) === 0 ? fragment(words, random) : mutated(value, words, random).slice(0, 5000);
  return value;
}
