import { comparedMetricsOf } from '../../../src/core/comparison/compared-metrics.ts';
import type { Verdict } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { gateHypotheses } from '../../../src/core/comparison/undecided.ts';
import { PUBLISHING_ROUND } from '../../../src/core/measurement/names.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import type { SeriesOfCase } from '../hypotheses.ts';

export type Condition = 'quiet' | 'disturbed';

/** One finished comparison: a line of the results file. */
export interface LiveResult {
  kind: string;
  condition: Condition;
  seed: number;
  /** ISO 8601, UTC. */
  finishedAt: string;
  machine: { cpuModel: string; kernel: string };
  /** `bundle`: SHA-256 of dist/cli.cjs, 12 digits; the first 81 lines have none. */
  tool: { version: string; bundle?: string };
  injected: Injected;
  /** Of `wrkbench run`. */
  exitStatus: number;
  seconds: {
    /** Rounds started, warmed up and loaded side by side: what the budget bounds. */
    comparing: number;
    load: number;
    wall: number;
  };
  /** Of those that compare; the first 81 lines of the file count that of the published figures as well. */
  rounds: number;
  /** CPU time of a request, median of the duets of the first case. */
  cpuUs: { baseline: number; candidate: number };
  /**
   * Of the standard spec: what a request to each endpoint costs the baseline, microseconds, as far as a share of it is meant: the mean over
   * the cases that are judged, weighted as they are, of 1/cost, inverted.
   */
  endpointUs?: Record<string, number>;
  /** Of the standard spec: the database's part of that; not in the first 324 lines. */
  databaseShares?: Record<string, number>;
  /** Of what is gated, and where `invalid` of everything else. */
  verdicts: LiveVerdict[];
  /** What failed the gate beside regressions, as a person is told it; lines from before 2026-11-24 22:00 have none. */
  failures?: string[];
  /** What the verdicts were worked out from, so that they can be again: each gated metric of a case, and memory of the service. */
  series: StoredSeries[];
  /** What the other process took; null where there was none. */
  disturbance: { wallSeconds: number; burstSeconds: number; cpuSeconds: number; bursts: number } | null;
}

export interface Injected {
  /** Environment of the candidate beside the baseline's. */
  environment: Record<string, string>;
  /** Asked for, of a request's CPU time; null where something else is injected, or nothing. */
  share: number | null;
  /** Microseconds of CPU time for each request; 0 where something else is injected, or of some endpoints each of its own. */
  cpuUs: number;
  /** What a request of the baseline cost before, from which `cpuUs` was made; null where it was not asked. */
  calibratedUs: number | null;
}

interface LiveVerdict {
  case: string;
  metric: string;
  verdict: Verdict;
  change: number | null;
  interval: [number, number] | null;
  adjusted: [number, number] | null;
  mode: string;
}

export interface StoredSeries {
  /** `CASE METRIC`. */
  id: string;
  threshold: number;
  improvement?: number | undefined;
  /** Of the case in its endpoint; not in the first 306 lines, whose cases all count the same. */
  weight?: number;
  /** ln(candidate/baseline) of each round, up is worse; the first 306 lines have those of each pair as well. */
  logRatios: [round: number, value: number, pairs?: number[]][];
}

/** What a comparing run found. Throws an `Error` where the record holds no comparison. */
export function findings(
  record: RunRecord,
): Pick<LiveResult, 'rounds' | 'cpuUs' | 'endpointUs' | 'databaseShares' | 'verdicts' | 'failures' | 'series'> {
  const { comparing } = record;
  if (comparing === undefined) throw new Error(`The run ${record.id} compared nothing.`);
  const comparison = comparisonOf(record);
  const verdicts = [...comparison.cases, ...comparison.endpoints, ...comparison.services].flatMap(({ key, metrics }) =>
    Object.entries(metrics).flatMap(([metric, { verdict, change, interval, adjusted, evidence }]) =>
      verdict === null
        ? []
        : [{ case: key, metric, verdict, ...rounded({ change, interval, adjusted }), mode: evidence.mode }],
    ),
  );
  const series = gateHypotheses(comparedMetricsOf({ ...record, comparing })).flatMap(
    ({ id, threshold, improvement, groups }) => {
      const [only, ...others] = groups.flat();
      // What is of several cases is made again from what is of each.
      if (only === undefined || others.length > 0) return [];
      const logRatios = only.values.map(({ round, value }): [number, number] => [round, toMillionths(value)]);
      return [{ id, threshold, improvement, weight: only.weight, logRatios }];
    },
  );
  return {
    rounds: roundsOf(record),
    cpuUs: cpuUsOf(record),
    ...endpointCosts({ ...record, comparing }),
    verdicts,
    failures: [...comparison.gate.invalid, ...comparison.gate.notMeasured].map(
      ({ caseKey, metric, message }) => `${caseKey}${metric === null ? '' : ` ${metric}`}: ${message}`,
    ),
    series,
  };
}

export function asSeries({ id, threshold, improvement, weight = 1, logRatios }: StoredSeries): SeriesOfCase {
  const space = id.lastIndexOf(' ');
  const values = logRatios.map(([round, value]) => ({ round, value }));
  return { caseKey: id.slice(0, space), metric: id.slice(space + 1), threshold, improvement, weight, values };
}

type Figures = Pick<LiveVerdict, 'change' | 'interval' | 'adjusted'>;

function rounded({ change, interval, adjusted }: Figures): Figures {
  const ends = (pair: [number, number] | null): [number, number] | null =>
    pair === null ? null : [toMillionths(pair[0]), toMillionths(pair[1])];
  return { change: change === null ? null : toMillionths(change), interval: ends(interval), adjusted: ends(adjusted) };
}

function toMillionths(value: number): number {
  return Number(value.toFixed(6));
}

function roundsOf({ cases }: RunRecord): number {
  const samples = cases.flatMap(({ metrics }) => metrics['cpu-per-request']?.samples ?? []);
  const compared = samples.filter(({ round }) => round !== PUBLISHING_ROUND);
  return new Set(compared.map(({ round }) => round)).size;
}

function cpuUsOf({ cases }: RunRecord): LiveResult['cpuUs'] {
  const side = (variant: 'baseline' | 'candidate') => {
    const samples = cases.find((each) => each.variant === variant)?.metrics['cpu-per-request']?.samples ?? [];
    return Number(median(samples.filter(({ mode }) => mode === 'duet').map(({ value }) => value)).toFixed(4));
  };
  return { baseline: side('baseline'), candidate: side('candidate') };
}

/** Of every endpoint whose CPU per request is judged. */
function endpointCosts(
  record: RunRecord & { comparing: Comparing },
): Pick<LiveResult, 'endpointUs' | 'databaseShares'> {
  const found = new Map<string, { weight: number; sum: number; ofDatabase: number }>();
  for (const { id, groups } of gateHypotheses(comparedMetricsOf(record))) {
    const [only, ...others] = groups.flat();
    if (only === undefined || others.length > 0 || !id.endsWith(' cpu-per-request')) continue;
    const key = id.slice(0, id.lastIndexOf(' '));
    const own = record.cases.find((each) => each.key === key && each.variant === 'baseline');
    if (own === undefined) continue;
    const inDuets = (metric: string) =>
      own.metrics[metric]?.samples.filter(({ mode }) => mode === 'duet').map(({ value }) => value) ?? [];
    const us = median(inDuets('cpu-per-request'));
    const database = inDuets('database-cpu-per-request');
    const known = found.get(own.endpoint) ?? { weight: 0, sum: 0, ofDatabase: 0 };
    found.set(own.endpoint, {
      weight: known.weight + only.weight,
      sum: known.sum + only.weight / us,
      ofDatabase: known.ofDatabase + (database.length === 0 ? 0 : (only.weight * median(database)) / us),
    });
  }
  const each = (value: (one: { weight: number; sum: number; ofDatabase: number }) => number) =>
    Object.fromEntries([...found].map(([name, one]) => [name, Number(value(one).toFixed(3))]));
  return {
    endpointUs: each(({ weight, sum }) => weight / sum),
    databaseShares: each(({ weight, ofDatabase }) => ofDatabase / weight),
  };
}
