import type { GeneratorName } from '../../plan/case.ts';
import {
  type Block,
  left,
  type Row,
  right,
  type Section,
  type Table,
  transposed,
  withoutEmptyColumns,
} from '../document.ts';
import { absent, coreShare, cpuTime, size, throughput } from '../figures.ts';
import { type Panel, panels, toneOf } from '../panels.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { latencyFigure } from '../wording.ts';

type Measure = { title: string; of(entry: Entry): string };

type Format = (value: number, generator: GeneratorName) => string;

const metric = (title: string, name: string, format: Format): Measure => ({
  title,
  of: ({ record }) => {
    const value = metricOf(record, name);
    return value === null ? absent : format(value, record.generator);
  },
});

const use = (title: string, part: 'service' | 'database' | 'gateway' | 'generator'): Measure => ({
  title,
  of: ({ record: { utilisation } }) =>
    // A part that was not there has used nothing at all; one that was has used something.
    utilisation === null || utilisation[part] === 0 ? absent : coreShare(utilisation[part]),
});

const milliseconds: Format = (value, generator) => latencyFigure(generator, value);

const context = [
  metric('Requests per second', 'throughput', throughput),
  metric('Max latency', 'latency-max', milliseconds),
  metric('p99 latency', 'latency-p99', milliseconds),
];

const resourcesUsed = [
  metric('Memory idle', 'memory-idle', size),
  metric('Memory peak', 'memory-peak', size),
  metric('Memory settled', 'memory-settled', size),
  use('CPU usage, service', 'service'),
  use('CPU usage, database', 'database'),
  use('CPU usage, gateway', 'gateway'),
  use('CPU usage, generator', 'generator'),
  metric('CPU per request, service and database', 'cpu-per-request', cpuTime),
  metric('CPU per request, database', 'database-cpu-per-request', cpuTime),
];

/** With more services than this they are rows, else columns. */
const columnsUpTo = 6;

/** What each service needs for what it answers. */
export function resources(view: ReportView): Section | null {
  const blocks = panels(view)
    .filter(({ rows }) => rows.some(({ entry }) => resourcesUsed.some((measure) => measure.of(entry) !== absent)))
    .flatMap((panel): Block[] => [
      { kind: 'caption', text: `${panel.title}:` },
      { kind: 'table', table: resourceTable(panel) },
    ]);
  if (blocks.length === 0) return null;
  const text =
    'Memory is what the service itself holds (anonymous, socket and kernel memory), without page cache: before the ' +
    'load, at its peak and after it. A CPU usage of 100% is one core busy all the time.';
  return { id: 'resources', title: 'Memory and CPU', blocks: [{ kind: 'paragraph', text }, ...blocks] };
}

function resourceTable({ title, corner, rows }: Panel): Table {
  const measures = [...context, ...resourcesUsed];
  const table = withoutEmptyColumns(
    {
      label: `Memory and CPU: ${title}`,
      columns: [left(corner), ...measures.map((measure) => right(measure.title))],
      rows: rows.map(
        ({ title: name, entry }): Row => ({
          tone: toneOf(entry, false),
          cells: [name, ...measures.map((measure) => measure.of(entry))],
        }),
      ),
    },
    absent,
  );
  if (rows.length > columnsUpTo) return table;
  const [first, ...rest] = transposed(table).columns;
  return { ...transposed(table), columns: [{ ...first!, title: 'Metric' }, ...rest] };
}
