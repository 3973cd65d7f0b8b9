import * as z from 'zod';
import { counted } from '../../format/figures.ts';
import { count, wholeSeconds } from '../../values/scalars.ts';
import {
  commonLoadWithTimeout,
  connectionsKey,
  type Filled,
  keepAliveKey,
  type LoadDefinition,
  type LoadOfCase,
  type LoadProblem,
  type SpecLoad,
  type WrittenLoad,
} from '../load.ts';
import { recordedCount, recordedFigure, recordedLoad } from '../recorded.ts';

/** `MAX_CONCURRENCY` of ab.c. */
const MOST_CONNECTIONS = 20_000;
/** Of a trial that is to be over soon. */
const REQUESTS_PER_SECOND = 1000;

interface AbLoad extends SpecLoad {
  timeoutSeconds: number;
  requests: number;
}

export interface AbCaseLoad extends LoadOfCase {
  timeoutSeconds: number;
  generator: 'ab';
  requests: number;
}

export interface AbForms {
  written: z.infer<typeof written>;
  filled: Filled<AbForms['written']>;
  ofSpec: AbLoad;
  ofCase: AbCaseLoad;
}

const defaults = { requests: 10_000, connections: [128], 'keep-alive': ['off'], timeout: '30s' } as const;

const written = z
  .strictObject({
    requests: count('a number of requests, 1 to 1000000000', 1, 1_000_000_000)
      .meta({ description: 'Requests in one trial.', default: defaults.requests })
      .optional(),
    connections: connectionsKey
      .meta({ description: 'Requests under way at once; each makes a case.', default: defaults.connections })
      .optional(),
    'keep-alive': keepAliveKey
      .meta({
        description: '`on` needs a server that keeps HTTP/1.0 connections open; each makes a case.',
        default: defaults['keep-alive'],
      })
      .optional(),
    timeout: wholeSeconds
      .meta({ description: 'A wait for an answer ends after this.', default: defaults.timeout })
      .optional(),
  })
  .meta({ id: 'ab' });

export const abLoad: LoadDefinition<AbForms> = {
  description: 'ApacheBench: a fixed number of requests.',
  example: '{requests: 10000}',
  written,
  defaults,
  ofSpec: (filled) => ({ requests: filled.requests, ...commonLoadWithTimeout(filled) }),
  ofCase: ({ requests, timeoutSeconds }) => ({ generator: 'ab', requests, timeoutSeconds }),
  keySuffix: () => '',
  // ab refuses fewer requests than connections.
  shortened: (load, seconds) => ({
    ...load,
    requests: Math.min(load.requests, Math.max(seconds * REQUESTS_PER_SECOND, ...load.connections)),
  }),
  scriptOf: () => null,
  recorded: recordedLoad.extend({
    timeoutSeconds: recordedFigure,
    requests: recordedCount,
  }),
  problems,
  driven: ({ requests }) => `${counted(requests, 'request')} for each case`,
};

function problems(load: WrittenLoad): LoadProblem[] {
  const most = Math.max(...load.numbersOf('connections'));
  const requests = load.numbersOf('requests')[0] ?? Number.POSITIVE_INFINITY;
  const own = load.at('connections') === undefined ? 'requests' : 'connections';
  // Nothing of ab is written: what a preset holds fits.
  if (!load.isMap || (most <= requests && most <= MOST_CONNECTIONS)) return [];
  const message =
    most > MOST_CONNECTIONS
      ? `load.ab.connections is ${most}: ab opens ${MOST_CONNECTIONS} at most`
      : `load.ab has ${most} connections and only ${requests === 1 ? 'one request' : `${requests} requests`}: ab needs at least one request for each connection`;
  return [{ path: [own], at: 'value', code: 'contradiction', message, found: String(most) }];
}
