import type { RunRecord } from '../record/run-record.ts';
import { changePointsOf } from '../statistics/change-points.ts';
import type { StoredChangePoint } from './comparison.ts';
import { isExact } from './gating.ts';
import type { HistoryRun, StoredHistory } from './stored-history.ts';
import type { StoredMetric } from './stored-metric.ts';
import { alikeRuns, logSeries } from './stored-scatter.ts';

/**
 * Where what the gate limits went to another level in runs under the conditions of `head`, the newest first: by the reference service
 * where there is one, and accepted changes too. Counts have none: what changes in them is seen at once.
 */
export function storedChangePoints(
  all: readonly StoredMetric[],
  history: StoredHistory,
  head: RunRecord,
): StoredChangePoint[] {
  const usable = alikeRuns(history, head);
  const found = all.flatMap(({ comparedMetric, series }): StoredChangePoint[] => {
    const { case: compared, metric, threshold } = comparedMetric;
    if (series === null || threshold === null || isExact(metric)) return [];
    const { runs, values } = logSeries(history, series, usable, 0);
    return changePointsOf(values).map(({ at, change }) => ({
      key: compared.key,
      metric: metric.name,
      change: Math.expm1(change),
      direction: change > 0 === (metric.better === 'higher') ? 'better' : 'worse',
      before: named(runs[at - 1]!),
      after: named(runs[at]!),
      runs: runs.length - at,
    }));
  });
  return found.sort((one, other) => one.runs - other.runs || Math.abs(other.change) - Math.abs(one.change));
}

function named({ id, sha, startedAt }: HistoryRun): StoredChangePoint['before'] {
  return { id, sha, startedAt };
}
