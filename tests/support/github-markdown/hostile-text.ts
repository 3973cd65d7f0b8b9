import fc from 'fast-check';
import { PIECES } from './pieces.ts';

/** Something of a letter that is seen. */
export const hostileText = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: 'binary', maxLength: 3 })), {
    minLength: 1,
    maxLength: 14,
  })
  .map((pieces) => pieces.join(''))
  .filter((text) => text.trim() !== '');
