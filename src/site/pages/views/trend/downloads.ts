import { commaSeparated } from '../../../../core/format/comma-separated.ts';
import type { Manifest } from '../../../../core/publication/manifest.ts';
import { acceptedOf, type Line, type Trend } from './model.ts';

/** What the charts show, one row a run and case. Empty where there is no figure, never 0. */
export function trendCsv(trend: Trend, isNormalised: boolean): string {
  const header = [
    'run',
    'time',
    'commit',
    'pull_request',
    'release',
    'cpu',
    'case',
    'metric',
    'unit',
    'value',
    ...(isNormalised ? ['normalised_value'] : []),
    'status',
    'change',
    'change_low',
    'change_high',
    'verdict',
    'accepted',
  ];
  const rows = trend.lines.flatMap((line) =>
    trend.runs.flatMap((run, place) => {
      if (!isShown(line, place)) return [];
      const { columns, figures } = line;
      return [
        [
          run.id,
          new Date(run.at).toISOString(),
          run.sha ?? '',
          run.pullRequest ?? '',
          run.release ?? '',
          run.cpu,
          line.case.key,
          line.metric.name,
          line.metric.unit,
          figureOf(columns.value[place]) ?? '',
          ...(isNormalised ? [figureOf(figures[place]) ?? ''] : []),
          columns.doubt[place] ?? 'valid',
          figureOf(columns.change[place]) ?? '',
          figureOf(columns.low[place]) ?? '',
          figureOf(columns.high[place]) ?? '',
          columns.verdict[place] ?? '',
          acceptedOf(run, line.metric)
            .map(({ reason }) => reason)
            .join('; '),
        ],
      ];
    }),
  );
  return commaSeparated([header, ...rows]);
}

export function trendJson(trend: Trend, isNormalised: boolean, { spec, repository }: Manifest): string {
  const { name, title, unit, better } = trend.metric;
  const document = {
    spec,
    repository,
    metric: { name, title, unit, better },
    normalised: isNormalised,
    runs: trend.runs.map(({ id, at, sha, pullRequest, release, cpu, passed, imported, accepted }) => ({
      id,
      time: new Date(at).toISOString(),
      sha,
      pullRequest,
      release,
      cpu,
      passed,
      imported,
      accepted,
    })),
    series: trend.lines.map(({ case: { key }, columns, figures }) => ({
      case: key,
      value: columns.value.map(figureOf),
      ...(isNormalised ? { normalisedValue: figures.map(figureOf) } : {}),
      status: columns.doubt.map((doubt) => doubt ?? 'valid'),
      change: columns.change.map(figureOf),
      low: columns.low.map(figureOf),
      high: columns.high.map(figureOf),
      verdict: columns.verdict,
    })),
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** Whether the run says anything of the case. */
export function isShown({ columns }: Line, place: number): boolean {
  return (
    figureOf(columns.value[place]) !== null ||
    figureOf(columns.change[place]) !== null ||
    columns.doubt[place] !== null ||
    columns.verdict[place] !== null
  );
}

function figureOf(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
