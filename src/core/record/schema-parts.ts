import * as z from 'zod';

/** Finite: `1e999` in a file would otherwise arrive as Infinity. */
export const figure = z.number();
export const count = z.number().int().nonnegative();
export const text = z.string();
export const texts = z.record(text, text);
export const reason = z.looseObject({ code: text, message: text });

/** What a comparison says of a metric that is limited. */
export const verdict = z.enum([
  'regression',
  'improvement',
  'no-change',
  'inconclusive',
  'not-measured',
  'invalid',
  'new',
]);
