import { compact, cpuTime, grouped, latency, perRequest, share, size, throughput } from '../../core/format/figures.ts';
import { visible } from '../../core/format/text.ts';
import type { SeriesMetric } from '../../core/publication/manifest.ts';

type Kind = Pick<SeriesMetric, 'name' | 'unit'>;

/** With its unit: `41.2 µs`, `12.4 MiB`, `584,991 req/s`, `0.1%` of errors. Of another tool's unit, the figure and that. */
export function metricFigure({ name, unit }: Kind, value: number): string {
  switch (unit) {
    case 'req/s':
      return `${throughput(value)} req/s`;
    case 'ms':
      return latency(value);
    case 'us':
      return cpuTime(value);
    case 'bytes':
      return size(value);
    case '1/request':
      return name === 'errors' ? share(value) : perRequest(value);
    default:
      return `${Math.abs(value) >= 1000 ? grouped(value) : Number(value.toPrecision(3))} ${visible(unit)}`.trim();
  }
}

/** On an axis, whose title has the unit where the figures have none. */
export function axisFigure(metric: Kind, value: number, step: number): string {
  if (metric.unit === 'req/s') return Math.abs(value) >= 10_000 && step >= 1000 ? compact(value) : throughput(value);
  const known = ['ms', 'us', 'bytes', '1/request'].includes(metric.unit);
  return known ? metricFigure(metric, value).replace(/\.0+(?=\D|$)/, '') : String(Number(value.toPrecision(6)));
}

/** `2026-11-20 09:28 UTC` */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
