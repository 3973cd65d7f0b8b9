import type { ResolvedSpec } from '../../config/resolved.ts';
import { absent, coreShare, cpuTime, size } from '../../format/figures.ts';
import type { MetricDefinition, MetricUnit } from '../../metrics/definition.ts';
import { metricsOf } from '../../metrics/registry.ts';
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
import { entryFigure } from '../metric-figure.ts';
import { type Panel, panels, toneOf } from '../panels.ts';
import type { Entry, ReportView } from '../view.ts';

type Measure = { title: string; of(entry: Entry): string };

const use = (title: string, part: 'service' | 'database' | 'dependencies' | 'gateway' | 'generator'): Measure => ({
  title,
  of({ record: { utilisation } }) {
    // A part that was not there has used nothing at all; one that was has used something.
    const share = utilisation?.[part] ?? 0;
    return share === 0 ? absent : coreShare(share);
  },
});

/** Everything that has a row here, as a run of this spec calls it. */
function measuresOf(spec: Pick<ResolvedSpec, 'dependencies'>): { context: Measure[]; used: Measure[] } {
  const own = (isWanted: (metric: MetricDefinition) => boolean): Measure[] =>
    metricsOf(spec).flatMap((metric) =>
      metric.columns.resources === null || !isWanted(metric)
        ? []
        : [{ title: metric.columns.resources, of: (entry) => entryFigure(entry, metric) }],
    );
  const inUnits = (...units: MetricUnit[]) =>
    own((metric) => units.includes(metric.unit) && (metric.unit !== 'ms' || !metric.ofProcess));
  return {
    // What the service did for what it used; of latencies the worst first.
    context: [...inUnits('req/s'), ...inUnits('ms').reverse()],
    used: [
      ...inUnits('bytes', '1/request'),
      use('CPU usage, service', 'service'),
      use('CPU usage, database', 'database'),
      use('CPU usage, dependencies', 'dependencies'),
      use('CPU usage, gateway', 'gateway'),
      use('CPU usage, generator', 'generator'),
      ...inUnits('us'),
      ...own((metric) => metric.unit === 'ms' && metric.ofProcess),
    ],
  };
}

/** What each of the dependencies used by itself. */
function ofEachDependency(entries: readonly Entry[]): Measure[] {
  const names = new Set(entries.flatMap(({ record }) => Object.keys(record.dependencies ?? {})));
  return [...names].flatMap((name): Measure[] => [
    {
      title: `CPU per request, ${name}`,
      of: ({ record }) => figureOr(record.dependencies?.[name]?.cpuPerRequestUs, cpuTime),
    },
    {
      title: `Memory peak, ${name}`,
      of: ({ record }) => figureOr(record.dependencies?.[name]?.memoryPeakBytes, size),
    },
  ]);
}

function figureOr(value: number | undefined, text: (value: number) => string): string {
  return value === undefined ? absent : text(value);
}

/** With more services than this they are rows, else columns. */
const columnsUpTo = 6;

/** What each service needs for what it answers. */
export function resources(view: ReportView): Section | null {
  const measures = measuresOf(view.record.spec);
  const blocks = panels(view)
    .filter(({ rows }) => rows.some(({ entry }) => measures.used.some((measure) => measure.of(entry) !== absent)))
    .flatMap((panel): Block[] => [
      { kind: 'caption', text: `${panel.title}:` },
      { kind: 'table', table: resourceTable(panel, measures) },
    ]);
  if (blocks.length === 0) return null;
  const text =
    'Memory is what the service itself holds (anonymous, socket and kernel memory), without page cache: before the ' +
    'load, at its peak and after it. A CPU usage of 100% is one core busy all the time.';
  return { id: 'resources', title: 'Memory and CPU', blocks: [{ kind: 'paragraph', text }, ...blocks] };
}

function resourceTable({ title, corner, rows }: Panel, { context, used }: ReturnType<typeof measuresOf>): Table {
  const measures = [...context, ...used, ...ofEachDependency(rows.map(({ entry }) => entry))];
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
