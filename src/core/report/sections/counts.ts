import { left, type Row, right, type Section } from '../document.ts';
import { absent, perRequest, size } from '../figures.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { entryTitle } from '../wording.ts';

const columns: { metric: string; title: string; format: (value: number) => string }[] = [
  { metric: 'queries-per-request', title: 'Queries per request', format: perRequest },
  { metric: 'rows-per-request', title: 'Rows per request', format: perRequest },
  { metric: 'bytes-per-response', title: 'Bytes per response', format: size },
];

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
        cells: [endpoint, entryTitle({ ...entry, valid: true }), ...columns.map((column) => figure(entry, column))],
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
  return columns.some(({ metric }) => metricOf(record, metric) !== null);
}

function figure({ record }: Entry, { metric, format }: (typeof columns)[number]): string {
  const value = metricOf(record, metric);
  return value === null ? absent : format(value);
}
