import type { Price } from '../../config/resolved.ts';
import { absent, cpuTime, factor, money, size, throughput } from '../../format/figures.ts';
import { isMeasuredApart } from '../../record/different-machines.ts';
import { type Block, left, type Row, right, type Section, withoutEmptyColumns } from '../document.ts';
import { toneOf } from '../panels.ts';
import { type Entry, metricOf, type ReportView, type Test } from '../view.ts';
import { endpointTitle, entryTitle, loadTitle, modeOf } from '../wording.ts';

/** What services need for the same requests at the same rate, the least CPU time first; with a price in the spec, in money too. */
export function cost(view: ReportView): Section | null {
  const { price, dependencies = [] } = view.record.spec;
  const parts = dependencies.length === 0 ? 'service and database' : 'service, database and dependencies';
  const named = view.generators.length > 1;
  const blocks = view.tests.flatMap((test): Block[] => {
    const entries = atOneRate(test);
    // There is nobody to cost more or less than, and nothing to pay.
    if (entries.length < (price === undefined ? 2 : 1)) return [];
    const title = `${endpointTitle(test)}${named ? `, ${test.generator}` : ''}, ${modeOf(test)}, ${loadTitle(test)}`;
    const table = { label: `Cost at equal load: ${title}`, columns: COLUMNS, rows: rowsOf(entries, price) };
    return [
      { kind: 'caption', text: `${title}:` },
      { kind: 'table', table: withoutEmptyColumns(table, absent) },
    ];
  });
  if (blocks.length === 0) return null;
  const text =
    `Services that were sent requests at the same rate. CPU time is that of ${parts}; a connection costs what memory ` +
    'rises from idle to its peak, divided by the connections; factors are to the least in the table.';
  const paid =
    price === undefined
      ? ''
      : ` The price is ${money(price.cpuHour, price.currency)} for each hour of that CPU time, and ${money(price.gibHour, price.currency)} for each ` +
        'GiB of peak memory and hour that a million requests take at the rate.';
  return { id: 'cost', title: 'Cost at equal load', blocks: [{ kind: 'paragraph', text: text + paid }, ...blocks] };
}

const COLUMNS = [
  left('Service'),
  ...[
    'Requests per second',
    'CPU per million requests',
    'CPU factor',
    'Peak memory',
    'Memory factor',
    'Memory per connection',
    'RPS per core used',
    'RPS per MiB',
    'Price per million requests',
  ].map(right),
];

/** A share of each one's capacity is another rate for each, and another machine has other costs. */
function atOneRate({ openModel, entries }: Test): Entry[] {
  const valid = entries.filter((entry) => entry.valid && (costOf(entry).cpuUs ?? costOf(entry).memory) !== null);
  const rates = new Set(valid.map(({ record }) => record.rate));
  const isApart = valid.length > 1 && valid.some(({ record }) => isMeasuredApart(record));
  return openModel && rates.size === 1 && !rates.has(null) && !isApart ? valid : [];
}

interface Cost {
  /** Of a request; a million of them take as many seconds. */
  cpuUs: number | null;
  memory: number | null;
  perConnection: number | null;
  perSecond: number | null;
  /** Of service, database and gateway. */
  cores: number | null;
}

function costOf({ record }: Entry): Cost {
  const [memory, idle] = [metricOf(record, 'memory-peak'), metricOf(record, 'memory-idle')];
  const { utilisation } = record;
  const cores =
    utilisation === null
      ? 0
      : utilisation.service + utilisation.database + utilisation.gateway + (utilisation.dependencies ?? 0);
  return {
    cpuUs: metricOf(record, 'cpu-per-request'),
    memory,
    perConnection:
      memory === null || idle === null || record.connections === 0 || memory < idle
        ? null
        : (memory - idle) / record.connections,
    perSecond: metricOf(record, 'throughput'),
    cores: cores > 0 ? cores : null,
  };
}

const SECONDS_PER_HOUR = 3600;
const MILLION = 1e6;

/**
 * Of a million requests, as many CPU seconds as one takes microseconds; null where a figure is missing.
 *
 *     cpuUs / 3600 · cpuHour  +  memory / 2^30 · (10^6 / perSecond) / 3600 · gibHour
 */
export function pricePerMillion(
  { cpuUs, memory, perSecond }: Pick<Cost, 'cpuUs' | 'memory' | 'perSecond'>,
  { cpuHour, gibHour }: Pick<Price, 'cpuHour' | 'gibHour'>,
): number | null {
  if (cpuUs === null || memory === null || perSecond === null || perSecond <= 0) return null;
  const hours = MILLION / perSecond / SECONDS_PER_HOUR;
  return (cpuUs / SECONDS_PER_HOUR) * cpuHour + (memory / 1024 ** 3) * hours * gibHour;
}

function rowsOf(entries: readonly Entry[], price: Price | undefined): Row[] {
  const all = entries.map((entry) => ({ entry, ...costOf(entry) }));
  const least = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null && value > 0) as number[];
    return known.length === 0 ? null : Math.min(...known);
  };
  const [cpu, memory] = [least(all.map(({ cpuUs }) => cpuUs)), least(all.map((each) => each.memory))];
  all.sort(
    (one, other) =>
      (one.cpuUs ?? Number.MAX_VALUE) - (other.cpuUs ?? Number.MAX_VALUE) || (one.memory ?? 0) - (other.memory ?? 0),
  );
  return all.map((each): Row => {
    const mebibytes = each.memory === null ? null : each.memory / 1024 ** 2;
    return {
      tone: toneOf(each.entry, false),
      cells: [
        entryTitle({ ...each.entry, warnings: [] }),
        shown(each.perSecond, throughput),
        shown(each.cpuUs, (value) => cpuTime(value * 1e6)),
        shown(ratio(each.cpuUs, cpu), factor),
        shown(each.memory, size),
        shown(ratio(each.memory, memory), factor),
        shown(each.perConnection, size),
        shown(ratio(each.perSecond, each.cores), throughput),
        shown(ratio(each.perSecond, mebibytes), throughput),
        price === undefined ? absent : shown(pricePerMillion(each, price), (amount) => money(amount, price.currency)),
      ],
    };
  });
}

function ratio(of: number | null, to: number | null): number | null {
  return of === null || to === null || to <= 0 ? null : of / to;
}

function shown(value: number | null, figure: (value: number) => string): string {
  return value === null ? absent : figure(value);
}
