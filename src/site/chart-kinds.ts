import { barFigure, coreShare, cpuTime, latency, size, throughput } from '../core/format/figures.ts';
import type { PageFigures } from '../core/report/html/page-data.ts';

/** One chart of the page: what it draws for each row, and how its figures are written. */
export interface ChartKind {
  title: string;
  note: string;
  /** `bars` beside each other, `stack` on top of each other, `dots` on a logarithmic axis. */
  form: 'bars' | 'stack' | 'dots';
  series: { name: string; of(figures: PageFigures): number | null }[];
  figure(value: number): string;
  /** What a reader of throughput and latency does without. */
  isOfResources: boolean;
  /** On the axis, where space is short; `most` is the longest bar's value. */
  tick(value: number, most: number): string;
}

/** Drawn in MiB, for an axis with round figures. */
function mebibytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / 1024 ** 2;
}

export const chartKinds: ChartKind[] = [
  {
    title: 'Throughput',
    isOfResources: false,
    note: 'requests per second, more is better',
    form: 'bars',
    series: [{ name: 'Requests per second', of: (row) => row.throughput }],
    figure: throughput,
    tick: (value, most) => barFigure(value, most).replace(/\.0+$/, ''),
  },
  {
    title: 'Latency percentiles',
    isOfResources: false,
    note: 'logarithmic, less is better',
    form: 'dots',
    series: (['p50', 'p75', 'p90', 'p99'] as const).map((name) => ({ name, of: (row) => row.latencyMs[name] })),
    figure: latency,
    tick: (value) => latency(value).replace(/\.0+(?= )/, ''),
  },
  {
    title: 'Memory',
    isOfResources: true,
    note: 'of the service, without page cache, less is better',
    form: 'bars',
    series: (['idle', 'peak', 'settled'] as const).map((name) => ({
      name,
      of: (row) => mebibytes(row.memoryBytes[name]),
    })),
    figure: (value) => size(value * 1024 ** 2),
    tick: (value) => `${value} MiB`,
  },
  {
    title: 'CPU time per request',
    isOfResources: true,
    note: 'less is better',
    form: 'stack',
    series: (['service', 'database', 'dependencies'] as const).map((name) => ({
      name,
      of: (row) => row.cpuUs[name] ?? null,
    })),
    figure: cpuTime,
    tick: cpuTime,
  },
  {
    title: 'CPU usage',
    isOfResources: true,
    note: '100% is one core busy all the time',
    form: 'stack',
    series: (['service', 'database', 'gateway', 'dependencies'] as const).map((name) => ({
      name,
      of: (row) => row.cores[name] ?? null,
    })),
    figure: coreShare,
    tick: (value) => `${Math.round(value * 100)}%`,
  },
];
