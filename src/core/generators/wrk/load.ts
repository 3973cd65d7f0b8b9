import * as z from 'zod';
import { counted } from '../../format/figures.ts';
import { isMap } from '../../plain-data.ts';
import { count, relativePath, wholeSeconds } from '../../values/scalars.ts';
import { secondsOf } from '../../values/units.ts';
import {
  commonLoadWithTimeout,
  connectionsKey,
  durationKey,
  type Filled,
  keepAliveKey,
  type LoadDefinition,
  type LoadOfCase,
  type LoadProblem,
  type SpecLoad,
  shortenedDuration,
  type WrittenLoad,
} from '../load.ts';
import { recordedCount, recordedFigure, recordedLoad } from '../recorded.ts';

interface WrkLoad extends SpecLoad {
  timeoutSeconds: number;
  /** The most of any case; a case has one for each connection at most. */
  threads: number;
  /** Where the threads depend on the connections: the last step that begins at or below them counts. Rising. */
  threadSteps?: { fromConnections: number; threads: number }[];
  durationSeconds: number;
  /** A Lua script of the user's own, relative to the spec file; absent where there is none. */
  script?: string;
}

export interface WrkCaseLoad extends LoadOfCase {
  timeoutSeconds: number;
  generator: 'wrk';
  threads: number;
  durationSeconds: number;
  script?: string;
}

type Written = z.infer<typeof written>;
export interface WrkForms {
  written: Written;
  filled: Pick<Written, 'script'> & Filled<Omit<Written, 'script'>>;
  ofSpec: WrkLoad;
  ofCase: WrkCaseLoad;
}

const defaults = {
  threads: 4,
  connections: [100, 1000],
  'keep-alive': ['on', 'off'],
  duration: '10s',
  timeout: '2s',
} as const;

const THREADS_PHRASE = 'a number of threads, or threads by connections such as {2: 1, 400: 2}';
const thread = count('a number of threads, 1 to 256', 1, 256);

const written = z
  .strictObject({
    threads: z
      .union(
        [thread, z.record(z.string().regex(/^[1-9]\d{0,4}$/, 'a number of connections'), thread, THREADS_PHRASE)],
        THREADS_PHRASE,
      )
      .meta({
        description:
          'Threads of wrk, one per connection at most. A map gives the threads from that many connections on: `{2: 1, 400: 2, 20000: 4}`.',
        default: defaults.threads,
      })
      .optional(),
    connections: connectionsKey
      .meta({ description: 'Connections held open at once; each makes a case.', default: defaults.connections })
      .optional(),
    'keep-alive': keepAliveKey
      .meta({
        description: '`off` closes the connection after each request; each makes a case.',
        default: defaults['keep-alive'],
      })
      .optional(),
    duration: durationKey(defaults.duration),
    timeout: wholeSeconds
      .meta({ description: 'An answer that comes later counts as a timeout.', default: defaults.timeout })
      .optional(),
    script: relativePath
      .meta({
        description:
          "A Lua script for wrk of your own: `setup`, `init`, `delay`, `request`, `response` and `done` are called as wrk calls them. The case's request stands in `wrk` before it runs, and `wrk.format()` makes it. Files beside it that it opens or requires are taken along; relative names are looked for in its folder. What the script prints goes to standard error. Where wrkbench runs as root, the script runs as the user nobody.",
      })
      .optional(),
  })
  .meta({ id: 'wrk' });

export const wrkLoad: LoadDefinition<WrkForms> = {
  description: 'wrk: as many requests as the service can answer. `on`: with its defaults; `off`: without it.',
  example: '{connections: [100]}',
  written,
  defaults,
  ofSpec(filled) {
    const { threads, script } = filled;
    const rest = {
      ...commonLoadWithTimeout(filled),
      durationSeconds: secondsOf(filled.duration),
      ...(script === undefined ? {} : { script }),
    };
    if (typeof threads === 'number') return { threads, ...rest };
    const threadSteps = Object.entries(threads)
      .map(([from, number]) => ({ fromConnections: Number(from), threads: number }))
      .sort((a, b) => a.fromConnections - b.fromConnections);
    return { threads: Math.max(...Object.values(threads)), threadSteps, ...rest };
  },
  ofCase: (load, connections) => ({
    generator: 'wrk',
    threads: threadsFor(load, connections),
    durationSeconds: load.durationSeconds,
    timeoutSeconds: load.timeoutSeconds,
    ...(load.script === undefined ? {} : { script: load.script }),
  }),
  keySuffix: () => '',
  shortened: shortenedDuration,
  scriptOf: ({ script }) => script ?? null,
  recorded: recordedLoad.extend({
    timeoutSeconds: recordedFigure,
    threads: recordedCount,
    threadSteps: z.array(z.looseObject({ fromConnections: recordedCount, threads: recordedCount })).exactOptional(),
    durationSeconds: recordedFigure,
    script: z.string().exactOptional(),
  }),
  problems: threadProblems,
  driven({ threads, threadSteps = [] }) {
    const least = Math.min(threads, ...threadSteps.map((step) => step.threads));
    return least < threads ? `${least} to ${threads} threads by the connections` : counted(threads, 'thread');
  },
};

/**
 * Connections below the first step take the first step's threads. Never more threads than connections, which wrk
 * refuses.
 */
function threadsFor({ threads, threadSteps = [] }: WrkLoad, connections: number): number {
  const step = threadSteps.findLast(({ fromConnections }) => fromConnections <= connections) ?? threadSteps[0];
  return Math.min(step?.threads ?? threads, connections);
}

function threadProblems(load: WrittenLoad): LoadProblem[] {
  const threads = load.at('threads');
  const connections = load.numbersOf('connections');
  if (isMap(threads) && Object.keys(threads).length === 0) {
    return [
      {
        path: ['threads'],
        at: 'key',
        code: 'wrong-value',
        message: `load.wrk.threads is empty: expected ${THREADS_PHRASE}`,
        expected: THREADS_PHRASE,
      },
    ];
  }
  const steps: [from: number, threads: unknown, path: string[]][] = isMap(threads)
    ? Object.entries(threads).map(([from, number]) => [Number(from), number, ['threads', from]])
    : [[0, threads, ['threads']]];
  return steps.flatMap(([from, number, path]): LoadProblem[] => {
    if (typeof number !== 'number' || Number.isNaN(from)) return [];
    const reached = connections.filter((value) => value >= from);
    const least = isMap(threads) ? from : Math.min(...reached);
    if (least >= number) return [];
    return [
      {
        path,
        at: 'value',
        code: 'contradiction',
        message: `load.wrk.${path.join('.')} is ${number}, but the connections go down to ${least}: wrk needs at least one for each thread`,
        found: String(number),
        expected: `${least} at most`,
        nearest: String(least),
      },
    ];
  });
}
