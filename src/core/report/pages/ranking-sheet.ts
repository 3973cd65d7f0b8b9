import { metricNamed } from '../../metrics/registry.ts';
import type { Contender, Contest } from '../analysis/contest.ts';
import { type PastFigures, rangesOf } from '../analysis/ranges.ts';
import { validFigure } from '../analysis/scaling.ts';
import type { Sheet } from '../sheet.ts';

/** Beside throughput, in the table of a ranking and in its file. */
export const COLUMNS = ['latency-p50', 'latency-p99', 'memory-peak', 'cpu-per-request'] as const;

/** Throughput as a multiple of another one's; null where either has none that is valid. */
export function ratioTo({ entry }: Contender, against: Contender | null): number | null {
  const own = validFigure(entry, 'throughput');
  const base = against === null ? null : validFigure(against.entry, 'throughput');
  return own === null || base === null || base <= 0 ? null : own / base;
}

/** A ranking as other programs take it. */
export function rankingSheet(contest: Contest, against: Contender | null, past: PastFigures): Sheet {
  const names = [...new Set(['throughput', ...COLUMNS])];
  const ranges = rangesOf(
    contest.rows.map(({ entry }) => entry.record),
    ['throughput'],
    past,
  );
  return {
    columns: [
      'case',
      'service',
      'endpoint',
      'rank',
      'status',
      ...names.map((name) => `${name} (${metricNamed(name)!.unit})`),
      'throughput lowest',
      'throughput highest',
      'lowest and highest of',
      'throughput relative to',
      'throughput ratio',
    ],
    rows: contest.rows.map((row) => {
      const { record } = row.entry;
      const range = ranges.range(record, 'throughput');
      return [
        record.key,
        record.service,
        record.endpoint,
        row.rank,
        record.status,
        ...names.map((name) => (Object.hasOwn(record.metrics, name) ? record.metrics[name]!.value : null)),
        range?.[0] ?? null,
        range?.[1] ?? null,
        range === null ? null : ranges.of,
        against?.label ?? null,
        contest.openModel ? null : ratioTo(row, against),
      ];
    }),
  };
}
