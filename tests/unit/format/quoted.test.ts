import { describe, expect, it } from 'vitest';
import { quoted } from '../../../src/core/format/quoted.ts';

describe('a value in a message', () => {
  it.each([
    ['a\nb', '`a b`'],
    ['', 'empty'],
    [[], '`[]`'],
    [[1], 'a list'],
    [{}, '`{}`'],
    [{ a: 1 }, 'a map'],
    [null, '`null`'],
    ['x'.repeat(70), `\`${'x'.repeat(59)}…\``],
    ['`', "`'`"],
  ])('quotes %j as %s', (value, expected) => {
    expect(quoted(value)).toBe(expected);
  });
});
