import { commaSeparated } from '../format/comma-separated.ts';
import { spreadOf } from '../record/published.ts';
import type { CaseRecord, MetricRecord, RunRecord } from '../record/run-record.ts';

const header = [
  'run',
  'service',
  'variant',
  'endpoint',
  'route',
  'generator',
  'keep_alive',
  'connections',
  'rate',
  'status',
  'reasons',
  'metric',
  'value',
  'unit',
  'samples',
  'min',
  'max',
];

/** One row per case and metric, in RFC 4180's form. A case without any metric has a row all the same. */
export function csv(record: RunRecord): string {
  const rows = record.cases.flatMap((each) => {
    const metrics = Object.entries(each.metrics);
    const first = caseCells(record.id, each);
    if (metrics.length === 0) return [[...first, '', '', '', '', '', '']];
    return metrics.map(([name, metric]) => [...first, ...metricCells(name, metric)]);
  });
  return commaSeparated([header, ...rows]);
}

function caseCells(run: string, each: CaseRecord): (string | number)[] {
  return [
    run,
    each.service,
    each.variant,
    each.endpoint,
    each.route,
    each.generator,
    each.keepAlive ? 'on' : 'off',
    each.connections,
    each.rate ?? '',
    each.status,
    each.reasons.map(({ code }) => code).join(' '),
  ];
}

/** Lowest and highest of the solo samples, which the value is the median of. */
function metricCells(name: string, metric: MetricRecord): (string | number)[] {
  const spread = spreadOf(metric);
  return [name, metric.value, metric.unit, spread?.samples ?? 0, spread?.low ?? '', spread?.high ?? ''];
}
