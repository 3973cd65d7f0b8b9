import { absent, coreShare, counted, grouped, size } from '../../format/figures.ts';
import type { OutputKind } from '../../measurement/observation.ts';
import type { ObservedRecord, RunRecord } from '../../record/run-record.ts';
import {
  type Block,
  type Inline,
  joined,
  left,
  type Row,
  right,
  type Section,
  type Table,
  transposed,
  withCode,
  withoutEmptyColumns,
} from '../document.ts';
import type { ReportView } from '../view.ts';

interface Seen {
  service: string;
  observed: ObservedRecord;
  /** Of one CPU; most of its cases. Null where none says it. */
  cpusUsed: number | null;
}

interface Fact {
  title: string;
  /** Null where it was not seen. */
  of(seen: Seen): string | null;
  /** What is held against the other services, where that is not the figure itself; null where nothing is. */
  compared?: ((seen: Seen) => string | null) | null;
}

const plain = (value: number | undefined) => (value === undefined ? null : grouped(value));

const FACTS: readonly Fact[] = [
  { title: 'Listen backlog', of: ({ observed }) => plain(observed.backlog) },
  { title: 'Listening sockets', of: ({ observed }) => plain(observed.listeners) },
  { title: 'Processes', of: ({ observed }) => plain(observed.processes) },
  { title: 'Threads', of: ({ observed }) => plain(observed.threads) },
  { title: 'Database connections', of: ({ observed }) => plain(observed.databaseConnections) },
  { title: 'Runs on the CPUs', of: ({ observed }) => observed.cpus ?? null },
  // Whatever is measured differs in it.
  { title: 'CPU used at most', of: ({ cpusUsed }) => (cpusUsed === null ? null : coreShare(cpusUsed)), compared: null },
  { title: 'Header bytes per answer', of: ({ observed }) => plain(observed.headerBytes) },
  {
    title: 'Keeps connections',
    of: ({ observed: { keepsConnection } }) => (keepsConnection === undefined ? null : keepsConnection ? 'yes' : 'no'),
  },
  {
    title: 'Compression',
    of: ({ observed: { headerBytes, encoding } }) => (headerBytes === undefined ? null : (encoding ?? 'none')),
  },
  {
    title: 'Output goes to',
    of: ({ observed: { outputs } }) => outputs?.map((kind) => OUTPUT_WORDS[kind]).join(', ') ?? null,
  },
  {
    title: 'Output under load',
    of: ({ observed: { outputBytesPerSecond: bytes } }) =>
      bytes === undefined ? null : bytes === 0 ? 'none' : `${size(bytes)}/s`,
    // A line now and then is no log of requests.
    compared: ({ observed: { outputBytesPerSecond: bytes } }) =>
      bytes === undefined ? null : bytes < LOGGING_BYTES_PER_SECOND ? 'next to none' : `${size(bytes)}/s`,
  },
];

const LOGGING_BYTES_PER_SECOND = 1000;

const OUTPUT_WORDS: Record<OutputKind, string> = {
  pipe: 'a pipe',
  file: 'a file',
  terminal: 'a terminal',
  socket: 'a socket',
  nowhere: '/dev/null',
};

/** With more services than this they are rows, else columns. */
const columnsUpTo = 6;

/** What was seen of each service from outside under load: first what differs between them, then all. */
export function fairness(view: ReportView): Section | null {
  const all = seenOf(view.record);
  if (all.length === 0) return null;
  const text =
    'What was seen of each service from outside, in the warm-up of its case with the most connections; nothing of it is taken ' +
    'from the spec. An answer was asked for once, without load.';
  const unseen = [...new Set(all.flatMap(({ observed }) => observed.unseen))];
  const blocks: Block[] = [
    ...differences(all),
    { kind: 'paragraph', text },
    { kind: 'table', table: factTable(all) },
    ...(unseen.length === 0 ? [] : [{ kind: 'paragraph' as const, text: withCode(unseen.join(' ')) }]),
  ];
  return { id: 'fairness', title: 'Fairness', blocks };
}

/** In the order of the spec: a run measures them in another one each time. */
function seenOf({ spec, services, cases }: RunRecord): Seen[] {
  const order = spec.services.map(({ name }) => name);
  const inOrder = [...services].sort((one, other) => order.indexOf(one.service) - order.indexOf(other.service));
  return inOrder.flatMap(({ service, variant, observed }) => {
    if (observed === undefined || variant !== 'candidate') return [];
    const own = cases.filter((each) => each.service === service && each.variant === 'candidate');
    const used = own.flatMap(({ utilisation }) => utilisation?.service ?? []);
    return [{ service, observed, cpusUsed: used.length === 0 ? null : Math.max(...used) }];
  });
}

/** `Header bytes per answer: 66 (go); 123 (node)`. Nothing of a single service. */
function differences(all: readonly Seen[]): Block[] {
  if (all.length < 2) return [];
  const items = [...FACTS.flatMap((fact) => differenceOf(fact, all) ?? []), ...headerDifferences(all)];
  if (items.length === 0) return [{ kind: 'paragraph', text: 'The services differ in nothing of what follows.' }];
  return [
    { kind: 'paragraph', text: 'What differs between the services, and may explain a part of their figures:' },
    { kind: 'list', items },
  ];
}

function differenceOf({ title, of, compared = of }: Fact, all: readonly Seen[]): Inline[] | null {
  if (compared === null) return null;
  const byValue = new Map<string, string[]>();
  for (const seen of all) {
    const value = compared(seen);
    if (value !== null) byValue.set(value, [...(byValue.get(value) ?? []), seen.service]);
  }
  if (byValue.size < 2) return null;
  const groups = [...byValue].map(([value, services]) => `${value} (${services.join(', ')})`);
  return [[{ strong: title }, `: ${groups.join('; ')}`]];
}

/** Names that not all answers have. */
function headerDifferences(all: readonly Seen[]): Inline[] {
  const shown = all.flatMap(({ service, observed: { headers } }) =>
    headers === undefined ? [] : [{ service, headers }],
  );
  const byNames = new Map<string, string[]>();
  for (const { service, headers } of shown) {
    const own = headers.filter((name) => !shown.every((other) => other.headers.includes(name)));
    if (own.length > 0) byNames.set(own.join('\n'), [...(byNames.get(own.join('\n')) ?? []), service]);
  }
  const parts = [...byNames].map(([names, services]): Inline => {
    const codes = names.split('\n').map((name) => ({ code: name }));
    return [...joined(codes, ', '), ` (${services.join(', ')})`];
  });
  return parts.length === 0 ? [] : [[{ strong: 'Headers that not all send' }, ': ', ...joined(parts, '; ')]];
}

function factTable(all: readonly Seen[]): Table {
  const rows = all.map(
    (seen): Row => ({
      tone: 'plain',
      cells: [seen.service, seenIn(seen), ...FACTS.map(({ of }) => of(seen) ?? absent)],
    }),
  );
  const columns = [left('Service'), right('Seen with'), ...FACTS.map(({ title }) => right(title))];
  const table = withoutEmptyColumns({ label: 'What was seen of each service', columns, rows, mixed: true }, absent);
  if (all.length > columnsUpTo) return table;
  const [first, ...rest] = transposed(table).columns;
  return { ...transposed(table), columns: [{ ...first!, title: 'Seen' }, ...rest] };
}

function seenIn({ observed: { connections } }: Seen): string {
  return counted(connections, 'connection');
}
