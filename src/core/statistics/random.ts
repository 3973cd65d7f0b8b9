/**
 * The only randomness of `core/`: xoshiro128** 1.1 by David Blackman and Sebastiano Vigna (public domain,
 * https://prng.di.unimi.it/xoshiro128starstar.c), its state filled from one number by a Weyl sequence through MurmurHash3's
 * finaliser. The same seed gives the same numbers everywhere and always: orders and resamples can be had again.
 */
export interface Random {
  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number;
  /** From 0 inclusive to 1 exclusive, with 53 random bits. */
  next(): number;
  /** A whole number from 0 to `limit` - 1, each as likely. Throws `RangeError` unless `limit` is 1 to 2^32. */
  below(limit: number): number;
}

const TWO_TO_32 = 0x1_0000_0000;

/** A generator for a seed; only the seed's lowest 32 bits of its whole part count. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
  return randomFromState([word(), word(), word(), word()]);
}

/** A generator for the four words of its state, which must not all be 0. */
export function randomFromState(words: readonly [number, number, number, number]): Random {
  let [a, b, c, d] = words;
  const uint32 = () => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return result;
  };
  return {
    uint32,
    next: () => ((uint32() >>> 5) * 0x400_0000 + (uint32() >>> 6)) / 0x20_0000_0000_0000,
    below(limit) {
      if (!Number.isInteger(limit) || limit < 1 || limit > TWO_TO_32) {
        throw new RangeError(`below(${limit}): a limit is a whole number from 1 to 2^32`);
      }
      // What lies above the largest multiple of the limit is thrown away: a plain remainder would favour small numbers.
      const end = TWO_TO_32 - (TWO_TO_32 % limit);
      let value = uint32();
      while (value >= end) value = uint32();
      return value % limit;
    },
  };
}

/** The items in a random order (Fisher-Yates); the list itself stays as it is. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const chosen = random.below(last + 1);
    [result[last], result[chosen]] = [result[chosen]!, result[last]!];
  }
  return result;
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
