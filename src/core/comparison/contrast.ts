import type { MetricDefinition } from '../metrics/definition.ts';
import type { CaseRecord, Comparing, MetricRecord } from '../record/run-record.ts';
import type { Limit, MetricLimit } from '../spec/resolved.ts';
import { caseWeight } from './case-weight.ts';
import type { ComparedCase } from './compared-case.ts';
import { type Basis, basisOf, type EndpointLoad, gatedOn, isExact, isTail } from './gating.ts';
import type { Hypothesis, Level } from './hypothesis.ts';
import { instancesWithTail, LEAST_TAIL_REQUESTS, type LogRatios, logRatiosOf, valuePairs } from './observations.ts';
import { changeLimit, limitsFor, logBorders } from './thresholds.ts';
import type { HeldMetric } from './unused-limits.ts';

/** One metric of a case, an endpoint or a service: what stands against what, what limits it, and what was observed. */
export interface Contrast {
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
  /** The instance of each pair of slices that holds the metric on both sides. */
  pairs: number[];
  /** What is to be said of how it was observed. */
  note: string | null;
  /**
   * Key of the endpoint or service that it is judged for together with others (`withLevels`): this case by itself is then red
   * where it shows a regression, and holds up nothing where it shows none. Null where it is judged by itself.
   */
  judgedBy: string | null;
}

export type Ratios = Pick<Hypothesis, 'groups' | 'threshold' | 'improvement'>;

export function isExactContrast({ metric }: Pick<Contrast, 'metric'>): boolean {
  return isExact(metric);
}

/** Null where neither side has the metric. */
export function contrastOf(
  metric: MetricDefinition,
  compared: ComparedCase,
  load: EndpointLoad,
  comparing: Comparing,
): Contrast | null {
  const baseline = metricOf(compared.baseline, metric.name);
  const candidate = metricOf(compared.candidate, metric.name);
  if (baseline === null && candidate === null) return null;
  const gating = gatedOn(metric, (compared.candidate ?? compared.baseline)!, load);
  const limit = gating === null ? {} : limitsFor(comparing.gate, compared.names, metric.name);
  const ofChange = changeLimit(metric, limit);
  const share = ofChange?.kind === 'ratio' ? ofChange.value : null;
  const basis = basisOf(metric, comparing.mode, compared.baseline, compared.candidate, share);
  // What errors there are is judged by `max`, and by what makes a case invalid: a ratio of next to nothing is noise.
  const threshold = metric.name === 'errors' ? null : ofChange;
  const level: Level = 'case';
  const contrast = {
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
  };
  const notes = [gating?.note, threshold === null ? null : basis.note];
  if (basis.mode === 'exact') {
    return { ...contrast, ratios: null, pairs: [], note: joined(notes), judgedBy: null };
  }
  const observed = observe(contrast);
  return { ...contrast, ...observed, note: joined([...notes, observed.note]), judgedBy: null };
}

function observe(
  contrast: Omit<Contrast, 'ratios' | 'pairs' | 'note' | 'judgedBy'>,
): Pick<Contrast, 'ratios' | 'pairs' | 'note'> {
  const { case: compared, metric, basis, threshold } = contrast;
  const all = valuePairs(contrast.baseline, contrast.candidate, basis.samples);
  const logRatios = logRatiosOf(all);
  const instances = new Set(all.map(({ instance }) => instance));
  const zeros = instances.size - logRatios.length;
  const enough =
    threshold !== null && isTail(metric) && all.length > 0 ? withTail(compared, basis, logRatios) : logRatios;
  // The level of the duets is another one: a side has only half of the CPU there.
  const published = contrast.baseline?.value ?? Number.NaN;
  const hasBorder = threshold === null || threshold.kind === 'ratio' || threshold.value === 0 || published !== 0;
  const notes = [
    zeros === 0 || threshold === null
      ? null
      : `${zeros} of ${instances.size} rounds are left out: a value of 0 has no ratio`,
    enough.length === logRatios.length
      ? null
      : `${enough.length} of ${logRatios.length} rounds answered ${LEAST_TAIL_REQUESTS.toLocaleString('en-US')} requests, which this metric needs`,
    hasBorder ? null : 'the baseline is 0, of which a limit that is no percentage is no share',
  ];
  const ratios = enough.length === 0 || !hasBorder ? null : ratiosOf(contrast, enough, published);
  return { ratios, pairs: all.map(({ instance }) => instance), note: joined(notes) };
}

function withTail({ baseline, candidate }: ComparedCase, { samples }: Basis, logRatios: LogRatios): LogRatios {
  const [one, other] = [baseline, candidate].map((side) => instancesWithTail(side!, samples));
  return logRatios.filter(({ instance }) => one!.has(instance) && other!.has(instance));
}

function ratiosOf(
  { case: compared, metric, threshold }: Pick<Contrast, 'case' | 'metric' | 'threshold'>,
  logRatios: LogRatios,
  baseline: number,
): Ratios {
  const sign = metric.better === 'lower' ? 1 : -1;
  const borders = threshold === null ? { worse: 0, better: 0 } : logBorders(metric, threshold, baseline);
  const values = logRatios.map(({ instance, value }) => ({ round: instance, value: sign * value }));
  const weight = caseWeight(compared.baseline!);
  return { groups: [[{ values, weight }]], threshold: borders.worse, improvement: borders.better };
}

/** What limits are held to. */
export function heldBy({ metric, gates, case: { names } }: Contrast): HeldMetric {
  return { metric, gates, names };
}

/** Case key → its contrasts. */
export function byCase(contrasts: readonly Contrast[]): Map<string, Contrast[]> {
  const found = new Map<string, Contrast[]>();
  for (const contrast of contrasts) {
    const own = found.get(contrast.case.key);
    if (own === undefined) found.set(contrast.case.key, [contrast]);
    else own.push(contrast);
  }
  return found;
}

/** Names the hypothesis of a contrast. */
export function hypothesisId({ case: { key }, metric }: Pick<Contrast, 'case' | 'metric'>): string {
  return `${key} ${metric.name}`;
}

function metricOf(record: CaseRecord | null, name: string): MetricRecord | null {
  return record !== null && Object.hasOwn(record.metrics, name) ? record.metrics[name]! : null;
}

function joined(notes: readonly (string | null | undefined)[]): string | null {
  const said = notes.filter((note) => note !== null && note !== undefined);
  return said.length === 0 ? null : said.join('; ');
}
