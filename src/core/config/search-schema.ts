import * as z from 'zod';
import { count, duration, percentage, slug } from '../values/scalars.ts';
import { DEFAULTS } from './defaults.ts';

/** What can be searched for, and the generators that can find it. */
export const SEARCHERS = { rate: ['k6', 'h2load'], connections: ['wrk'] } as const;
export type Searched = keyof typeof SEARCHERS;

const LEVEL_PHRASE = 'a number of requests per second or of connections, 1 to 10000000';
const level = count(LEVEL_PHRASE, 1, 10_000_000);

export const searchSchema = z.strictObject({
  find: z
    .enum(['rate', 'connections'])
    .meta({
      description:
        '`rate`: the most requests per second, sent at a fixed rate. `connections`: the most connections, each of which asks again when it is answered.',
      default: DEFAULTS.search.find,
    })
    .optional(),
  endpoint: slug.meta({ description: 'Endpoint that is asked; each by itself where it is absent.' }).optional(),
  generator: z
    .enum(['k6', 'h2load', 'wrk'])
    .meta({ description: 'k6 or h2load find a rate, wrk finds connections; k6 or wrk where it is absent.' })
    .optional(),
  from: level.meta({ description: 'The lowest level that is tried.' }),
  to: level.meta({ description: 'The highest level that is tried.' }),
  connections: count('a number of connections, 1 to 65536', 1, 65_536)
    .meta({
      description: 'Connections that a rate is sent over, or virtual users of k6.',
      default: DEFAULTS.search.connections,
    })
    .optional(),
  duration: duration.meta({ description: 'Length of one try.', default: DEFAULTS.search.duration }).optional(),
  limits: z
    .strictObject({
      p99: duration.meta({ description: 'The most that the 99th percentile of latency may be.' }).optional(),
      errors: percentage
        .meta({ description: 'The most of all requests that may fail.', default: DEFAULTS.search.limits.errors })
        .optional(),
    })
    .meta({ description: 'What a level has to keep to count as held.' })
    .optional(),
  precision: percentage
    .meta({
      description: 'How close together the highest level that held and the lowest that did not are to be.',
      default: DEFAULTS.search.precision,
    })
    .optional(),
});

export type SearchInput = z.infer<typeof searchSchema>;
