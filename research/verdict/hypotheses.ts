import type { ComparedMetric } from '../../src/core/comparison/compared-metric.ts';
import type { CaseSeries, Hypothesis } from '../../src/core/comparison/hypothesis.ts';
import { withLevels } from '../../src/core/comparison/levels.ts';
import { gateHypotheses } from '../../src/core/comparison/undecided.ts';
import { serviceKey } from '../../src/core/comparison/unit-key.ts';
import { metrics } from '../../src/core/metrics/registry.ts';
import type { CaseRecord, MetricRecord } from '../../src/core/record/run-record.ts';

/** A gated metric of a case with what its rounds gave; of memory, of all cases of its service (`server/* memory-peak`). */
export interface SeriesOfCase extends CaseSeries {
  caseKey: string;
  metric: string;
  /** ln(1 + limit), 0 or more, and how far down an improvement begins. */
  threshold: number;
  improvement?: number | undefined;
}

/**
 * The hypotheses of a service that the product would test with these series: on all levels, with its own shares of the error
 * rate. Memory of the service is a series of its own, since it is not the mean of what its cases show.
 */
export function hypothesesFrom(series: readonly SeriesOfCase[]): Hypothesis[] {
  const ofService = new Map<string, SeriesOfCase>(
    series.flatMap((one) => (isOfService(one) ? [[`${one.caseKey} ${one.metric}`, one] as const] : [])),
  );
  const comparedMetrics = series.filter((one) => !isOfService(one)).map(comparedMetricOf);
  return gateHypotheses(withLevels(comparedMetrics)).flatMap((hypothesis) => {
    if (hypothesis.level !== 'service' || !isOfProcess(hypothesis.metric)) return [hypothesis];
    const own = ofService.get(hypothesis.id);
    return own === undefined ? [] : [{ ...hypothesis, groups: [[own]] }];
  });
}

function isOfService({ caseKey }: SeriesOfCase): boolean {
  return caseKey === serviceKey(caseKey.split('/')[0]!);
}

function isOfProcess(metric: string): boolean {
  return definitionOf(metric).ofProcess === true;
}

function definitionOf(metric: string) {
  return metrics.find(({ name }) => name === metric)!;
}

/** No more than what levels and shares are made from. */
function comparedMetricOf(one: SeriesOfCase): ComparedMetric {
  const { caseKey, metric, threshold, improvement } = one;
  const [service, endpoint, route, generator] = caseKey.split('/') as [string, string, 'direct', 'wrk' | 'k6'];
  const record = { key: caseKey, service, endpoint, route, generator, status: 'valid', metrics: {}, statements: [] };
  const sides = { baseline: record as unknown as CaseRecord, candidate: record as unknown as CaseRecord };
  const figure: MetricRecord = { value: 1, unit: definitionOf(metric).unit, samples: [] };
  const share = { kind: 'ratio', value: thresholdShare(metric, threshold) } as const;
  const limit = definitionOf(metric).isWatched ? ({ ...share, watched: true } as const) : share;
  return {
    case: { key: caseKey, service, endpoint, names: [caseKey, service], limitNames: [caseKey, service], ...sides },
    metric: definitionOf(metric),
    baseline: figure,
    candidate: figure,
    basis: { mode: 'duet', samples: ['duet'], note: null },
    gates: true,
    limit: definitionOf(metric).better === 'lower' ? { maxIncrease: limit } : { maxDecrease: limit },
    threshold: limit,
    level: 'case',
    caseKeys: [caseKey],
    ratios: {
      groups: [[one]],
      threshold,
      ...(improvement === undefined ? {} : { improvement }),
    },
    pairs: [],
    note: null,
    judgedBy: null,
    isToldApart: false,
  };
}

function thresholdShare(metric: string, threshold: number): number {
  const share = definitionOf(metric).better === 'lower' ? Math.expm1(threshold) : -Math.expm1(-threshold);
  return Number(share.toPrecision(9));
}
