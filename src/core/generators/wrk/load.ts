import * as z from 'zod';
import { counted } from '../../format/figures.ts';
import { isMap } from '../../plain-data.ts';
import { count, relativePath } from '../../values/scalars.ts';
import { form, orAbsent, section, usual } from '../../values/section.ts';
import {
  type CaseOf,
  connectionsKey,
  durationKey,
  keepAliveKey,
  type LoadDefinition,
  type LoadProblem,
  ownOf,
  shortenedDuration,
  timeoutKey,
  type WrittenLoad,
} from '../load.ts';

const THREADS_PHRASE = 'a number of threads, or threads by connections such as {2: 1, 400: 2}';
const thread = count('a number of threads, 1 to 256', 1, 256);
const writtenThreads = z.union(
  [thread, z.record(z.string().regex(/^[1-9]\d{0,4}$/, 'a number of connections'), thread, THREADS_PHRASE)],
  THREADS_PHRASE,
);
type WrittenThreads = z.infer<typeof writtenThreads>;

/** The most of any case; a case has one for each connection at most. */
const threads = form(
  writtenThreads,
  (written) => (typeof written === 'number' ? written : Math.max(...Object.values(written))),
  z.number().int().nonnegative(),
);

const ownKeys = section(
  {
    threads: usual(
      threads,
      4,
      'Threads of wrk, one per connection at most. A map gives the threads from that many connections on: `{2: 1, 400: 2, 20000: 4}`.',
    ),
    connections: connectionsKey([100, 1000], 'Connections held open at once; each makes a case.'),
    'keep-alive': keepAliveKey(['on', 'off'], '`off` closes the connection after each request; each makes a case.'),
    duration: durationKey('10s'),
    timeout: timeoutKey('2s', 'An answer that comes later counts as a timeout.'),
    script: orAbsent(
      relativePath,
      "A Lua script for wrk of your own: `setup`, `init`, `delay`, `request`, `response` and `done` are called as wrk calls them. The case's request stands in `wrk` before it runs, and `wrk.format()` makes it. Files beside it that it opens or requires are taken along; relative names are looked for in its folder. What the script prints goes to standard error. Where wrkbench runs as root, the script runs as the user nobody.",
    ),
  },
  { id: 'wrk' },
);
type Written = Parameters<typeof ownKeys.read>[0];

/** Where the threads depend on the connections: the last step that begins at or below them counts. Rising. */
interface Steps {
  threadSteps?: { fromConnections: number; threads: number }[];
}
type WrkLoad = ReturnType<typeof ownKeys.read> & Steps;

function stepsOf(written: WrittenThreads | undefined): Steps {
  if (typeof written !== 'object') return {};
  const threadSteps = Object.entries(written)
    .map(([from, number]) => ({ fromConnections: Number(from), threads: number }))
    .sort((a, b) => a.fromConnections - b.fromConnections);
  return { threadSteps };
}

const step = z.looseObject({
  fromConnections: z.number().int().nonnegative(),
  threads: z.number().int().nonnegative(),
});
const keys = {
  ...ownKeys,
  read: (written: Written): WrkLoad => ({ ...ownKeys.read(written), ...stepsOf(written.threads) }),
  recorded: ownKeys.recorded.extend({ threadSteps: z.array(step).exactOptional() }),
};

export type WrkCaseLoad = CaseOf<'wrk', Omit<WrkLoad, 'threadSteps'>>;

export interface WrkForms {
  written: Written;
  ofSpec: WrkLoad;
  ofCase: WrkCaseLoad;
}

export const wrkLoad: LoadDefinition<WrkForms> = {
  description: 'wrk: as many requests as the service can answer. `on`: with its defaults; `off`: without it.',
  example: '{connections: [100]}',
  keys,
  ofCase(load, connections) {
    const { threadSteps: _, ...own } = ownOf(load);
    return { generator: 'wrk', ...own, threads: threadsFor(load, connections) };
  },
  keySuffix: () => '',
  shortened: shortenedDuration,
  scriptOf: ({ script }) => script ?? null,
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
