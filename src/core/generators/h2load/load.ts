import * as z from 'zod';
import { count } from '../../values/scalars.ts';
import { secondsOf } from '../../values/units.ts';
import { type Arrival, arrivalOf, drivenBy, rateInKey, rateKey, rateProblems, recordedArrival } from '../arrival.ts';
import {
  commonLoad,
  connectionsKey,
  durationKey,
  type Filled,
  keepAliveKey,
  type LoadDefinition,
  type LoadOfCase,
  type SpecLoad,
  shortenedDuration,
} from '../load.ts';
import { recordedCount, recordedFigure, recordedLoad } from '../recorded.ts';

/** A closed loop: each connection asks again when it is answered. */
export const CLOSED_LOOP = 'max';
type H2loadArrival = Arrival<typeof CLOSED_LOOP>;

interface Own {
  arrival: H2loadArrival;
  threads: number;
  /** Requests under way at once on one connection; 1 over HTTP/1.1. */
  streams: number;
  durationSeconds: number;
}
export interface H2loadLoad extends SpecLoad, Own {
  durationSeconds: number;
}
export interface H2loadCaseLoad extends LoadOfCase, Own {
  generator: 'h2load';
  durationSeconds: number;
}

export interface H2loadForms {
  written: z.infer<typeof written>;
  filled: Filled<H2loadForms['written']>;
  ofSpec: H2loadLoad;
  ofCase: H2loadCaseLoad;
}

const defaults = {
  rate: '60%',
  threads: 1,
  connections: [50],
  streams: 1,
  'keep-alive': ['on'],
  duration: '10s',
} as const;

const written = z
  .strictObject({
    rate: rateKey(CLOSED_LOOP)
      .meta({
        description:
          'Requests per second: a share of the measured capacity (`60%`), or `2000/s`. `max`: each connection asks again as soon as it is answered.',
        default: defaults.rate,
      })
      .optional(),
    threads: count('a number of threads, 1 to 1024', 1, 1024)
      .meta({ description: 'Threads of h2load; never more than connections.', default: defaults.threads })
      .optional(),
    connections: connectionsKey
      .meta({
        description: 'Connections, all of which are opened at the start; each makes a case.',
        default: defaults.connections,
      })
      .optional(),
    streams: count('a number of streams, 1 to 1000', 1, 1000)
      .meta({
        description: 'Requests under way at once on one connection, where the service speaks HTTP/2.',
        default: defaults.streams,
      })
      .optional(),
    'keep-alive': keepAliveKey
      .meta({ description: 'Only `on`: h2load keeps its connections.', default: defaults['keep-alive'] })
      .optional(),
    duration: durationKey(defaults.duration),
  })
  .meta({ id: 'h2load' });

export const h2loadLoad: LoadDefinition<H2loadForms> = {
  description: 'h2load: HTTP/1.1 or HTTP/2, at a fixed rate or as fast as answers come.',
  example: '{rate: 60%}',
  written,
  defaults,
  ofSpec: (filled) => ({
    arrival: arrivalOf(filled.rate, CLOSED_LOOP),
    threads: filled.threads,
    streams: filled.streams,
    ...commonLoad(filled),
    durationSeconds: secondsOf(filled.duration),
  }),
  ofCase: ({ arrival, threads, streams, durationSeconds }, connections) => ({
    generator: 'h2load',
    arrival,
    threads: Math.min(threads, connections),
    streams,
    durationSeconds,
  }),
  keySuffix: ({ arrival }) => `@${rateInKey(arrival)}`,
  shortened: shortenedDuration,
  scriptOf: () => null,
  recorded: recordedLoad.extend({
    arrival: recordedArrival(CLOSED_LOOP),
    threads: recordedCount,
    streams: recordedCount,
    durationSeconds: recordedFigure,
  }),
  problems: (load) => rateProblems('h2load', load),
  driven: ({ arrival, streams }) => drivenBy(arrival, closedLoopOf(streams)),
};

function closedLoopOf(streams: number): string {
  return streams === 1 ? 'one request under way per connection' : `${streams} requests under way per connection`;
}
