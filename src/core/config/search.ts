import * as z from 'zod';
import { milliseconds, ratio, seconds } from '../values/forms.ts';
import { count, slug } from '../values/scalars.ts';
import { combined, orElse, orNull, required, section, usual } from '../values/section.ts';

/** What can be searched for, and the generators that can find it. */
export const SEARCHERS = { rate: ['k6', 'h2load'], connections: ['wrk'] } as const;
export type Searched = keyof typeof SEARCHERS;
export const USUALLY_SEARCHED: Searched = 'rate';

const LEVEL_PHRASE = 'a number of requests per second or of connections, 1 to 10000000';
const level = count(LEVEL_PHRASE, 1, 10_000_000);

const limits = section({
  p99: orNull(milliseconds, {
    as: 'p99Ms',
    description: 'The most that the 99th percentile of latency may be.',
  }),
  errors: usual(ratio, '0.1%', { as: 'errorShare', description: 'The most of all requests that may fail.' }),
});

const searcher = z.enum(['k6', 'h2load', 'wrk']);

/** Which level each service holds: requests per second, or connections. */
export const search = section({
  find: usual(
    z.enum(['rate', 'connections']),
    USUALLY_SEARCHED,
    '`rate`: the most requests per second, sent at a fixed rate. `connections`: the most connections, each of which asks again when it is answered.',
  ),
  endpoint: orNull(slug, 'Endpoint that is asked; each by itself where it is absent.'),
  generator: combined(
    searcher,
    'k6 or h2load find a rate, wrk finds connections; k6 or wrk where it is absent.',
    (all: { find?: Searched; generator?: z.infer<typeof searcher> }): z.infer<typeof searcher> =>
      all.generator ?? SEARCHERS[all.find ?? USUALLY_SEARCHED][0],
    z.enum(['k6', 'h2load', 'wrk']),
  ),
  from: required(level, 'The lowest level that is tried.'),
  to: required(level, 'The highest level that is tried.'),
  connections: usual(
    count('a number of connections, 1 to 65536', 1, 65_536),
    100,
    'Connections that a rate is sent over, or virtual users of k6.',
  ),
  duration: usual(seconds, '5s', { as: 'durationSeconds', description: 'Length of one try.' }),
  limits: orElse(limits, limits.read({}), 'What a level has to keep to count as held.'),
  precision: usual(
    ratio,
    '5%',
    'How close together the highest level that held and the lowest that did not are to be.',
  ),
});
