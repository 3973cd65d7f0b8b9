import { isUtf8 } from 'node:buffer';

/**
 * Why bytes are not text in UTF-8, as the rest of a sentence about a file; null where they are. Postgres would take nothing else,
 * and a wrong byte that was replaced on the way would be stored as something else without a word.
 */
export function encodingFault(bytes: Uint8Array): string | null {
  if (isUtf16(bytes)) return 'is UTF-16. Save it as UTF-8';
  if (isUtf8(bytes)) return null;
  const { line, byte, value } = firstFault(bytes);
  const shown = `0x${value.toString(16).padStart(2, '0').toUpperCase()}`;
  return (
    `is not valid UTF-8: byte ${byte} of line ${line} is ${shown}. Save it as UTF-8 ` +
    '(a dump: pg_dump --encoding=UTF8; text in Latin-1: iconv -f LATIN1 -t UTF-8)'
  );
}

/** By its mark, or as text of ASCII characters looks in it: every other byte of the beginning is 0. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const beginning = bytes.subarray(0, 64);
  const zeros = (from: number) => beginning.filter((value, at) => at % 2 === from && value === 0).length;
  return beginning.length >= 4 && Math.max(zeros(0), zeros(1)) > beginning.length * 0.4;
}

/** Line and byte in it, both from 1. No character of UTF-8 has a byte of a line's end in it. */
function firstFault(bytes: Uint8Array): { line: number; byte: number; value: number } {
  let line = 1;
  for (let start = 0; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const own = bytes.subarray(start, end);
    if (!isUtf8(own)) {
      const at = lengthOfText(own);
      return { line, byte: at + 1, value: own[at]! };
    }
    start = end + 1;
  }
  throw new Error('These bytes are UTF-8.');
}

/** How many bytes are characters, from the beginning. */
function lengthOfText(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = [1, 2, 3, 4].find((each) => at + each <= bytes.length && isUtf8(bytes.subarray(at, at + each)));
    if (length === undefined) return at;
    at += length;
  }
  return at;
}
