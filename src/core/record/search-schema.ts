import * as z from 'zod';
import { PROBE_FAILURES } from '../capacity/probe.ts';
import { MOST_CASES } from '../config/bounds.ts';
import { count, figure, reason, text } from './schema-parts.ts';

/** The finest search of the widest range takes fewer than half of it. */
const MOST_PROBES = 100;
const why = z.enum(PROBE_FAILURES).nullable();

const probe = z.looseObject({
  level: count.describe('Requests per second that were asked for, or connections.'),
  held: z.boolean(),
  why: why.describe('What it broke first; null where it held.'),
  message: text.nullable(),
  throughput: figure.nullable().describe('Requests per second that were answered as expected.'),
  p99Ms: figure.nullable(),
  errorShare: figure.nullable().describe('Of all requests; 1 is all of them.'),
  isDisturbed: z.boolean().describe('Other processes took a part of the CPUs meanwhile, or the clock was set.'),
  startedNs: figure,
  durationNs: figure,
  raw: z.array(text),
});

export const searches = z
  .array(
    z.looseObject({
      service: text,
      endpoint: text,
      find: z.enum(['rate', 'connections']),
      generator: z.enum(['k6', 'h2load', 'wrk']),
      connections: count.nullable().describe('That a rate was sent over; null where connections were searched for.'),
      limits: z.looseObject({ p99Ms: figure.nullable(), errorShare: figure }),
      held: count.nullable().describe('The highest level that held; null where none did.'),
      failed: count.nullable().describe('The lowest level that did not; null where all did.'),
      why: why.describe('Why `failed` did not hold.'),
      message: text.nullable(),
      isComplete: z.boolean().describe('False where it was interrupted, or where chance led it astray too often.'),
      isContradictory: z
        .boolean()
        .describe('A higher level held and a lower one did not: what lies between both is part of the interval.'),
      lost: reason.nullable().describe('Why nothing more was tried, where it had to end.'),
      probes: z.array(probe).max(MOST_PROBES).describe('In the order of time.'),
    }),
  )
  .max(MOST_CASES);
