import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bracketOf,
  levelsOf,
  mostProbes,
  nextLevel,
  usualProbes,
  type Vote,
} from '../../../src/core/capacity/bisection.ts';

const ranges = fc
  .record({
    from: fc.integer({ min: 1, max: 100_000 }),
    factor: fc.double({ min: 1.02, max: 1000, noNaN: true }),
    precision: fc.constantFrom(0.01, 0.05, 0.2, 1),
    step: fc.constantFrom(1, 2, 4, 7),
  })
  .map(({ from, factor, precision, step }) => {
    const range = { from, to: Math.max(from + 1, Math.round(from * factor)), precision };
    return { ...range, levels: levelsOf(range, step) };
  });

/** All votes of a search in which `held` decides. */
function searched(levels: readonly number[], held: (level: number, at: number) => boolean): Vote[] {
  const votes: Vote[] = [];
  for (let level = nextLevel(levels, votes); level !== null; level = nextLevel(levels, votes)) {
    votes.push({ level, held: held(level, votes.length) });
  }
  return votes;
}

describe('levels', () => {
  it('are round, and begin and end as asked', () => {
    expect(levelsOf({ from: 1000, to: 2000, precision: 0.1 })).toEqual([
      1000, 1090, 1190, 1300, 1410, 1540, 1680, 1830, 2000,
    ]);
    expect(levelsOf({ from: 990, to: 20_011, precision: 0.5 }, 4)).toEqual([
      990, 1440, 2080, 3040, 4400, 6400, 9600, 13_600, 20_011,
    ]);
  });

  it('rise, however the range is written', () => {
    fc.assert(
      fc.property(ranges, ({ from, to, levels }) => {
        expect(levels[0]).toBe(from);
        expect(levels.at(-1)).toBe(to);
        expect(levels.every((level, at) => Number.isInteger(level) && (at === 0 || level > levels[at - 1]!))).toBe(
          true,
        );
      }),
    );
  });
});

describe('a search without noise', () => {
  it('ends with the two neighbours that the limit lies between, in as few probes as it says', () => {
    fc.assert(
      fc.property(ranges, fc.double({ min: 0, max: 1.1, noNaN: true }), ({ from, to, levels }, share) => {
        const limit = from * 0.9 * (to / from) ** share;
        const votes = searched(levels, (level) => level <= limit);
        const { held, failed, isContradictory } = bracketOf(levels, votes);
        expect(isContradictory).toBe(false);
        expect(held ?? 0).toBeLessThanOrEqual(limit);
        expect(failed ?? Number.POSITIVE_INFINITY).toBeGreaterThan(limit);
        expect(failed === null ? levels.length : levels.indexOf(failed)).toBe(
          (held === null ? -1 : levels.indexOf(held)) + 1,
        );
        expect(votes.length).toBeLessThanOrEqual(usualProbes(levels));
      }),
    );
  });

  it('asks every level once but for the two ends', () => {
    const levels = [1, 2, 3, 4, 5, 6, 7];
    expect(searched(levels, (level) => level <= 5).map(({ level }) => level)).toEqual([4, 6, 5, 6, 5]);
    expect(searched(levels, () => true).map(({ level }) => level)).toEqual([4, 6, 7, 7]);
    expect(searched(levels, () => false).map(({ level }) => level)).toEqual([4, 2, 1, 1]);
  });

  it('does not ask again what the machine cannot load', () => {
    const levels = [1, 2, 3];
    expect(
      nextLevel(levels, [
        { level: 2, held: true },
        { level: 3, held: false, isFinal: true },
        { level: 2, held: true },
      ]),
    ).toBe(null);
  });
});

describe('a search with noise', () => {
  const noisy = fc.record({
    range: ranges,
    low: fc.double({ min: -0.1, max: 1.1, noNaN: true }),
    width: fc.double({ min: 0, max: 0.5, noNaN: true }),
    luck: fc.infiniteStream(fc.boolean()),
  });

  it('gives an interval that the uncertain levels reach into, whatever they said', () => {
    fc.assert(
      fc.property(noisy, ({ range: { from, to, levels }, low, width, luck }) => {
        const [always, never] = [from * (to / from) ** low, from * (to / from) ** (low + width)];
        const votes = searched(levels, (level) => level <= always || (level < never && luck.next().value));
        const { held, failed } = bracketOf(levels, votes);
        expect(held ?? 0).toBeLessThan(Math.max(never, always + 1));
        expect(failed ?? Number.POSITIVE_INFINITY).toBeGreaterThan(always);
        expect(held ?? 0).toBeLessThan(failed ?? Number.POSITIVE_INFINITY);
      }),
    );
  });

  it('ends, and gives no interval upside down, though every answer is chance', () => {
    fc.assert(
      fc.property(ranges, fc.infiniteStream(fc.boolean()), ({ levels }, luck) => {
        const votes = searched(levels, () => luck.next().value);
        expect(votes.length).toBeLessThanOrEqual(mostProbes(levels));
        const { held, failed } = bracketOf(levels, votes);
        expect(held ?? 0).toBeLessThan(failed ?? Number.POSITIVE_INFINITY);
      }),
    );
  });

  it('takes back a level that failed once by chance', () => {
    const levels = [1, 2, 3, 4, 5, 6, 7];
    const votes = searched(levels, (level, at) => at > 0 && level <= 5);
    expect(votes.map(({ level }) => level)).toEqual([4, 2, 3, 4, 4, 6, 5, 6, 5]);
    expect(bracketOf(levels, votes)).toEqual({ held: 5, failed: 6, isContradictory: false });
  });

  it('widens its interval where a higher level held and a lower one did not', () => {
    const twice = (level: number, held: boolean) => [1, 2].map(() => ({ level, held }));
    const votes = [...twice(1, true), ...twice(2, false), ...twice(3, true), ...twice(4, false)];
    expect(bracketOf([1, 2, 3, 4], votes)).toEqual({ held: 1, failed: 4, isContradictory: true });
    expect(bracketOf([2, 3], votes)).toEqual({ held: null, failed: null, isContradictory: true });
  });

  it('counts no level that only one try speaks for', () => {
    expect(
      bracketOf(
        [1, 2],
        [
          { level: 1, held: true },
          { level: 2, held: false },
        ],
      ),
    ).toEqual({
      held: null,
      failed: null,
      isContradictory: false,
    });
  });
});
