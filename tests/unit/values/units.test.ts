import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  microsecondsOf,
  millisecondsOf,
  perSecondOf,
  ratioOf,
  secondsOf,
  UnitError,
} from '../../../src/core/values/units.ts';

describe('durations', () => {
  it.each([
    ['10s', 10],
    ['500ms', 0.5],
    ['2m', 120],
    ['1m30s', 90],
    ['1h', 3600],
    ['0.5h', 1800],
    ['1.25s', 1.25],
    ['0s', 0],
  ])('%s', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
    expect(millisecondsOf(text)).toBe(seconds * 1000);
  });

  it.each(['', '10', 's', '10 s', '-1s', '1d', '10sec', '1e9s', '٣s', `${'9'.repeat(400)}s`])('%j is none', (text) => {
    expect(() => secondsOf(text)).toThrow(UnitError);
  });

  it('of microseconds', () => {
    expect(microsecondsOf('120us')).toBe(120);
    expect(microsecondsOf('1.5ms')).toBe(1500);
  });
});

describe('sizes', () => {
  it.each([
    ['512m', 536_870_912],
    ['1g', 1_073_741_824],
    ['256MB', 268_435_456],
    ['1.5GiB', 1_610_612_736],
    ['64k', 65_536],
    ['10b', 10],
    ['1T', 1_099_511_627_776],
    [4096, 4096],
  ])('%s', (size, bytes) => {
    expect(bytesOf(size)).toBe(bytes);
  });

  it.each(['', '512', 'm', '1 g', '-1m', '1x', '1mbit'])('%j is none', (text) => {
    expect(() => bytesOf(text)).toThrow(UnitError);
  });
});

describe('percentages and rates', () => {
  it('are free of binary noise', () => {
    expect([ratioOf('7%'), ratioOf('0.1%'), ratioOf('60%'), ratioOf('250%')]).toEqual([0.07, 0.001, 0.6, 2.5]);
    expect(perSecondOf('2000/s')).toBe(2000);
  });

  it.each(['3', '%', '3 %', '-3%'])('%j is not a percentage', (text) => {
    expect(() => ratioOf(text)).toThrow(UnitError);
  });

  it.each(['2000', '/s', '2000/m', '2000 /s'])('%j is not a rate', (text) => {
    expect(() => perSecondOf(text)).toThrow(UnitError);
  });
});

describe('every text', () => {
  it('is a finite quantity or a UnitError', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.]{0,12}(ms|us|s|m|h|k|g|%|\/s)?$/));
    fc.assert(
      fc.property(texts, (text) => {
        for (const read of [secondsOf, bytesOf, ratioOf, perSecondOf, microsecondsOf]) {
          try {
            expect(Number.isFinite(read(text))).toBe(true);
          } catch (error) {
            if (!(error instanceof UnitError)) throw error;
          }
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
