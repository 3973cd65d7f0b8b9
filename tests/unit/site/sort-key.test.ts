import { describe, expect, it } from 'vitest';
import { byKey, sortKey } from '../../../src/site/sort-key.ts';

const sorted = (cells: string[], order: 'ascending' | 'descending' = 'ascending', isFigure = true) =>
  cells
    .map((text) => ({ text, key: sortKey(text, isFigure) }))
    .sort((one, other) => byKey(one.key, other.key, order))
    .map(({ text }) => text);

describe('the order of a column', () => {
  it('goes by the figure and its unit, not by its digits', () => {
    expect(sorted(['1.70 s', '119 µs', '41.51 ms', '2.79 ms'])).toEqual(['119 µs', '2.79 ms', '41.51 ms', '1.70 s']);
    expect(sorted(['1.50 GiB', '512 KiB', '133 B', '13.8 MiB'])).toEqual(['133 B', '512 KiB', '13.8 MiB', '1.50 GiB']);
    expect(sorted(['67,036', '584,991', '0.52', '1.2e+21'])).toEqual(['0.52', '67,036', '584,991', '1.2e+21']);
  });

  it('goes by the change in a column of changes, and by the figure where that comes first', () => {
    expect(sorted(['✗ +16.4 % worse (+14.6 … +18.7)', '✗ -26.3 % worse (-28.7 … -24.3)', '✓ +2.0 % better'])).toEqual([
      '✗ -26.3 % worse (-28.7 … -24.3)',
      '✓ +2.0 % better',
      '✗ +16.4 % worse (+14.6 … +18.7)',
    ]);
    expect(sorted(['5,236/s (-26.3 %, worse)', '31,806/s (-0.29 %)', '812/s (+1.0 %)'])).toEqual([
      '812/s (+1.0 %)',
      '5,236/s (-26.3 %, worse)',
      '31,806/s (-0.29 %)',
    ]);
  });

  it('has what is missing last, up and down', () => {
    expect(sorted(['–', '3', '', 'missing', '12'])).toEqual(['3', '12', '–', '', 'missing']);
    expect(sorted(['–', '3', '12'], 'descending')).toEqual(['12', '3', '–']);
  });

  it('goes by letters in a column of names, numbers in them as numbers', () => {
    const names = ['keep-alive on · 1,000', 'keep-alive off · 10', 'api 10', 'api 9'];
    expect(sorted(names, 'ascending', false)).toEqual([
      'api 9',
      'api 10',
      'keep-alive off · 10',
      'keep-alive on · 1,000',
    ]);
    expect(sorted(['a', 'c', 'b'], 'descending', false)).toEqual(['c', 'b', 'a']);
  });
});
