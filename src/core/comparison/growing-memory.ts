import type { GateRules, Limit } from '../config/resolved.ts';
import { counted, grouped, size } from '../format/figures.ts';
import { PUBLISHING_ROUND } from '../measurement/names.ts';
import type { CaseRecord } from '../record/run-record.ts';
import { LEAST_VALUES } from '../statistics/interim-analyses.ts';
import { mean, sampleVariance } from '../statistics/moderated-variance.ts';
import { studentQuantile } from '../statistics/student.ts';
import { FAMILY_ERROR_RATE } from './decision.ts';
import { requestsIn } from './observations.ts';
import { limitsFor } from './thresholds.ts';
import { serviceKey } from './unit-key.ts';
import type { HeldMetric } from './unused-limits.ts';

const GROWTH = 'memory-growth';
/** Of each side in a round: a heap that has answered fewer is still becoming as large as it needs to be. */
const LEAST_REQUESTS = 5000;
/** Fewer peaks of a round give no slope. */
const LEAST_TRIALS = 4;
/** Of what the baseline's memory grows by: heaps that warm up do not all do so alike. */
const SHARE_OF_USUAL = 0.5;

/**
 * A sentence for each service whose candidate's memory grows more with each request than its baseline's, by more than `memory-growth` allows. Of
 * a round it is the slope of the difference between the two sides' peaks over the requests that both have answered by then, which a cache
 * that warms up on both does not change:
 *
 *     candidate - baseline │            ·  ·
 *                          │       ·  ·          each · a pair of trials, in order of time
 *                          │  ·  ·
 *                          └──────────────────▶ requests since the start of the round
 *
 * The slopes of all rounds are judged by Student's t, once, at the end. Of two equal Node.js servers they differ by 60 to 100 bytes a request
 * from round to round (standard deviation), of 100,000 requests each.
 */
export function growingMemory(cases: readonly CaseRecord[], gate: GateRules): string[] {
  return heldToGrowth(cases).flatMap(({ service, names }) => {
    const limit = limitsFor(gate, names, GROWTH).maxIncrease;
    if (limit === undefined) return [];
    const found = excessGrowth(roundsOf(cases.filter((each) => each.service === service)), limit);
    if (found === null) return [];
    const [bytes, least] = [found.bytes, found.leastBytes].map((each) => size(Math.round(each)));
    return [
      `\`${service}\`: the candidate's memory grows by ${bytes} more with each request than the baseline's (at least ${least}), in ` +
        `${counted(found.rounds, 'round')} of ${grouped(Math.round(found.requests))} requests: a leak, or a cache that fills up. Where that is ` +
        'meant, raise `gate.memory-growth`.',
    ];
  });
}

interface ExcessGrowth {
  /** Of each request, beyond the baseline's. */
  bytes: number;
  /** Lower end of what that may be by chance. */
  leastBytes: number;
  rounds: number;
  /** Of each side in a round, on average. */
  requests: number;
}

/** Null where the limit holds, or nothing can be told. */
export function excessGrowth(all: readonly (readonly PairOfPeaks[])[], limit: Limit): ExcessGrowth | null {
  const rounds = all.flatMap((pairs) => slopesOf(pairs) ?? []);
  const variance = sampleVariance(rounds.map(({ difference }) => difference));
  if (variance === null || rounds.length < LEAST_VALUES) return null;
  const usual = Math.abs(mean(rounds.map(({ baseline }) => baseline)));
  const bytes = mean(rounds.map(({ difference }) => difference));
  const critical = studentQuantile(1 - FAMILY_ERROR_RATE, variance.degreesOfFreedom);
  const leastBytes = bytes - critical * Math.sqrt(variance.value / rounds.length);
  const allowed = limit.kind === 'ratio' ? limit.value * usual : Math.max(limit.value, SHARE_OF_USUAL * usual);
  if (leastBytes <= allowed) return null;
  return { bytes, leastBytes, rounds: rounds.length, requests: mean(rounds.map(({ requests }) => requests)) };
}

/** What a limit of it is held to: each service. */
export function heldToGrowth(cases: readonly CaseRecord[]): HeldMetric[] {
  return [...new Set(cases.map(({ service }) => service))].map((service) => ({
    metric: { name: GROWTH },
    service,
    names: [serviceKey(service), service],
    gates: true,
  }));
}

/** The peaks of both sides in two trials of a pair, and how many requests each answered in it. */
export interface PairOfPeaks {
  startedNs: number;
  peaks: { baseline: number; candidate: number };
  requests: { baseline: number; candidate: number };
}

function roundsOf(cases: readonly CaseRecord[]): PairOfPeaks[][] {
  const rounds = new Map<number, PairOfPeaks[]>();
  const baselines = new Map(cases.flatMap((each) => (each.variant === 'baseline' ? [[each.key, each]] : [])));
  for (const candidate of cases.filter(({ variant }) => variant === 'candidate')) {
    const baseline = baselines.get(candidate.key);
    if (baseline === undefined) continue;
    const [was, is] = [trialsOf(baseline), trialsOf(candidate)];
    for (const [name, own] of is) {
      const other = was.get(name);
      if (other === undefined) continue;
      const pair = {
        startedNs: Math.min(own.startedNs, other.startedNs),
        peaks: { baseline: other.peakBytes, candidate: own.peakBytes },
        requests: { baseline: other.requests, candidate: own.requests },
      };
      rounds.set(own.round, [...(rounds.get(own.round) ?? []), pair]);
    }
  }
  return [...rounds.values()];
}

interface Trial {
  round: number;
  startedNs: number;
  peakBytes: number;
  requests: number;
}

/** Of the rounds that are compared, by what the trials of a pair have in common. */
function trialsOf({ metrics }: CaseRecord): Map<string, Trial> {
  const requests = new Map(
    (metrics.throughput?.samples ?? []).map((sample) => [sample.startedNs, requestsIn(sample)] as const),
  );
  return new Map(
    (metrics['memory-peak']?.samples ?? []).flatMap(({ round, mode, pair, startedNs, value }) => {
      const own = requests.get(startedNs);
      if (round === PUBLISHING_ROUND || pair === null || own === undefined) return [];
      return [[`${round} ${mode} ${pair}`, { round, startedNs, peakBytes: value, requests: own }] as const];
    }),
  );
}

interface Slopes {
  /** Bytes for each request, of the candidate beyond the baseline. */
  difference: number;
  /** Of the baseline by itself. */
  baseline: number;
  /** Of each side, in the round. */
  requests: number;
}

/** Null of a round that tells too little. */
function slopesOf(pairs: readonly PairOfPeaks[]): Slopes | null {
  const ordered = [...pairs].sort((one, other) => one.startedNs - other.startedNs);
  const answered: number[] = [];
  for (const { requests } of ordered) answered.push((answered.at(-1) ?? 0) + mean(Object.values(requests)));
  const requests = answered.at(-1) ?? 0;
  if (ordered.length < LEAST_TRIALS || requests < LEAST_REQUESTS) return null;
  const differences = ordered.map(({ peaks }) => peaks.candidate - peaks.baseline);
  const baselines = ordered.map(({ peaks }) => peaks.baseline);
  return { difference: slopeOf(answered, differences), baseline: slopeOf(answered, baselines), requests };
}

/** Of the line of least squares. */
function slopeOf(xs: readonly number[], ys: readonly number[]): number {
  const [x, y] = [mean(xs), mean(ys)];
  const products = xs.map((each, index) => (each - x) * (ys[index]! - y));
  return products.reduce((sum, each) => sum + each, 0) / xs.reduce((sum, each) => sum + (each - x) ** 2, 0);
}
