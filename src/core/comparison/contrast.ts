import type { MetricDefinition } from '../metrics/definition.ts';
import type { CaseRecord, Comparing, MetricRecord } from '../record/run-record.ts';
import type { Limit, MetricLimit } from '../spec/resolved.ts';
import type { ComparedCase } from './compared-case.ts';
import { type Basis, basisOf, type EndpointLoad, gatedOn, isTail } from './gating.ts';
import { instancesWithTail, LEAST_TAIL_REQUESTS, type LogRatios, logRatiosOf, valuePairs } from './observations.ts';
import type { Question } from './question.ts';
import { changeLimit, limitsFor, logBorders } from './thresholds.ts';
import type { HeldMetric } from './unused-limits.ts';

/** One metric of one case: what stands against what, what limits it, and what was observed. */
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
  /** Of what can be told from ratios; null where it is compared exactly, or nothing is paired. */
  question: Question | null;
  /** The instance of each pair of slices that holds the metric on both sides. */
  pairs: number[];
  /** What is to be said of how it was observed. */
  note: string | null;
  /**
   * Key of the service's cases that are asked the same together (`withWholeServices`): this case by itself then gates what
   * it shows, and holds up nothing where it shows neither. Null where it is asked alone.
   */
  askedOf: string | null;
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
  const basis = basisOf(metric, comparing.mode, compared.baseline, compared.candidate);
  const limit = gating === null ? {} : limitsFor(comparing.gate, compared.names, metric.name);
  // What errors there are is judged by `max`, and by what makes a case invalid: a ratio of next to nothing is noise.
  const threshold = metric.name === 'errors' ? null : changeLimit(metric, limit);
  const contrast = { case: compared, metric, baseline, candidate, basis, gates: gating !== null, limit, threshold };
  const notes = [gating?.note, threshold === null ? null : basis.note];
  if (basis.mode === 'exact') {
    return { ...contrast, question: null, pairs: [], note: joined(notes), askedOf: null };
  }
  const observed = observe(contrast);
  return { ...contrast, ...observed, note: joined([...notes, observed.note]), askedOf: null };
}

function observe(
  contrast: Omit<Contrast, 'question' | 'pairs' | 'note' | 'askedOf'>,
): Pick<Contrast, 'question' | 'pairs' | 'note'> {
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
      : `${zeros} of ${instances.size} instances are left out: a value of 0 has no ratio`,
    enough.length === logRatios.length
      ? null
      : `${enough.length} of ${logRatios.length} instances answered ${LEAST_TAIL_REQUESTS.toLocaleString('en-US')} requests, which this metric needs`,
    hasBorder ? null : 'the baseline is 0, of which a limit that is no percentage is no share',
  ];
  const question = enough.length === 0 || !hasBorder ? null : questionOf(contrast, enough, published);
  return { question, pairs: all.map(({ instance }) => instance), note: joined(notes) };
}

function withTail({ baseline, candidate }: ComparedCase, { samples }: Basis, logRatios: LogRatios): LogRatios {
  const [one, other] = [baseline, candidate].map((side) => instancesWithTail(side!, samples));
  return logRatios.filter(({ instance }) => one!.has(instance) && other!.has(instance));
}

function questionOf(
  { case: compared, metric, basis, threshold }: Pick<Contrast, 'case' | 'metric' | 'basis' | 'threshold'>,
  logRatios: LogRatios,
  baseline: number,
): Question {
  const sign = metric.better === 'lower' ? 1 : -1;
  const borders = threshold === null ? { worse: 0, better: 0 } : logBorders(metric, threshold, baseline);
  return {
    id: questionId({ case: compared, metric }),
    group: `${metric.name} ${compared.candidate!.generator} ${basis.mode}`,
    logRatios: logRatios.map(({ instance, value, pairs }) => ({ instance, value: sign * value, pairs })),
    threshold: borders.worse,
    improvement: borders.better,
  };
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

/** Names what is asked of a contrast. */
export function questionId({ case: { key }, metric }: Pick<Contrast, 'case' | 'metric'>): string {
  return `${key} ${metric.name}`;
}

function metricOf(record: CaseRecord | null, name: string): MetricRecord | null {
  return record !== null && Object.hasOwn(record.metrics, name) ? record.metrics[name]! : null;
}

function joined(notes: readonly (string | null | undefined)[]): string | null {
  const said = notes.filter((note) => note !== null && note !== undefined);
  return said.length === 0 ? null : said.join('; ');
}
