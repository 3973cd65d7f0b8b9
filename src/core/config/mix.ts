import * as z from 'zod';
import { slug } from '../values/scalars.ts';
import { endpointOrPath } from './endpoint.ts';

const WEIGHT_PHRASE = 'a number above 0, 1000000 at most';
const weight = z.number(WEIGHT_PHRASE).gt(0, WEIGHT_PHRASE).max(1_000_000, WEIGHT_PHRASE);

/** Name → endpoint → how often it is asked, in proportion to the others. */
export const mixes = z.record(
  slug,
  z.record(slug, weight, 'a map from endpoints to weights such as {items: 8, item: 2}'),
  'a map from names to mixes such as {browse: {items: 8, item: 2}}',
);

/** Each as an endpoint of its own, which is named in cases, limits and reports as the others are. */
export function mixedEndpoints(
  written: z.infer<typeof mixes> = {},
): ({ name: string } & ReturnType<typeof endpointOrPath.read>)[] {
  return Object.entries(written).map(([name, mix]) => ({ name, ...endpointOrPath.read('/'), mix }));
}
