import { metrics } from '../../metrics/registry.ts';
import { left, type Row, right, type Section } from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { entryTitle } from '../wording.ts';

const columns = metrics.flatMap((metric) =>
  metric.columns.counts === null ? [] : [{ metric, title: metric.columns.counts }],
);

/** Queries, rows and bytes for each request: they do not depend on the load, so one row an endpoint and service. */
export function counts(view: ReportView): Section | null {
  const rows: Row[] = [];
  const seen = new Set<string>();
  for (const { endpoint, entries, route } of view.tests) {
    for (const entry of entries) {
      const key = JSON.stringify([endpoint, entry.label]);
      if (seen.has(key) || !hasCounts(entry) || route === 'gateway') continue;
      seen.add(key);
      rows.push({
        tone: entry.reference ? 'reference' : 'plain',
        cells: [
          endpoint,
          entryTitle({ ...entry, valid: true }),
          ...columns.map(({ metric }) => entryFigure(entry, metric)),
        ],
      });
    }
  }
  if (rows.length === 0) return null;
  const table = {
    label: 'Queries, rows and bytes for each request',
    columns: [left('Endpoint'), left('Service'), ...columns.map(({ title }) => right(title))],
    rows,
  };
  const text =
    'Counted in a pass of its own without load, one request after the other, so that the figures are exact. ' +
    'Bytes are those of the whole answer, headers included.';
  return {
    id: 'counts',
    title: 'Queries, rows and bytes',
    blocks: [
      { kind: 'paragraph', text },
      { kind: 'table', table },
    ],
  };
}

function hasCounts({ record }: Entry): boolean {
  return columns.some(({ metric }) => metricOf(record, metric.name) !== null);
}
