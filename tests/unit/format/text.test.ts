import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnsOf,
  leftToRight,
  paddedEnd,
  paddedStart,
  shortened,
  terminalText,
  visible,
  visibleLines,
  withoutColours,
  wrapped,
} from '../../../src/core/format/text.ts';

describe('what strangers wrote', () => {
  it('becomes one line', () => {
    expect(visible('first\nsecond\r\n\tthird\u2028fourth')).toBe('first second third fourth');
  });

  it('shows what would act or hide: escape sequences, bidirectional overrides, zero-width letters, half characters', () => {
    expect(visible('a\u001b[31mb\u0000c')).toBe('a⟨U+001B⟩[31mb⟨U+0000⟩c');
    expect(visible('abc\u202Egnp.exe\u2066')).toBe('abc⟨U+202E⟩gnp.exe⟨U+2066⟩');
    expect(visible('pay\u200bpal\u00ad\ufeff\ud800')).toBe('pay⟨U+200B⟩pal⟨U+00AD⟩⟨U+FEFF⟩⟨U+D800⟩');
  });

  it('keeps the joiner that makes one picture of several', () => {
    expect(visible('👩‍🚀')).toBe('👩‍🚀');
    expect(visible('👩🏽‍🚀 ❤️ 🏳️‍🌈')).toBe('👩🏽‍🚀 ❤️ 🏳️‍🌈');
  });

  it('shows the joiner, and letters that no font shows, where they only hide', () => {
    expect(visible('go\u200d go\u3164 go\u115f go\u034f go\u{e0101}')).toBe(
      'go⟨U+200D⟩ go⟨U+3164⟩ go⟨U+115F⟩ go⟨U+034F⟩ go⟨U+E0101⟩',
    );
  });

  it('keeps its lines and indentation where they mean something', () => {
    expect(visibleLines('panic:\n  at main.go:12\r\n\tdeeper\u0007')).toEqual([
      'panic:',
      '  at main.go:12',
      '    deeper⟨U+0007⟩',
    ]);
  });

  it('holds no character that acts, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visible(text)).not.toMatch(/[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029]/u);
      }),
      { seed: 20260301, numRuns: 2000 },
    );
  });
});

describe('what a program printed', () => {
  it('is read without its colours, and with all other codes', () => {
    expect(withoutColours('\u001b[1;31mpanic:\u001b[0m no \u001b[38:5:9mtable\u001b[m')).toBe('panic: no table');
    expect(withoutColours('a\u001b[2Jb\u001b]0;title\u0007 [0m')).toBe('a\u001b[2Jb\u001b]0;title\u0007 [0m');
  });
});

describe('a terminal', () => {
  it('is sent lines in which nothing acts, and our mark after Hebrew', () => {
    expect(terminalText('a\u001b[2J\r\n\tb\rc\u009b31m\n')).toBe('a⟨U+001B⟩[2J\n    b\nc⟨U+009B⟩31m\n');
    expect(terminalText(`${leftToRight('שלום')} 1`)).toBe('שלום\u200e 1');
  });

  it('gives East Asian letters and emoji two columns, marks none', () => {
    expect([
      columnsOf('go'),
      columnsOf('日本'),
      columnsOf('é'),
      columnsOf('e\u0301'),
      columnsOf('🚀'),
      columnsOf('ｗｒｋ'),
    ]).toEqual([2, 4, 1, 1, 2, 6]);
  });

  it('is padded by columns, not by characters', () => {
    expect(paddedEnd('日本', 6)).toBe('日本  ');
    expect(paddedStart('日本', 6)).toBe('  日本');
    expect(paddedEnd('longer', 3)).toBe('longer');
  });

  it('is given short texts', () => {
    expect(shortened('apostol-v2', 10)).toBe('apostol-v2');
    expect(shortened('apostol-v2', 8)).toBe('apostol…');
    expect(shortened('日本語', 4)).toBe('日…');
  });

  it('is given lines that fit, broken at spaces', () => {
    expect(wrapped('the service no longer answers', 12)).toEqual(['the service', 'no longer', 'answers']);
    expect(wrapped('aaaaaaaaaaaaaaaa b', 8)).toEqual(['aaaaaaa…', 'b']);
  });

  it('writes on from left to right after Hebrew', () => {
    expect(leftToRight('שלום')).toBe('שלום\u200e');
    expect(leftToRight('go')).toBe('go');
  });
});
