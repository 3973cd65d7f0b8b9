import { publishedAlone } from '../../record/published.ts';
import {
  type Bar,
  type Block,
  left,
  type Row,
  right,
  type Section,
  type Table,
  withoutEmptyColumns,
} from '../document.ts';
import { absent, barFigure, share, throughput } from '../figures.ts';
import { type Panel, panels } from '../panels.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { latencyFigure, latencyMeaning } from '../wording.ts';

/** A table for each endpoint x generator x keep-alive x connections, with the picture of its throughput under it. */
export function results(view: ReportView): Section | null {
  if (view.tests.length === 0) return null;
  const blocks: Block[] = [];
  let heading = '';
  for (const panel of panels(view)) {
    if (panel.heading !== heading) blocks.push({ kind: 'heading', text: panel.heading });
    heading = panel.heading;
    blocks.push(...panelBlocks(panel));
  }
  return { id: 'results', title: 'Results', blocks: [...introduction(view), ...blocks] };
}

function introduction({ generators }: ReportView): Block[] {
  const meanings = generators.map((generator): Block => {
    return { kind: 'paragraph', text: [{ strong: `Latency with ${generator}` }, `: ${latencyMeaning[generator]}.`] };
  });
  if (generators.length < 2) return meanings;
  const text = 'Latencies of different generators mean different things and are never to be held against each other.';
  return [...meanings, { kind: 'paragraph', text }];
}

function panelBlocks(panel: Panel): Block[] {
  const blocks: Block[] = panel.caption === '' ? [] : [{ kind: 'caption', text: `${panel.caption}:` }];
  blocks.push({ kind: 'table', table: resultTable(panel) });
  const bars = panel.openModel ? [] : barsOf(panel);
  return bars.length > 1 ? [...blocks, { kind: 'bars', bars }] : blocks;
}

/** One row a service (or case): requests per second, latencies, errors where there were any. */
export function resultTable({ id, title, corner, openModel, rows }: Panel): Table {
  const anyErrors = rows.some(({ entry }) => (metricOf(entry.record, 'errors') ?? 0) > 0);
  const columns = [
    left(corner),
    ...(openModel ? [right('Rate asked')] : []),
    ...['RPS', '±', 'Mean latency', 'p50', 'p75', 'p90', 'p99'].map(right),
    ...(anyErrors ? [right('Errors')] : []),
  ];
  const table: Table = {
    label: `Results: ${title}`,
    id: `${id}-table`,
    columns,
    rows: rows.map(({ title: name, entry, tone }): Row => {
      const { record } = entry;
      const milliseconds = (value: number) => latencyFigure(record.generator, value);
      return {
        tone,
        cells: [
          name,
          ...(openModel ? [record.rate === null ? absent : throughput(record.rate)] : []),
          figure(entry, 'throughput', throughput),
          scatter(entry),
          ...['mean', 'p50', 'p75', 'p90', 'p99'].map((part) => figure(entry, `latency-${part}`, milliseconds)),
          ...(anyErrors ? [figure(entry, 'errors', share)] : []),
        ],
      };
    }),
  };
  return withoutEmptyColumns(table, absent);
}

function figure({ record }: Entry, metric: string, format: (value: number) => string): string {
  const value = metricOf(record, metric);
  return value === null ? absent : format(value);
}

/** Half the way from the lowest to the highest sample, where there are enough of them to say so. */
function scatter({ record }: Entry): string {
  const samples = publishedAlone(record.metrics.throughput?.samples ?? []);
  const value = metricOf(record, 'throughput');
  if (samples.length < 3 || value === null || value <= 0) return absent;
  const values = samples.map((sample) => sample.value);
  return share((Math.max(...values) - Math.min(...values)) / 2 / value);
}

function barsOf({ rows }: Panel): Bar[] {
  const most = Math.max(...rows.map(({ entry }) => metricOf(entry.record, 'throughput') ?? 0));
  return rows.flatMap(({ label, entry, tone }): Bar[] => {
    const value = metricOf(entry.record, 'throughput');
    return value === null ? [] : [{ label, value, figure: barFigure(value, most), tone }];
  });
}
