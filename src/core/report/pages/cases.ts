import { absent, coreShare, cpuTime, latency } from '../../format/figures.ts';
import { generators } from '../../generators/registry.ts';
import { metricNamed, metricsOf } from '../../metrics/registry.ts';
import { logarithmicAxis } from '../analysis/axis.ts';
import type { Contender, Contest } from '../analysis/contest.ts';
import { type HeatCell, type HeatMap, heatMaps } from '../analysis/heat-map.ts';
import { percentileCurve, percentileName, percentilesOf } from '../analysis/percentiles.ts';
import { type Block, left, type Row, right, type Section, type Table, withoutEmptyColumns } from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import { toneOf } from '../panels.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { caseNotes, latencyFigure, shortestTest } from '../wording.ts';

/** Metrics that any case of the run has, as a reader chooses one. */
export function heatMetrics({ cases, record }: ReportView): { name: string; title: string }[] {
  return metricsOf(record.spec).filter(({ name }) => cases.some((record) => metricOf(record, name) !== null));
}

/** All cases at a glance. */
export function heatMapSection(view: ReportView, metric: string): Section | null {
  const definition = metricNamed(metric, view.record.spec);
  if (definition === undefined) return null;
  const maps = heatMaps(view, metric);
  if (maps.length === 0) return null;
  const isContest = new Set(maps.flatMap(({ rows }) => rows.map(({ service }) => service))).size > 1;
  const better = definition.better === 'higher' ? 'more is better' : 'less is better';
  const blocks = maps.flatMap((map): Block[] => [
    { kind: 'caption', text: `${map.generator}: ${extentSaid(map, definition)}` },
    { kind: 'table', table: heatTable(map, definition, isContest) },
  ]);
  const text = `${definition.title} of every case, ${better}. The stronger the colour of a cell, the higher its figure. Invalid figures are struck through.`;
  return { id: 'heat-map', title: 'All cases', blocks: [{ kind: 'paragraph', text }, ...blocks] };
}

type Definition = NonNullable<ReturnType<typeof metricNamed>>;

function extentSaid({ extent, logarithmic, rows }: HeatMap, definition: Definition): string {
  if (extent === null) return 'no valid figure';
  const cells = rows.flatMap(({ cells: own }) => own.flatMap((cell) => (cell?.step ? [cell] : [])));
  const figures = extent.map((end) => entryFigure(cells.find(({ value }) => value === end)!.entry, definition));
  if (figures[0] === figures[1]) return `${figures[0]} throughout`;
  return `from ${figures[0]} to ${figures[1]}, in seven steps of equal ${logarithmic ? 'factors' : 'differences'}`;
}

function heatTable({ loads, rows, generator }: HeatMap, definition: Definition, isContest: boolean): Table {
  return {
    label: `${definition.title}, ${generator}`,
    // One column of names, so that a phone has room for figures.
    columns: [left(isContest ? 'Endpoint · service' : 'Endpoint'), ...loads.map((load) => right(shortestTest(load)))],
    rows: rows.map(
      ({ endpoint, service, cells }): Row => ({
        tone: 'plain',
        cells: [
          isContest ? `${endpoint} · ${service}` : endpoint,
          ...cells.map((cell) => (cell === null ? absent : heatFigure(cell, definition))),
        ],
        looks: [null, ...cells.map((cell) => (cell === null ? null : (cell.step ?? ('invalid' as const))))],
      }),
    ),
  };
}

function heatFigure({ entry, step }: HeatCell, definition: Definition): string {
  return `${entryFigure(entry, definition)}${step === null ? ' ✗' : ''}`;
}

function titleOf({ label, entry }: Contender): string {
  return `${label}${caseNotes(entry)}`;
}

/** How long most, and how long the unluckiest waited. Null where no case has two percentiles. */
export function percentileSection({ of, rows }: Contest): Section | null {
  const shown = rows.filter(({ entry }) => percentilesOf([entry.record]).length > 1);
  const names = percentilesOf(shown.map(({ entry }) => entry.record));
  if (names.length < 2) return null;
  const { generator } = rows[0]!.test;
  const withMax = [
    ...names,
    ...(shown.some(({ entry }) => metricOf(entry.record, 'latency-max') !== null) ? ['latency-max'] : []),
  ];
  const curves = shown
    .filter(({ entry }) => entry.valid)
    .map(({ label, entry }) => ({ label, values: percentileCurve(entry.record, withMax) }));
  const axis = logarithmicAxis(curves.flatMap(({ values }) => values.flatMap((value) => value ?? [])));
  const columns = [
    left(of === 'services' ? 'Service' : 'Endpoint'),
    ...withMax.map((name) => right(percentileName(name))),
  ];
  const table = {
    label: 'Latency percentiles',
    columns,
    rows: shown.map((row) => ({
      tone: toneOf(row.entry, false),
      cells: [titleOf(row), ...withMax.map((name) => figureOf(row.entry, name))],
    })),
  };
  const picture: Block = {
    kind: 'picture',
    picture: {
      form: 'lines',
      title: 'Latency percentiles',
      note: 'logarithmic, less is better; the steps across are not of equal width',
      steps: withMax.map(percentileName),
      extent: axis.extent,
      logarithmic: true,
      ticks: axis.ticks.map((value) => ({ value, figure: latency(value).replace(/\.0+(?= )/, '') })),
      lines: curves.map(({ label, values }) => ({
        label,
        points: values.map((value) =>
          value === null || value <= 0 ? null : { value, figure: latencyFigure(generator, value) },
        ),
      })),
    },
  };
  return {
    id: 'percentiles',
    title: 'Latency percentiles',
    blocks: [
      {
        kind: 'paragraph',
        text: [{ strong: `Latency with ${generator}` }, `: ${generators[generator].latencyMeaning}.`],
      },
      ...(curves.length === 0 ? [] : [picture]),
      { kind: 'table', table },
    ],
  };
}

function figureOf({ record }: Entry, name: string): string {
  const value = metricOf(record, name);
  return value === null ? absent : latencyFigure(record.generator, value);
}

const PARTS: { part: 'service' | 'database' | 'dependencies' | 'gateway' | 'generator'; title: string }[] = [
  { part: 'service', title: 'Service' },
  { part: 'database', title: 'Database' },
  { part: 'dependencies', title: 'Dependencies' },
  { part: 'gateway', title: 'Gateway' },
  { part: 'generator', title: 'Load generator' },
];

/** Where CPU time went while the load ran. Null where none was recorded. */
export function cpuSection({ of, rows }: Contest): Section | null {
  const shown = rows.flatMap((row) =>
    row.entry.record.utilisation === null ? [] : [{ ...row, used: row.entry.record.utilisation }],
  );
  if (shown.length === 0) return null;
  const parts = PARTS.filter(({ part }) => shown.some(({ used }) => shareOf(used, part) > 0));
  if (parts.length === 0) return null;
  const perRequest = [
    { title: 'CPU per request, service', of: (record: Entry['record']) => serviceCpu(record) },
    {
      title: 'CPU per request, database',
      of: (record: Entry['record']) => metricOf(record, 'database-cpu-per-request'),
    },
    {
      title: 'CPU per request, dependencies',
      of: (record: Entry['record']) => metricOf(record, 'dependencies-cpu-per-request'),
    },
  ];
  const table = withoutEmptyColumns(
    {
      label: 'CPU by part',
      columns: [
        left(of === 'services' ? 'Service' : 'Endpoint'),
        ...parts.map(({ title }) => right(title)),
        ...perRequest.map(({ title }) => right(title)),
      ],
      rows: shown.map(
        (row): Row => ({
          tone: toneOf(row.entry, false),
          cells: [
            titleOf(row),
            ...parts.map(({ part }) => (shareOf(row.used, part) > 0 ? coreShare(shareOf(row.used, part)) : absent)),
            ...perRequest.map((each) => {
              const value = each.of(row.entry.record);
              return value === null ? absent : cpuTime(value);
            }),
          ],
        }),
      ),
    },
    absent,
  );
  return {
    id: 'cpu',
    title: 'Where CPU time went',
    blocks: [
      {
        kind: 'picture',
        picture: {
          form: 'stacks',
          title: 'CPU usage by part',
          note: '100% is one core busy all the time',
          parts: parts.map(({ title }) => title),
          rows: shown.map(({ label, entry, used }) => {
            const values = parts.map(({ part }) => Math.max(0, shareOf(used, part)));
            const sum = values.reduce((all, value) => all + value, 0);
            return { label, tone: toneOf(entry, false), values, figure: coreShare(sum) };
          }),
        },
      },
      { kind: 'table', table },
    ],
  };
}

function shareOf(used: NonNullable<Entry['record']['utilisation']>, part: (typeof PARTS)[number]['part']): number {
  return used[part] ?? 0;
}

function serviceCpu(record: Entry['record']): number | null {
  const total = metricOf(record, 'cpu-per-request');
  if (total === null) return null;
  const beside = ['database-cpu-per-request', 'dependencies-cpu-per-request'].map(
    (name) => metricOf(record, name) ?? 0,
  );
  return Math.max(0, total - beside.reduce((sum, us) => sum + us, 0));
}
