import * as z from 'zod';
import { DEFAULTS } from './defaults.ts';
import { count, duration, oneOrMore, onOff, percentage, relativePath, wholeSeconds } from './scalars.ts';
import { RATE } from './units.ts';

export const PRESET_NAMES = ['standard', 'quick', 'abstract-rest', 'users-1000', 'hardware-tax', 'event-pong'] as const;

const connections = oneOrMore(
  count('a number of connections, 1 to 65536', 1, 65_536),
  'a number of connections, or a list such as [100, 1000]',
);
const keepAlive = oneOrMore(onOff, 'on, off or [on, off]', 2);

const THREADS_PHRASE = 'a number of threads, or threads by connections such as {2: 1, 400: 2}';
const thread = count('a number of threads, 1 to 256', 1, 256);
const threads = z.union(
  [thread, z.record(z.string().regex(/^[1-9]\d{0,4}$/, 'a number of connections'), thread, THREADS_PHRASE)],
  THREADS_PHRASE,
);

const wrk = z
  .strictObject({
    threads: threads
      .meta({
        description:
          'Threads of wrk, one per connection at most. A map gives the threads from that many connections on: `{2: 1, 400: 2, 20000: 4}`.',
        default: DEFAULTS.wrk.threads,
      })
      .optional(),
    connections: connections
      .meta({ description: 'Connections held open at once; each makes a case.', default: DEFAULTS.wrk.connections })
      .optional(),
    'keep-alive': keepAlive
      .meta({
        description: '`off` closes the connection after each request; each makes a case.',
        default: DEFAULTS.wrk['keep-alive'],
      })
      .optional(),
    duration: wholeSeconds
      .meta({ description: 'Length of a trial measured by itself.', default: DEFAULTS.wrk.duration })
      .optional(),
    timeout: wholeSeconds
      .meta({
        description: 'An answer that comes later counts as a timeout.',
        default: DEFAULTS.wrk.timeout,
      })
      .optional(),
  })
  .meta({ id: 'wrk' });

const RATE_PHRASE = 'a share of capacity such as 60%, a rate such as 2000/s, or vus';
const k6 = z
  .strictObject({
    rate: z
      .union([percentage, z.string().regex(RATE, RATE_PHRASE), z.literal('vus', RATE_PHRASE)], RATE_PHRASE)
      .meta({
        description:
          'Requests per second that k6 sends, whatever comes back: a share of the measured capacity (`60%`), or `2000/s`. `vus`: each connection asks again as soon as it is answered.',
        default: DEFAULTS.k6.rate,
      })
      .optional(),
    connections: connections
      .meta({ description: 'Virtual users at most; each makes a case.', default: DEFAULTS.k6.connections })
      .optional(),
    'keep-alive': keepAlive
      .meta({
        description: '`off` closes the connection after each request; each makes a case.',
        default: DEFAULTS.k6['keep-alive'],
      })
      .optional(),
    duration: wholeSeconds
      .meta({ description: 'Length of a trial measured by itself.', default: DEFAULTS.k6.duration })
      .optional(),
    timeout: wholeSeconds
      .meta({ description: 'A request that takes longer has failed.', default: DEFAULTS.k6.timeout })
      .optional(),
    script: relativePath.meta({ description: 'A k6 script template of your own.' }).optional(),
  })
  .meta({ id: 'k6' });

const ab = z
  .strictObject({
    requests: count('a number of requests, 1 to 1000000000', 1, 1_000_000_000)
      .meta({ description: 'Requests in one trial.', default: DEFAULTS.ab.requests })
      .optional(),
    connections: connections
      .meta({ description: 'Requests under way at once; each makes a case.', default: DEFAULTS.ab.connections })
      .optional(),
    'keep-alive': keepAlive
      .meta({
        description: '`on` needs a server that keeps HTTP/1.0 connections open; each makes a case.',
        default: DEFAULTS.ab['keep-alive'],
      })
      .optional(),
    timeout: wholeSeconds
      .meta({ description: 'A wait for an answer ends after this.', default: DEFAULTS.ab.timeout })
      .optional(),
  })
  .meta({ id: 'ab' });

export const loadSchema = z
  .strictObject({
    preset: z
      .enum(PRESET_NAMES)
      .meta({
        description:
          'A whole load under one name; what stands beside it replaces it key by key. Without it, and without a generator, `standard`.',
      })
      .optional(),
    wrk: z
      .union([wrk, onOff], 'a map such as {connections: [100]}, on or off')
      .meta({
        description: 'wrk: as many requests as the service can answer. `on`: with its defaults; `off`: without it.',
      })
      .optional(),
    k6: z
      .union([k6, onOff], 'a map such as {rate: 60%}, on or off')
      .meta({ description: 'k6: requests at a fixed rate, for latency below saturation.' })
      .optional(),
    ab: z
      .union([ab, onOff], 'a map such as {requests: 10000}, on or off')
      .meta({ description: 'ApacheBench: a fixed number of requests.' })
      .optional(),
    'warm-up': z
      .union([z.literal('auto'), wholeSeconds], 'auto, or whole seconds such as 5s')
      .meta({
        description:
          'Load before a trial that counts for nothing. `auto`: until two 1 s windows agree within 2 %, 15 s at most.',
        default: DEFAULTS.load['warm-up'],
      })
      .optional(),
    'cool-down': duration.meta({ description: 'Rest after a trial.', default: DEFAULTS.load['cool-down'] }).optional(),
  })
  .meta({ id: 'load' });

export type LoadInput = z.infer<typeof loadSchema>;
export type WrkInput = z.infer<typeof wrk>;
export type K6Input = z.infer<typeof k6>;
export type AbInput = z.infer<typeof ab>;
