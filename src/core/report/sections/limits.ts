import { absent, latency, share } from '../../format/figures.ts';
import { type CpuShares, type Limit, type LimitingPart, limitOf } from '../analysis/limiting-part.ts';
import { DELAYED_ACK_MS, DELAYED_ACK_SOURCE, delayedAckMs } from '../analysis/timer.ts';
import { type Block, type Inline, left, type Row, right, type Section, withoutEmptyColumns } from '../document.ts';
import { panels, toneOf } from '../panels.ts';
import type { Entry, ReportView } from '../view.ts';

const SHARES: [string, (shares: CpuShares) => number | null][] = [
  ['Server CPUs used', ({ server }) => server],
  ['CPU quota used', ({ quota }) => quota],
  ['Database CPUs used', ({ database }) => database],
  ['Generator CPUs used', ({ generator }) => generator],
  ['Busiest thread', ({ thread }) => thread],
  // A little is always there, and hides what matters.
  ['Others', ({ others }) => (others >= 0.05 ? others : null)],
];

/** What was full in each case: what the figures are figures of. */
export function limits(view: ReportView): Section | null {
  const parts = new Set<LimitingPart>();
  const blocks = panels(view)
    .filter(({ openModel }) => !openModel)
    .flatMap(({ title, corner, rows: own }): Block[] => {
      const rows = own.flatMap(({ title: name, entry }): Row[] => {
        const limit = limitOf(entry, view);
        if (limit === null) return [];
        parts.add(limit.part);
        const figures = SHARES.map(([, of]) => figure(of(limit.shares)));
        return [{ tone: toneOf(entry, false), cells: [name, ...figures, wordsOf(limit, entry)] }];
      });
      if (rows.length === 0) return [];
      const columns = [left(corner), ...SHARES.map(([column]) => right(column)), left('What limits')];
      const table = withoutEmptyColumns({ label: `What limits: ${title}`, columns, rows }, absent);
      return [
        { kind: 'caption', text: `${title}:` },
        { kind: 'table', table },
      ];
    });
  if (blocks.length === 0) return null;
  const paragraphs = EXPLANATIONS.filter(([part]) => part === null || parts.has(part)).map(
    ([, text]): Block => ({ kind: 'paragraph', text }),
  );
  return { id: 'limits', title: 'What limits the throughput', blocks: [...paragraphs, ...blocks] };
}

/** Null: always said. */
const EXPLANATIONS: [LimitingPart | null, Inline][] = [
  [
    null,
    'The server is the service with its gateway, and its database where they share their CPUs. Where nothing is full, ' +
      'requests wait for something else: a lock, a pool of connections, the disk.',
  ],
  [
    'quota',
    'The quota of the service: its spec gives it a part of a CPU, and it used all of that. A gateway and a database have none.',
  ],
  [
    'thread',
    'One thread: it was busy all the time, and no further CPU makes the service faster. More processes or threads may.',
  ],
  ['others', 'Others: programs that are no part of this run, and the hypervisor. Repeat the run on a quiet machine.'],
  [
    'timer',
    [
      `A timer: nothing had much to do, and nearly all requests took the ${DELAYED_ACK_MS} ms that Linux delays an `,
      'acknowledgement at least. ',
      { url: DELAYED_ACK_SOURCE, text: "Nagle's algorithm" },
      ' waits for it where an answer is written in two pieces: write it in one, or set TCP_NODELAY.',
    ],
  ],
];

function figure(value: number | null): string {
  return value === null ? absent : share(value);
}

function wordsOf({ part }: Limit, { record }: Entry): string {
  return part === 'timer' ? timerWords(delayedAckMs(record)!) : WORDS[part];
}

/** `a timer of 42.0 ms (delayed ACK against Nagle's algorithm gives 40 ms)` */
function timerWords(milliseconds: number): string {
  return `a timer of ${latency(milliseconds)} (delayed ACK against Nagle's algorithm gives ${DELAYED_ACK_MS} ms)`;
}

const WORDS: Record<Exclude<LimitingPart, 'timer'>, string> = {
  quota: 'quota: the service used all of it',
  service: 'server: most of it the service',
  database: 'database',
  gateway: 'server: most of it the gateway',
  thread: 'one thread of the service',
  others: 'others: the rest of the machine',
  generator: 'generator: the service could answer more',
  'one core': 'one core: the service uses no more',
  'no CPU': 'no CPU',
};
