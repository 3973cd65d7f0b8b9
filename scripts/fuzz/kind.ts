import type { Random } from '../../src/core/statistics/random.ts';

/** A kind of text that others write, and what is done with it. */
export interface Kind {
  name: string;
  /** Of all inputs, in parts of the sum of all kinds. */
  share: number;
  input(random: Random): string;
  /**
   * Reads it, and shows what was read. What is thrown is a defect, and is found by that; false where the input was refused as it
   * should be. A function is what others make of it, whose time does not count.
   */
  read(input: string): boolean | (() => boolean);
}
