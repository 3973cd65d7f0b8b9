import { counted } from '../../format/figures.ts';
import { count } from '../../values/scalars.ts';
import { section, usual } from '../../values/section.ts';
import {
  type CaseOf,
  connectionsKey,
  keepAliveKey,
  type LoadDefinition,
  type LoadProblem,
  ownOf,
  timeoutKey,
  type WrittenLoad,
} from '../load.ts';

/** `MAX_CONCURRENCY` of ab.c. */
const MOST_CONNECTIONS = 20_000;
/** Of a trial that is to be over soon. */
const REQUESTS_PER_SECOND = 1000;

const keys = section(
  {
    requests: usual(count('a number of requests, 1 to 1000000000', 1, 1_000_000_000), 10_000, 'Requests in one trial.'),
    connections: connectionsKey([128], 'Requests under way at once; each makes a case.'),
    'keep-alive': keepAliveKey(['off'], '`on` needs a server that keeps HTTP/1.0 connections open; each makes a case.'),
    timeout: timeoutKey('30s', 'A wait for an answer ends after this.'),
  },
  { id: 'ab' },
);
type AbLoad = ReturnType<typeof keys.read>;
export type AbCaseLoad = CaseOf<'ab', AbLoad>;

export interface AbForms {
  written: Parameters<typeof keys.read>[0];
  ofSpec: AbLoad;
  ofCase: AbCaseLoad;
}

export const abLoad: LoadDefinition<AbForms> = {
  description: 'ApacheBench: a fixed number of requests.',
  example: '{requests: 10000}',
  keys,
  ofCase: (load) => ({ generator: 'ab', ...ownOf(load) }),
  keySuffix: () => '',
  // ab refuses fewer requests than connections.
  shortened: (load, seconds) => ({
    ...load,
    requests: Math.min(load.requests, Math.max(seconds * REQUESTS_PER_SECOND, ...load.connections)),
  }),
  scriptOf: () => null,
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
