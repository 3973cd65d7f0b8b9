import { relativePath } from '../../values/scalars.ts';
import { orNull, section } from '../../values/section.ts';
import { drivenBy, rateInKey, rateKey, rateProblems } from '../arrival.ts';
import {
  type CaseOf,
  connectionsKey,
  durationKey,
  keepAliveKey,
  type LoadDefinition,
  ownOf,
  shortenedDuration,
  timeoutKey,
} from '../load.ts';

/** A closed loop: each virtual user asks again when it is answered. */
export const CLOSED_LOOP = 'vus';

const keys = section(
  {
    rate: rateKey(
      CLOSED_LOOP,
      'Requests per second that k6 sends, whatever comes back: a share of the measured capacity (`60%`), or `2000/s`. `vus`: each connection asks again as soon as it is answered.',
    ),
    connections: connectionsKey([100], 'Virtual users at most; each makes a case.'),
    'keep-alive': keepAliveKey(['on', 'off'], '`off` closes the connection after each request; each makes a case.'),
    duration: durationKey('10s'),
    timeout: timeoutKey('10s', 'A request that takes longer has failed.'),
    script: orNull(
      relativePath,
      'A k6 script template of your own. Files that it opens or imports from the folder of the spec are taken along. Its `thresholds` and `systemTags` may stay; no threshold is judged, and none ends the load early. Where wrkbench runs as root, the script runs as the user nobody.',
    ),
  },
  { id: 'k6' },
);
type K6Load = ReturnType<typeof keys.read>;
export type K6CaseLoad = CaseOf<'k6', K6Load>;

export interface K6Forms {
  written: Parameters<typeof keys.read>[0];
  ofSpec: K6Load;
  ofCase: K6CaseLoad;
}

export const k6Load: LoadDefinition<K6Forms> = {
  description: 'k6: requests at a fixed rate, for latency below saturation.',
  example: '{rate: 60%}',
  keys,
  ofCase: (load) => ({ generator: 'k6', ...ownOf(load) }),
  keySuffix: ({ arrival }) => `@${rateInKey(arrival)}`,
  shortened: shortenedDuration,
  scriptOf: ({ script }) => script,
  problems: (load) => rateProblems('k6', load),
  driven: ({ arrival }) => drivenBy(arrival, 'one virtual user per connection'),
};
