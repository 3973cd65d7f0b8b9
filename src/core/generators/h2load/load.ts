import { count } from '../../values/scalars.ts';
import { section, usual } from '../../values/section.ts';
import { drivenBy, rateInKey, rateKey, rateProblems } from '../arrival.ts';
import {
  type CaseOf,
  connectionsKey,
  durationKey,
  keepAliveKey,
  type LoadDefinition,
  ownOf,
  shortenedDuration,
} from '../load.ts';

/** A closed loop: each connection asks again when it is answered. */
export const CLOSED_LOOP = 'max';

const keys = section(
  {
    rate: rateKey(
      CLOSED_LOOP,
      'Requests per second: a share of the measured capacity (`60%`), or `2000/s`. `max`: each connection asks again as soon as it is answered.',
    ),
    threads: usual(
      count('a number of threads, 1 to 1024', 1, 1024),
      1,
      'Threads of h2load; never more than connections.',
    ),
    connections: connectionsKey([50], 'Connections, all of which are opened at the start; each makes a case.'),
    streams: usual(
      count('a number of streams, 1 to 1000', 1, 1000),
      1,
      'Requests under way at once on one connection, where the service speaks HTTP/2.',
    ),
    'keep-alive': keepAliveKey(['on'], 'Only `on`: h2load keeps its connections.'),
    duration: durationKey('10s'),
  },
  { id: 'h2load' },
);
export type H2loadLoad = ReturnType<typeof keys.read>;
export type H2loadCaseLoad = CaseOf<'h2load', H2loadLoad>;

export interface H2loadForms {
  written: Parameters<typeof keys.read>[0];
  ofSpec: H2loadLoad;
  ofCase: H2loadCaseLoad;
}

export const h2loadLoad: LoadDefinition<H2loadForms> = {
  description: 'h2load: HTTP/1.1 or HTTP/2, at a fixed rate or as fast as answers come.',
  example: '{rate: 60%}',
  keys,
  ofCase: (load, connections) => ({
    generator: 'h2load',
    ...ownOf(load),
    threads: Math.min(load.threads, connections),
  }),
  keySuffix: ({ arrival }) => `@${rateInKey(arrival)}`,
  shortened: shortenedDuration,
  scriptOf: () => null,
  problems: (load) => rateProblems('h2load', load),
  driven: ({ arrival, streams }) => drivenBy(arrival, closedLoopOf(streams)),
};

function closedLoopOf(streams: number): string {
  return streams === 1 ? 'one request under way per connection' : `${streams} requests under way per connection`;
}
