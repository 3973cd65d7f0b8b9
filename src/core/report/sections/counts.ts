import { syscallsPerRequest } from '../../metrics/counts.ts';
import type { MetricDefinition } from '../../metrics/definition.ts';
import { metrics } from '../../metrics/registry.ts';
import { left, type Row, right, type Section } from '../document.ts';
import { entryFigure } from '../metric-figure.ts';
import { type Entry, metricOf, type ReportView } from '../view.ts';
import { entryTitle } from '../wording.ts';

const allColumns = metrics.flatMap((metric) =>
  metric.columns.counts === null ? [] : [{ metric, title: metric.columns.counts }],
);

/** Queries, rows and bytes for each request: they do not depend on the load, so one row an endpoint and service. */
export function counts(view: ReportView): Section | null {
  const entries = view.tests.flatMap((test) => test.entries);
  // Perf is not on every machine: what it would tell is no column of dashes.
  const columns = allColumns.filter(({ metric }) => metric.needsDatabase || entries.some(isIn(metric)));
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
  const hasSyscalls = columns.some(({ metric }) => metric === syscallsPerRequest);
  const text =
    'Counted in a pass of its own without load, one request after the other, so that the figures are exact. ' +
    'Bytes are those of the whole answer, headers included.' +
    (hasSyscalls
      ? ' System calls are those of the service, without those by which it waits, wakes its threads and manages its memory; ' +
        'equal services differ by up to a quarter of a call.'
      : '');
  return {
    id: 'counts',
    title: 'Queries, rows and bytes',
    blocks: [
      { kind: 'paragraph', text },
      { kind: 'table', table },
    ],
  };
}

function isIn({ name }: MetricDefinition): (entry: Entry) => boolean {
  return ({ record }) => metricOf(record, name) !== null;
}

function hasCounts(entry: Entry): boolean {
  return allColumns.some(({ metric }) => isIn(metric)(entry));
}
