import { PUBLISHING_INSTANCE } from '../plan/duets.ts';
import type { CaseRecord, MetricRecord, Sample } from '../record/run-record.ts';
import { instanceLogRatio } from '../statistics/instance-log-ratio.ts';

/** A metric of both sides in the two slices of a pair. */
export interface ValuePair {
  instance: number;
  baseline: number;
  candidate: number;
}

/** ln(candidate/baseline) of each instance, in order. */
export type LogRatios = { instance: number; value: number }[];

/**
 * Samples of both sides with the same instance, mode and pair, of these modes. Those of the published figures compare
 * nothing, in duets or in turn: after minutes of load each side's heap is where its own slices left it.
 */
export function valuePairs(
  baseline: MetricRecord | null,
  candidate: MetricRecord | null,
  modes: readonly Sample['mode'][],
): ValuePair[] {
  if (baseline === null || candidate === null) return [];
  const partners = new Map<string, number>();
  for (const sample of baseline.samples) {
    if (isCompared(sample, modes)) partners.set(nameOf(sample), sample.value);
  }
  return candidate.samples.flatMap((sample) => {
    const partner = isCompared(sample, modes) ? partners.get(nameOf(sample)) : undefined;
    return partner === undefined ? [] : [{ instance: sample.instance, baseline: partner, candidate: sample.value }];
  });
}

function nameOf({ instance, mode, pair }: Sample): string {
  return `${instance} ${mode} ${pair}`;
}

/**
 * One log ratio for each instance. A pair in which a side is not above 0 has no ratio: its instance is left out, for to
 * drop the pair alone would favour that side.
 */
export function logRatiosOf(pairs: readonly ValuePair[]): LogRatios {
  const byInstance = new Map<number, ValuePair[]>();
  for (const pair of pairs) {
    const own = byInstance.get(pair.instance);
    if (own === undefined) byInstance.set(pair.instance, [pair]);
    else own.push(pair);
  }
  return [...byInstance]
    .filter(([, own]) => own.every(({ baseline, candidate }) => baseline > 0 && candidate > 0))
    .map(([instance, own]) => ({ instance, value: instanceLogRatio(own) }))
    .sort((a, b) => a.instance - b.instance);
}

/** Fewer tell nothing of a p99: a hundredth of them are its tail of 200. */
export const LEAST_TAIL_REQUESTS = 20_000;

/** Instances in whose slices of these modes the case answered `LEAST_TAIL_REQUESTS` at least. */
export function instancesWithTail(record: CaseRecord, modes: readonly Sample['mode'][]): Set<number> {
  const requests = new Map<number, number>();
  for (const sample of record.metrics.throughput?.samples ?? []) {
    if (!modes.includes(sample.mode)) continue;
    requests.set(sample.instance, (requests.get(sample.instance) ?? 0) + requestsIn(sample));
  }
  return new Set([...requests].flatMap(([instance, count]) => (count >= LEAST_TAIL_REQUESTS ? [instance] : [])));
}

/** Of a sample of throughput. Older records do not hold the count, and their duration holds the generator's start too. */
export function requestsIn({ requests, value, durationNs }: Sample): number {
  return requests ?? (value * durationNs) / 1e9;
}

/** Whether it has samples of these modes that belong to a pair and compare. */
export function isPaired(metric: MetricRecord | null, modes: readonly Sample['mode'][]): boolean {
  return metric?.samples.some((sample) => isCompared(sample, modes)) ?? false;
}

function isCompared({ instance, pair, mode }: Sample, modes: readonly Sample['mode'][]): boolean {
  return instance !== PUBLISHING_INSTANCE && pair !== null && modes.includes(mode);
}
