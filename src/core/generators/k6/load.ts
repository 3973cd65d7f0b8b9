import * as z from 'zod';
import { share, throughput } from '../../format/figures.ts';
import { quoted } from '../../format/quoted.ts';
import { percentage, relativePath, wholeSeconds } from '../../values/scalars.ts';
import { PERCENTAGE, perSecondOf, RATE, ratioOf, secondsOf } from '../../values/units.ts';
import {
  commonLoad,
  connectionsKey,
  type Filled,
  keepAliveKey,
  type LoadDefinition,
  type LoadOfCase,
  type LoadProblem,
  type OpenArrival,
  type SpecLoad,
  shortenedDuration,
  type WrittenLoad,
} from '../load.ts';
import { recordedFigure, recordedLoad } from '../recorded.ts';

/** `vus`: a closed loop, each virtual user asking again when it is answered. */
export type K6Arrival = OpenArrival | { kind: 'vus' };

export interface K6Load extends SpecLoad {
  arrival: K6Arrival;
  durationSeconds: number;
  /** A k6 script template of the user's own, relative to the spec file. */
  script: string | null;
}

export interface K6CaseLoad extends LoadOfCase {
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

const RATE_PHRASE = 'a share of capacity such as 60%, a rate such as 2000/s, or vus';

const written = z
  .strictObject({
    rate: z
      .union([percentage, z.string().regex(RATE, RATE_PHRASE), z.literal('vus', RATE_PHRASE)], RATE_PHRASE)
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
    duration: wholeSeconds
      .meta({ description: 'Length of a trial measured by itself.', default: defaults.duration })
      .optional(),
    timeout: wholeSeconds
      .meta({ description: 'A request that takes longer has failed.', default: defaults.timeout })
      .optional(),
    script: relativePath.meta({ description: 'A k6 script template of your own.' }).optional(),
  })
  .meta({ id: 'k6' });

export const k6Load: LoadDefinition<K6Forms> = {
  description: 'k6: requests at a fixed rate, for latency below saturation.',
  example: '{rate: 60%}',
  written,
  defaults,
  ofSpec: (filled) => ({
    arrival: arrivalOf(filled.rate),
    ...commonLoad(filled),
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
  keySuffix: ({ arrival }) => `@${rateText(arrival)}`,
  shortened: shortenedDuration,
  scriptOf: ({ script }) => script,
  recorded: recordedLoad.extend({
    arrival: z.union([
      z.looseObject({ kind: z.literal('share'), shareOfCapacity: recordedFigure }),
      z.looseObject({ kind: z.literal('rate'), requestsPerSecond: recordedFigure }),
      z.looseObject({ kind: z.literal('vus') }),
    ]),
    durationSeconds: recordedFigure,
    script: z.string().nullable(),
  }),
  problems: rateProblems,
  driven: ({ arrival }) => drivenBy(arrival),
};

function arrivalOf(rate: string): K6Arrival {
  if (rate === 'vus') return { kind: 'vus' };
  if (PERCENTAGE.test(rate)) return { kind: 'share', shareOfCapacity: ratioOf(rate) };
  return { kind: 'rate', requestsPerSecond: perSecondOf(rate) };
}

/** `60%`, `2000ps`, `vus`: `/` would be taken for the border of two parts. */
function rateText(arrival: K6Arrival): string {
  if (arrival.kind === 'share') return `${Number((arrival.shareOfCapacity * 100).toPrecision(9))}%`;
  return arrival.kind === 'rate' ? `${arrival.requestsPerSecond}ps` : 'vus';
}

function drivenBy(arrival: K6Arrival): string {
  switch (arrival.kind) {
    case 'share':
      return `open model, requests sent at ${share(arrival.shareOfCapacity)} of what the service can answer`;
    case 'rate':
      return `open model, ${throughput(arrival.requestsPerSecond)} requests/s`;
    case 'vus':
      return 'closed loop, one virtual user per connection';
  }
}

function rateProblems(load: WrittenLoad): LoadProblem[] {
  const rate = load.at('rate');
  if (typeof rate !== 'string') return [];
  const ratio = PERCENTAGE.test(rate) ? ratioOf(rate) : null;
  const perSecond = RATE.test(rate) ? Number.parseFloat(rate) : null;
  if ((ratio === null || (ratio > 0 && ratio <= 1)) && perSecond !== 0) return [];
  const expected = ratio === null ? 'more than 0/s' : 'more than 0% and at most 100%';
  return [
    {
      path: ['rate'],
      at: 'value',
      code: 'wrong-value',
      message: `load.k6.rate is ${quoted(rate)}: expected ${expected}`,
      found: rate,
      expected,
    },
  ];
}
