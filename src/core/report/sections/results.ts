import { absent, barFigure, share, throughput } from '../../format/figures.ts';
import { generators } from '../../generators/registry.ts';
import type { Reason } from '../../measurement/names.ts';
import { metrics } from '../../metrics/registry.ts';
import { errors, throughput as throughputMetric } from '../../metrics/throughput.ts';
import { spreadOf } from '../../record/published.ts';
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
import { entryFigure } from '../metric-figure.ts';
import { type Panel, panels } from '../panels.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';

/** Beside requests per second, which have their scatter beside them. */
const shown = metrics.flatMap((metric) =>
  metric.columns.results === null || metric === throughputMetric ? [] : [{ metric, title: metric.columns.results }],
);

/** A table for each endpoint x generator x keep-alive x connections, with the picture of its throughput under it. */
export function results(view: ReportView): Section | null {
  if (view.tests.length === 0) return null;
  return { id: 'results', title: 'Results', blocks: [...introduction(view), ...resultTables(view)] };
}

/** Without what is to be known of all of them. */
export function resultTables(view: ReportView): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const panel of panels(view)) {
    if (panel.heading !== heading) blocks.push({ kind: 'heading', text: panel.heading });
    heading = panel.heading;
    blocks.push(...panelBlocks(panel));
  }
  return blocks;
}

function introduction({ generators: used, warnings }: ReportView): Block[] {
  const meanings = used.map((generator): Block => {
    const { latencyMeaning } = generators[generator];
    return { kind: 'paragraph', text: [{ strong: `Latency with ${generator}` }, `: ${latencyMeaning}.`] };
  });
  const said = sharedBlocks('All cases', warnings);
  if (used.length < 2) return [...meanings, ...said];
  const text = 'Latencies of different generators mean different things and are never comparable.';
  return [...meanings, { kind: 'paragraph', text }, ...said];
}

/** What each row would say again. */
function sharedBlocks(which: string, warnings: Reason[]): Block[] {
  return warnings.map(({ message }): Block => {
    return { kind: 'paragraph', text: `${which}, for example: ${message.replace(/\.$/, '')}.` };
  });
}

function panelBlocks(panel: Panel): Block[] {
  const blocks: Block[] = panel.caption === '' ? [] : [{ kind: 'caption', text: `${panel.caption}:` }];
  blocks.push(...sharedBlocks('All of this table', panel.warnings));
  blocks.push({ kind: 'table', table: resultTable(panel) });
  const bars = panel.openModel ? [] : barsOf(panel);
  return bars.length > 1 ? [...blocks, { kind: 'bars', bars }] : blocks;
}

/** One row per service (or case): requests per second, latencies, errors where there were any. */
export function resultTable({ id, title, corner, openModel, rows }: Panel): Table {
  const anyErrors = rows.some(({ entry }) => (metricOf(entry.record, 'errors') ?? 0) > 0);
  const columns = [
    left(corner),
    ...(openModel ? [right('Rate asked')] : []),
    right('RPS'),
    right('±'),
    ...shown.map(({ title }) => right(title)),
    ...(anyErrors ? [right('Errors')] : []),
  ];
  const table: Table = {
    label: `Results: ${title}`,
    id: `${id}-table`,
    columns,
    rows: rows.map(({ title: name, entry, tone }): Row => {
      const { record } = entry;
      return {
        tone,
        cells: [
          name,
          ...(openModel ? [record.rate === null ? absent : throughput(record.rate)] : []),
          entryFigure(entry, throughputMetric),
          scatter(entry),
          ...shown.map(({ metric }) => entryFigure(entry, metric)),
          ...(anyErrors ? [entryFigure(entry, errors)] : []),
        ],
      };
    }),
  };
  return withoutEmptyColumns(table, absent);
}

/** Half the way from the lowest to the highest sample, where there are enough of them to say so. */
function scatter({ record }: Entry): string {
  const { throughput } = record.metrics;
  const spread = throughput === undefined ? null : spreadOf(throughput);
  const value = metricOf(record, 'throughput');
  if (spread === null || spread.samples < 3 || value === null || value <= 0) return absent;
  return share((spread.high - spread.low) / 2 / value);
}

function barsOf({ rows }: Panel): Bar[] {
  const most = Math.max(...rows.map(({ entry }) => metricOf(entry.record, 'throughput') ?? 0));
  return rows.flatMap(({ label, entry, tone }): Bar[] => {
    const value = metricOf(entry.record, 'throughput');
    return value === null ? [] : [{ label, value, figure: barFigure(value, most), tone }];
  });
}
