import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, listOf, listText, searchOf, stateOf } from '../../../../src/site/pages/address.ts';

describe('the address of a view', () => {
  it('keeps keys that nobody knows, in their order', () => {
    const state = stateOf('?utm=1&view=trend&metric=throughput&view=run');
    expect([...state]).toEqual([
      ['utm', '1'],
      ['view', 'trend'],
      ['metric', 'throughput'],
    ]);
    expect(searchOf(changed(state, { metric: 'latency-p99', view: null, band: 'off' }))).toBe(
      '?utm=1&metric=latency-p99&band=off',
    );
  });

  it('leaves the slashes and the @ of a key as they are', () => {
    expect(searchOf(stateOf('?case=go%2Fping%2Fdirect%2Fk6%2Fon%2F100%4060%25'))).toBe(
      '?case=go/ping/direct/k6/on/100@60%25',
    );
  });

  it('is read as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), (entries) => {
        const state = new Map(Object.entries(entries));
        expect([...stateOf(searchOf(state))]).toEqual([...state]);
      }),
    );
  });

  it('holds several names in one value', () => {
    expect(listText(['a|b', 'c\\', 'd'])).toBe('a\\|b|c\\\\|d');
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' })), (names) => {
        expect(listOf(listText(names))).toEqual(names);
      }),
    );
  });
});
