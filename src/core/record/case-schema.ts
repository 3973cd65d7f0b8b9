/** A case of `run.json`: one side of it, as it was measured and judged. */

import * as z from 'zod';
import { GENERATOR_NAMES } from '../generators/registry.ts';
import { count, figure, reason, text, verdict } from './schema-parts.ts';

export const variant = z.enum(['baseline', 'candidate']);

const sample = z.looseObject({
  round: count,
  trial: count,
  pair: count
    .nullable()
    .describe('Number of the pair that the trial belongs to; null for a trial that has no partner.'),
  mode: z.enum(['solo', 'duet']),
  startedNs: figure.describe('Monotonic clock of the machine.'),
  durationNs: figure,
  value: figure,
  withoutBackground: figure
    .exactOptional()
    .describe(
      'Of CPU per request, and of throughput in a duet: what it would be if the service had no background threads; absent where its main threads do less than half of its work, or cannot be read.',
    ),
  requests: figure
    .exactOptional()
    .describe(
      "Of throughput: requests that were answered as expected, by the generator's own count, without its lead-in. Of a count: those of the pass without load.",
    ),
});

const summary = z.looseObject({ samples: count, low: figure, high: figure });

/** What is left of a comparison in a record of the data branch. */
export const compared = z.looseObject({
  change: figure.nullable().describe('candidate/baseline - 1; null where the baseline is 0, or nothing was paired.'),
  interval: z.tuple([figure, figure]).nullable().describe('Of `change`: the one that the verdict rests on.'),
  verdict: verdict.nullable().describe('Null where it was not gated, or judged for its endpoint or service.'),
});

export const caseRecord = z.looseObject({
  key: text,
  service: text,
  variant,
  endpoint: text,
  route: z.enum(['direct', 'gateway']),
  generator: z.enum(GENERATOR_NAMES),
  keepAlive: z.boolean(),
  connections: count,
  rate: figure
    .nullable()
    .describe('Requests per second that an open-model generator was told to send; null for a closed loop.'),
  status: z
    .enum(['valid', 'invalid', 'beyond'])
    .describe('`beyond`: more than the service answers in time, so that it was not measured, or not any further.'),
  beyond: z
    .looseObject({
      answersPerSecond: figure.describe('What the endpoint answers.'),
      requestSeconds: figure
        .exactOptional()
        .describe('That a request would take; absent where a rate is asked for, and not connections.'),
    })
    .exactOptional()
    .describe('How far, where `status` is `beyond`.'),
  reasons: z.array(reason),
  warnings: z
    .array(reason)
    .describe("Worth knowing, and no reason to distrust the numbers: a neighbour took 7 % of the service's CPU."),
  metrics: z.record(
    text,
    z.looseObject({
      value: figure.describe(
        'Median of the samples alone, of the round for published figures where there is one; comparisons use the paired ones.',
      ),
      unit: text,
      samples: z.array(sample),
      summary: summary
        .exactOptional()
        .describe('Of the solo samples, where there are two at least, in a record of the data branch: it holds none.'),
      requests: figure
        .exactOptional()
        .describe('Of throughput, in a record of the data branch: requests of all solo samples.'),
      compared: compared.exactOptional().describe('In a record of the data branch, where it was compared.'),
    }),
  ),
  utilisation: z
    .looseObject({
      service: figure,
      database: figure,
      gateway: figure,
      dependencies: figure.exactOptional().describe('Of all dependencies together; absent where the spec has none.'),
      generator: figure,
      own: figure,
      foreign: figure,
      steal: figure,
      busiestThread: figure
        .exactOptional()
        .describe("Of the service's threads the one that used the most; absent where the system did not show them."),
    })
    .nullable(),
  duet: z
    .looseObject({
      cpuShare: figure.describe("This side's CPU time, of what both sides used. 0.5 where they are equals."),
      cpuShareError: figure
        .exactOptional()
        .describe('Standard error of cpuShare over these duets; absent where there was only one.'),
      busyShare: figure.describe(
        'Of the CPUs of service and database: what was not idle, whoever used it; 1 where nobody waited.',
      ),
    })
    .exactOptional()
    .describe(
      'Over its duets up to the first interim analysis (cpuShare as mean, busyShare as median): whether the two sides really competed for the CPU, half and half, once their connections were open. Absent without any.',
    ),
  failedAlone: count
    .exactOptional()
    .describe(
      'Pairs of trials that were set aside since this side alone was not sent its rate, nothing else being to blame; absent where there is none.',
    ),
  statements: z
    .array(
      z.looseObject({
        query: text.describe('Normalised text, as pg_stat_statements keeps it.'),
        callsPerRequest: figure,
        rowsPerRequest: figure,
        msPerRequest: figure,
      }),
    )
    .exactOptional()
    .describe('Of the unloaded passes, per request, of all rounds together; absent without a database.'),
  dependencies: z
    .record(text, z.looseObject({ cpuPerRequestUs: figure.exactOptional(), memoryPeakBytes: figure.exactOptional() }))
    .exactOptional()
    .describe('What each dependency used by itself, by its name; absent where the spec has none.'),
  reported: z
    .looseObject({
      latencyMs: z.record(text, figure).exactOptional().describe('`stdev`, `min`, and percentiles that are no metric.'),
      phasesMs: z
        .record(text, z.record(text, figure))
        .exactOptional()
        .describe(
          'As the generator divides a request, such as `connect` and `waiting`; each with `min`, `mean`, `max` and what else it has.',
        ),
      bytesPerSecond: figure.exactOptional(),
      requests: figure.exactOptional().describe('That the errors are among, of all these trials.'),
      errors: z
        .record(text, figure)
        .exactOptional()
        .describe(
          'Requests that failed, by the kind that the generator names, of all these trials; without those of 0.',
        ),
    })
    .exactOptional()
    .describe(
      'What the generator printed beside the metrics, of the trials that their values are of: medians, and the sum of errors.',
    ),
  raw: z.array(text).describe("Paths inside the run's folder, as `raw/…`."),
});
