import * as z from 'zod';
import { relativePath, wholeSeconds } from '../../values/scalars.ts';
import { secondsOf } from '../../values/units.ts';
import { type Arrival, arrivalOf, drivenBy, rateInKey, rateKey, rateProblems, recordedArrival } from '../arrival.ts';
import {
  commonLoadWithTimeout,
  connectionsKey,
  durationKey,
  type Filled,
  keepAliveKey,
  type LoadDefinition,
  type LoadOfCase,
  type SpecLoad,
  shortenedDuration,
} from '../load.ts';
import { recordedFigure, recordedLoad } from '../recorded.ts';

/** A closed loop: each virtual user asks again when it is answered. */
export const CLOSED_LOOP = 'vus';
type K6Arrival = Arrival<typeof CLOSED_LOOP>;

interface K6Load extends SpecLoad {
  timeoutSeconds: number;
  arrival: K6Arrival;
  durationSeconds: number;
  /** A k6 script template of the user's own, relative to the spec file. */
  script: string | null;
}

export interface K6CaseLoad extends LoadOfCase {
  timeoutSeconds: number;
  generator: 'k6';
  arrival: K6Arrival;
  durationSeconds: number;
  script: string | null;
}

type Written = z.infer<typeof written>;
export interface K6Forms {
  written: Written;
  filled: Pick<Written, 'script'> & Filled<Omit<Written, 'script'>>;
  ofSpec: K6Load;
  ofCase: K6CaseLoad;
}

const defaults = {
  rate: '60%',
  connections: [100],
  'keep-alive': ['on', 'off'],
  duration: '10s',
  timeout: '10s',
} as const;

const written = z
  .strictObject({
    rate: rateKey(CLOSED_LOOP)
      .meta({
        description:
          'Requests per second that k6 sends, whatever comes back: a share of the measured capacity (`60%`), or `2000/s`. `vus`: each connection asks again as soon as it is answered.',
        default: defaults.rate,
      })
      .optional(),
    connections: connectionsKey
      .meta({ description: 'Virtual users at most; each makes a case.', default: defaults.connections })
      .optional(),
    'keep-alive': keepAliveKey
      .meta({
        description: '`off` closes the connection after each request; each makes a case.',
        default: defaults['keep-alive'],
      })
      .optional(),
    duration: durationKey(defaults.duration),
    timeout: wholeSeconds
      .meta({ description: 'A request that takes longer has failed.', default: defaults.timeout })
      .optional(),
    script: relativePath
      .meta({
        description:
          'A k6 script template of your own. Files that it opens or imports from the folder of the spec are taken along. Its `thresholds` and `systemTags` may stay; no threshold is judged, and none ends the load early. Where wrkbench runs as root, the script runs as the user nobody.',
      })
      .optional(),
  })
  .meta({ id: 'k6' });

export const k6Load: LoadDefinition<K6Forms> = {
  description: 'k6: requests at a fixed rate, for latency below saturation.',
  example: '{rate: 60%}',
  written,
  defaults,
  ofSpec: (filled) => ({
    arrival: arrivalOf(filled.rate, CLOSED_LOOP),
    ...commonLoadWithTimeout(filled),
    durationSeconds: secondsOf(filled.duration),
    script: filled.script ?? null,
  }),
  ofCase: ({ arrival, durationSeconds, timeoutSeconds, script }) => ({
    generator: 'k6',
    arrival,
    durationSeconds,
    timeoutSeconds,
    script,
  }),
  keySuffix: ({ arrival }) => `@${rateInKey(arrival)}`,
  shortened: shortenedDuration,
  scriptOf: ({ script }) => script,
  recorded: recordedLoad.extend({
    timeoutSeconds: recordedFigure,
    arrival: recordedArrival(CLOSED_LOOP),
    durationSeconds: recordedFigure,
    script: z.string().nullable(),
  }),
  problems: (load) => rateProblems('k6', load),
  driven: ({ arrival }) => drivenBy(arrival, 'one virtual user per connection'),
};
