import type { Limit, MetricLimit } from '../config/resolved.ts';
import { grouped } from '../format/figures.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import type { CaseRecord, Comparing, MetricRecord } from '../record/run-record.ts';
import { caseWeight, loadOf } from './case-weight.ts';
import type { ComparedCase } from './compared-case.ts';
import { type Background, type Basis, basisOf, type EndpointLoad, gatedOn, isExact } from './gating.ts';
import type { Hypothesis, Level } from './hypothesis.ts';
import { type LogRatios, logRatiosOf, roundsWithTail, valuePairs } from './observations.ts';
import { changeLimit, limitsFor, logBorders } from './thresholds.ts';
import { tellsApart } from './told-apart.ts';
import { isUnmeasuredIn } from './unmeasured-in-duets.ts';
import type { HeldMetric } from './unused-limits.ts';

/** One metric of a case, an endpoint or a service: what stands against what, what limits it, and what was observed. */
export interface ComparedMetric {
  case: ComparedCase;
  metric: MetricDefinition;
  baseline: MetricRecord | null;
  candidate: MetricRecord | null;
  basis: Basis;
  /** Whether cases like this one gate the metric; what is only shown has neither limit nor threshold. */
  gates: boolean;
  limit: MetricLimit;
  /** Of a change, in the direction that is worse; null where none is limited. */
  threshold: Limit | null;
  level: Level;
  /** Of the cases that it is of; its own where it is one. */
  caseKeys: readonly string[];
  /** What can be told from ratios; null where it is compared exactly, or nothing is paired. */
  ratios: Ratios | null;
  /** The round of each pair of trials that holds the metric on both sides. */
  pairs: number[];
  /** What is to be said of how it was observed. */
  note: string | null;
  /**
   * Key of the endpoint or service that it is judged for together with others (`withLevels`): this case by itself is then red
   * where it shows a regression, and holds up nothing where it shows none. Null where it is judged by itself.
   */
  judgedBy: string | null;
  /** Throughput and CPU per request of its duets do not tell the same (`tellsApart`). */
  isToldApart: boolean;
  /** Of a count, should it vary by itself: its part of the error rate; absent where none does. */
  countErrorRate?: number;
}

export type Ratios = Pick<Hypothesis, 'groups' | 'keepsWeights' | 'threshold' | 'improvement'>;

export function isExactlyCompared({ metric }: Pick<ComparedMetric, 'metric'>): boolean {
  return isExact(metric);
}

/** Whether its limit is one of which only a broken one is told. */
export function isWatched({ threshold }: Pick<ComparedMetric, 'threshold'>): boolean {
  return threshold?.watched === true;
}

/** Null where neither side has the metric. */
export function comparedMetricOf(
  metric: MetricDefinition,
  compared: ComparedCase,
  load: EndpointLoad,
  comparing: Comparing,
  background: Background | null = null,
): ComparedMetric | null {
  const baseline = metricOf(compared.baseline, metric.name);
  const candidate = metricOf(compared.candidate, metric.name);
  if (baseline === null && candidate === null) return null;
  const gating = gatedOn(metric, (compared.candidate ?? compared.baseline)!, load);
  const limit = gating === null ? {} : limitsFor(comparing.gate, compared.limitNames, metric.name);
  const ofChange = changeLimit(metric, limit);
  const share = ofChange?.kind === 'ratio' ? ofChange.value : null;
  const basis = basisOf(metric, comparing.mode, compared.baseline, compared.candidate, share, background);
  const isTooLittle = Math.max(baseline?.value ?? 0, candidate?.value ?? 0) < (metric.leastJudged ?? 0);
  const isUnjudged = metric.limitedByLevelAlone || isUnmeasuredIn(comparing.mode, metric) || isTooLittle;
  const threshold = isUnjudged ? null : ofChange;
  const level: Level = 'case';
  const comparedMetric = {
    case: compared,
    metric,
    baseline,
    candidate,
    basis,
    gates: gating !== null,
    limit,
    threshold,
    level,
    caseKeys: [compared.key],
    isToldApart: tellsApart(compared),
  };
  const notes = [gating?.note, threshold === null ? null : basis.note];
  if (basis.mode === 'exact') {
    return { ...comparedMetric, ratios: null, pairs: [], note: joined(notes), judgedBy: null };
  }
  const observed = observe(comparedMetric);
  return { ...comparedMetric, ...observed, note: joined([...notes, observed.note]), judgedBy: null };
}

function observe(
  comparedMetric: Omit<ComparedMetric, 'ratios' | 'pairs' | 'note' | 'judgedBy'>,
): Pick<ComparedMetric, 'ratios' | 'pairs' | 'note'> {
  const { case: compared, metric, basis, threshold } = comparedMetric;
  const all = valuePairs(comparedMetric.baseline, comparedMetric.candidate, metric, basis);
  const logRatios = logRatiosOf(all);
  const rounds = new Set(all.map(({ round }) => round));
  const zeros = rounds.size - logRatios.length;
  const enough =
    threshold !== null && metric.tailRequests !== null && all.length > 0
      ? withTail(compared, basis, logRatios, metric.tailRequests)
      : logRatios;
  // The level of the duets is another one: a side has only half of the CPU there.
  const published = comparedMetric.baseline?.value ?? Number.NaN;
  const hasBorder = threshold === null || threshold.kind === 'ratio' || threshold.value === 0 || published !== 0;
  const notes = [
    zeros === 0 || threshold === null || isWatched({ threshold })
      ? null
      : `${zeros} of ${rounds.size} rounds are left out: a value of 0 has no ratio`,
    enough.length === logRatios.length || isWatched({ threshold })
      ? null
      : `${enough.length} of ${logRatios.length} rounds answered ${grouped(metric.tailRequests!)} requests, which this metric needs`,
    hasBorder ? null : 'the baseline is 0, of which a limit that is not a percentage is no share',
  ];
  const ratios = enough.length === 0 || !hasBorder ? null : ratiosOf(comparedMetric, enough, published);
  return { ratios, pairs: all.map(({ round }) => round), note: joined(notes) };
}

function withTail(
  { baseline, candidate }: ComparedCase,
  { samples }: Basis,
  logRatios: LogRatios,
  tailRequests: number,
): LogRatios {
  const [one, other] = [baseline, candidate].map((side) => roundsWithTail(side!, samples, tailRequests));
  return logRatios.filter(({ round }) => one!.has(round) && other!.has(round));
}

function ratiosOf(
  { case: compared, metric, threshold }: Pick<ComparedMetric, 'case' | 'metric' | 'threshold'>,
  logRatios: LogRatios,
  baseline: number,
): Ratios {
  const sign = metric.better === 'lower' ? 1 : -1;
  const borders = threshold === null ? { worse: 0, better: 0 } : logBorders(metric, threshold, baseline);
  const values = logRatios.map(({ round, value }) => ({ round: round, value: sign * value }));
  const weight = caseWeight(compared.baseline!);
  const like = { endpoint: compared.endpoint, load: loadOf(compared.baseline!) };
  return { groups: [[{ values, weight, like }]], threshold: borders.worse, improvement: borders.better };
}

/** What limits are held to. */
export function heldBy({ metric, gates, case: { service, limitNames } }: ComparedMetric): HeldMetric {
  return { metric, service, gates, names: limitNames };
}

/** Case key → its compared metrics. */
export function byCase(comparedMetrics: readonly ComparedMetric[]): Map<string, ComparedMetric[]> {
  const found = new Map<string, ComparedMetric[]>();
  for (const comparedMetric of comparedMetrics) {
    const own = found.get(comparedMetric.case.key);
    if (own === undefined) found.set(comparedMetric.case.key, [comparedMetric]);
    else own.push(comparedMetric);
  }
  return found;
}

/** Names the hypothesis of a compared metric. */
export function hypothesisId({ case: { key }, metric }: Pick<ComparedMetric, 'case' | 'metric'>): string {
  return `${key} ${metric.name}`;
}

function metricOf(record: CaseRecord | null, name: string): MetricRecord | null {
  return record !== null && Object.hasOwn(record.metrics, name) ? record.metrics[name]! : null;
}

function joined(notes: readonly (string | null | undefined)[]): string | null {
  const said = notes.filter((note) => note !== null && note !== undefined);
  return said.length === 0 ? null : said.join('; ');
}
