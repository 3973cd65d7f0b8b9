import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandedBraces, matchesGlob } from '../../../src/core/config/glob.ts';

describe('a glob', () => {
  it.each([
    ['*', '', true],
    ['*', 'go/ping', true],
    ['go', 'go', true],
    ['go', 'go2', false],
    ['/db/*', '/db/ping', true],
    ['/db/*', '/db', false],
    ['*/wrk/*', 'go/ping/direct/wrk/keep-alive-off/100', true],
    ['*off/1??', 'go/ping/direct/wrk/keep-alive-off/100', true],
    ['*off/1??', 'go/ping/direct/wrk/keep-alive-off/1000', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['[go]', 'g', false],
    ['', '', true],
    ['?', '*', true],
    ['/db/{ping,users}', '/db/users', true],
    ['/db/{ping,users}', '/db/user', false],
    ['/{db/*,ping}', '/db/users', true],
    ['go/{ping,db-{read,write}}/*/wrk/*', 'go/db-write/direct/wrk/keep-alive/100', true],
    ['go/{ping,db-{read,write}}/*/wrk/*', 'go/db/direct/wrk/keep-alive/100', false],
    ['users{,-list}', 'users', true],
    ['/items/{id}', '/items/{id}', true],
    ['/{items/{id},ping}', '/items/{id}', true],
    ['/{items', '/{items', true],
    ['a}{b,c}', 'a}c', true],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it('says what the same pattern says as a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '/'), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const expression = new RegExp(
          `^${[...pattern].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c)).join('')}$`,
        );
        expect(matchesGlob(pattern, text)).toBe(expression.test(text));
      }),
      { seed: 5, numRuns: 2000 },
    );
  });

  it('says so of long parts too, wherever they begin', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', '?'), minLength: 33, maxLength: 80 });
    const filling = fc.string({ unit: fc.constantFrom('a', 'b', '?'), maxLength: 70 });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 3 }), fc.array(filling), fc.nat(), (parts, fill, at) => {
        const pattern = `*${parts.join('*')}*`;
        const filled = parts.map((part, index) => `${fill[index] ?? ''}${part.replaceAll('?', 'b')}`).join('');
        // As it fits, and with one character another.
        const spot = at % filled.length;
        const spoilt = `${filled.slice(0, spot)}${filled[spot] === 'a' ? 'b' : 'a'}${filled.slice(spot + 1)}`;
        for (const text of [filled, spoilt, `${filled}b`, filled.slice(1)]) {
          const expression = new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '[^]*')}$`);
          expect(matchesGlob(pattern, text)).toBe(expression.test(text));
        }
        expect(matchesGlob(pattern, filled)).toBe(true);
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('is quick where an expression would not be', () => {
    expect(matchesGlob('*a'.repeat(200), `${'a'.repeat(5000)}b`)).toBe(false);
    // Each of these takes longer than a test may where every place in the text is tried with the whole part.
    const many = 'a'.repeat(2_000_000);
    for (const part of [`${'a'.repeat(1_000)}b`, `b${'a'.repeat(1_000)}`, 'a?'.repeat(500).concat('b')]) {
      expect(matchesGlob(`*${part}*`, many)).toBe(false);
    }
  });

  it('says of braces what a shell does', () => {
    const piece = fc.constantFrom('a', 'b', '{a,b}', '{a,}', '{b{a,bb},ab}', '{a}', '*');
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '{', '}', ','), maxLength: 6 });
    const pieces: Record<string, string> = {
      '{a,b}': '(a|b)',
      '{a,}': '(a|)',
      '{b{a,bb},ab}': '(b(a|bb)|ab)',
      '{a}': '\\{a\\}',
      '*': '.*',
    };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), text, (parts, name) => {
        const expression = new RegExp(`^${parts.map((part) => pieces[part] ?? part).join('')}$`);
        expect([parts, name, matchesGlob(parts.join(''), name)]).toEqual([parts, name, expression.test(name)]);
      }),
      { seed: 7, numRuns: 3000 },
    );
  });

  it('with braces for more than 256 names is plain text, and no work', () => {
    const many = Array.from({ length: 256 }, (_, index) => `e${index}`);
    expect(matchesGlob(`{${many}}`, 'e255')).toBe(true);
    expect(matchesGlob(`{${many},e256}`, 'e256')).toBe(false);
    const exploding = '{a,b}'.repeat(100_000);
    expect([matchesGlob(exploding, 'a'), matchesGlob('{,'.repeat(50_000), 'a')]).toEqual([false, false]);
    expect(matchesGlob(exploding, exploding)).toBe(true);
  });

  it('stands for what it is without braces, in their order, each once', () => {
    expect(expandedBraces('{a,b{c,d}}-{1,1}')).toEqual(['a-1', 'bc-1', 'bd-1']);
    expect(expandedBraces('/items/{id}')).toEqual(['/items/{id}']);
  });
});
