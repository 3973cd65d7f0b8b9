import * as z from 'zod';

/** Parts of a load as `run.json` holds it. Finite, since `1e999` in a file would otherwise arrive as Infinity. */
export const recordedFigure = z.number();
export const recordedCount = z.number().int().nonnegative();

export const recordedLoad = z.looseObject({
  connections: z.array(recordedCount),
  keepAlive: z.array(z.boolean()),
});
