import type { CaseRecord } from '../../record/run-record.ts';
import { metricOf } from '../view.ts';

const PERCENTILE = /^latency-p(\d{1,2}(?:\.\d{1,6})?)$/;

/** Names of the percentiles that any of the cases has, the lowest first: `latency-p50` … `latency-p99.99`. */
export function percentilesOf(cases: readonly CaseRecord[]): string[] {
  const names = new Set(cases.flatMap(({ metrics }) => Object.keys(metrics).filter((name) => PERCENTILE.test(name))));
  const order = (name: string) => Number(PERCENTILE.exec(name)![1]);
  return [...names].sort((one, other) => order(one) - order(other));
}

/** `p99.9` */
export function percentileName(metric: string): string {
  return metric.replace(/^latency-/, '');
}

/** Of each percentile, null where the case has none. */
export function percentileCurve(record: CaseRecord, names: readonly string[]): (number | null)[] {
  return names.map((name) => metricOf(record, name));
}
