import { describe, expect, it } from 'vitest';
import { headSince } from '../../../src/core/posting/head-history.ts';

const [x, y] = ['a'.repeat(40), 'b'.repeat(40)] as [string, string];
/** Runs that were made one an hour, from nine o'clock. */
const seen = (...heads: string[]) =>
  heads.map((sha, index) => ({
    run: 7301 + index,
    sha,
    at: `2026-11-20T${String(9 + index).padStart(2, '0')}:00:00Z`,
  }));

describe('since when a pull request has its head', () => {
  it('is the first run of the commit: others of it came with a label, or were reopened', () => {
    expect(headSince(seen(y, x, x, x), x)).toBe('2026-11-20T10:00:00Z');
  });

  it('is the run that saw the commit come back, where another one was pushed over it', () => {
    expect(headSince(seen(x, y, x), x)).toBe('2026-11-20T11:00:00Z');
  });

  it('goes by the order of the runs, not of the list', () => {
    expect(headSince(seen(x, y, x).reverse(), x)).toBe('2026-11-20T11:00:00Z');
  });

  it('is not known where the last run saw another head, or none saw any', () => {
    expect(headSince(seen(x, y), x)).toBeNull();
    expect(headSince([], x)).toBeNull();
  });
});
