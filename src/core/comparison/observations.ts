import { PUBLISHING_ROUND } from '../measurement/names.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { publishedSolo } from '../record/published.ts';
import type { CaseRecord, MetricRecord, Sample } from '../record/run-record.ts';
import { roundLogRatio } from '../statistics/round-log-ratio.ts';
import { type Basis, cost } from './gating.ts';

/** A metric of both sides in the two trials of a pair. */
export interface ValuePair {
  round: number;
  baseline: number;
  candidate: number;
}

/** ln(candidate/baseline) of each round, in order. */
export type LogRatios = { round: number; value: number }[];

/**
 * Samples of both sides with the same round, mode and pair, of these modes. Those of the published figures compare
 * nothing, in duets or in turn: after minutes of load each side's heap is where its own trials left it. What background threads used is
 * taken at the usual where the basis has it.
 */
export function valuePairs(
  baseline: MetricRecord | null,
  candidate: MetricRecord | null,
  metric: Pick<MetricDefinition, 'better'>,
  { samples: modes, background }: Pick<Basis, 'samples' | 'background'>,
): ValuePair[] {
  if (baseline === null || candidate === null) return [];
  const partners = new Map<string, number>();
  for (const sample of baseline.samples) {
    const value = comparedValue(sample, metric, background);
    if (isCompared(sample, modes) && value !== undefined) partners.set(nameOf(sample), value);
  }
  return candidate.samples.flatMap((sample) => {
    const [own, partner] = [comparedValue(sample, metric, background), partners.get(nameOf(sample))];
    if (own === undefined || partner === undefined || !isCompared(sample, modes)) return [];
    return [{ round: sample.round, baseline: partner, candidate: own }];
  });
}

function comparedValue(
  { value, withoutBackground }: Sample,
  metric: Pick<MetricDefinition, 'better'>,
  background: Basis['background'],
): number | undefined {
  if (background === undefined) return value;
  if (withoutBackground === undefined) return undefined;
  return cost(metric, cost(metric, withoutBackground) + background.usual);
}

function nameOf({ round, mode, pair }: Sample): string {
  return `${round} ${mode} ${pair}`;
}

/**
 * One log ratio for each round. A pair in which a side is not above 0 has no ratio: its round is left out, for to
 * drop the pair alone would favour that side.
 */
export function logRatiosOf(pairs: readonly ValuePair[]): LogRatios {
  const byRound = new Map<number, ValuePair[]>();
  for (const pair of pairs) {
    const own = byRound.get(pair.round);
    if (own === undefined) byRound.set(pair.round, [pair]);
    else own.push(pair);
  }
  return [...byRound]
    .filter(([, own]) => own.every(({ baseline, candidate }) => baseline > 0 && candidate > 0))
    .map(([round, own]) => ({ round, value: roundLogRatio(own) }))
    .sort((a, b) => a.round - b.round);
}

/** Rounds in whose trials of these modes the case answered so many requests at least. */
export function roundsWithTail(
  record: CaseRecord,
  modes: readonly Sample['mode'][],
  tailRequests: number,
): Set<number> {
  const requests = new Map<number, number>();
  for (const sample of record.metrics.throughput?.samples ?? []) {
    if (!modes.includes(sample.mode)) continue;
    requests.set(sample.round, (requests.get(sample.round) ?? 0) + requestsIn(sample));
  }
  return new Set([...requests].flatMap(([round, count]) => (count >= tailRequests ? [round] : [])));
}

/** Of a sample of throughput. Older records do not hold the count, and their duration holds the generator's start too. */
export function requestsIn({ requests, value, durationNs }: Sample): number {
  return requests ?? (value * durationNs) / 1e9;
}

/** What published figures of a case rest on, of its throughput. */
export function publishedRequests(throughput: MetricRecord | undefined): number {
  const solo = publishedSolo(throughput?.samples ?? []);
  // A record of the data branch keeps no samples, and their sum.
  if (solo.length === 0) return throughput?.requests ?? 0;
  return solo.reduce((sum, sample) => sum + requestsIn(sample), 0);
}

/** Whether it has samples of these modes that belong to a pair and compare. */
export function isPaired(metric: MetricRecord | null, modes: readonly Sample['mode'][]): boolean {
  return metric?.samples.some((sample) => isCompared(sample, modes)) ?? false;
}

export function isCompared({ round, pair, mode }: Sample, modes: readonly Sample['mode'][]): boolean {
  return round !== PUBLISHING_ROUND && pair !== null && modes.includes(mode);
}
