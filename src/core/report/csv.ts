import { publishedSolo } from '../record/published.ts';
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
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
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
function metricCells(name: string, { value, unit, samples }: MetricRecord): (string | number)[] {
  const solo = publishedSolo(samples).map((sample) => sample.value);
  return [
    name,
    value,
    unit,
    solo.length,
    solo.length === 0 ? '' : Math.min(...solo),
    solo.length === 0 ? '' : Math.max(...solo),
  ];
}

function cell(content: string | number): string {
  return typeof content === 'number' ? String(content) : textCell(content);
}

/**
 * A spreadsheet takes a text that begins like a formula for one, quoted or not; an apostrophe before it makes it text
 * again: https://owasp.org/www-community/attacks/CSV_Injection
 */
function textCell(text: string): string {
  const guarded = /^\s*[=+\-@|%\t\r\uFF0B\uFF0D\uFF1D\uFF20]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
