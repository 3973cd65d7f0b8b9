import type { MetricDefinition } from '../metrics/definition.ts';
import { metricsOf } from '../metrics/registry.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import type { Variance } from '../statistics/moderated-variance.ts';
import { tailNote } from './absolute-limits.ts';
import { type ComparedCase, referencesOf } from './compared-case.ts';
import { type ComparedMetric, isWatched } from './compared-metric.ts';
import { endpointLoads, endpointOf, gatedOn, isExact } from './gating.ts';
import { definitionOf, requestOf, type StoredHistory, seriesName } from './stored-history.ts';
import { baselineLevel, logSeries, runToRunVariance, type SeriesChoice, usableRuns } from './stored-scatter.ts';
import { changeLimit, limitsFor } from './thresholds.ts';

/**
 * Past runs that it takes to tell scatter from change. With 10 the scatter has 6 degrees of freedom: at the level of 48
 * questions (16 cases) a change must then exceed 8 times of it, with 8 runs 10 times and with 5 some 24 times, of which
 * nobody learns anything.
 */
const LEAST_HISTORY = 10;

/** A compared metric of two stored figures. */
export interface StoredMetric {
  comparedMetric: ComparedMetric;
  /**
   * ln(candidate/baseline), up is worse; its variance, null with too few past runs; and how many there are. Null where the
   * two cannot be compared so.
   */
  observed: { change: number; variance: Variance | null; runs: number } | null;
  /** What past runs have of it; null where the two cannot be compared so. */
  series: SeriesChoice | null;
}

/** The two records, and what is known of the weather between them. */
export interface StoredSetting {
  base: RunRecord;
  head: RunRecord;
  history: StoredHistory;
  /** Whether figures, and not only exact counts, can be compared at all. */
  sameConditions: boolean;
}

/** Every metric that either side has, of every case; `cases` are those of the two records side by side. */
export function storedMetrics(cases: readonly ComparedCase[], setting: StoredSetting): StoredMetric[] {
  const { base, head, history } = setting;
  const metrics = metricsOf(head.spec);
  const loads = endpointLoads([...base.cases, ...head.cases]);
  const usable = usableRuns(history, head);
  return cases.flatMap((compared) => {
    const one = (compared.candidate ?? compared.baseline)!;
    return metrics.flatMap((metric): StoredMetric[] => {
      const [baseline, candidate] = [compared.baseline, compared.candidate].map((side) =>
        side !== null && Object.hasOwn(side.metrics, metric.name) ? side.metrics[metric.name]! : null,
      );
      if (!baseline && !candidate) return [];
      const gates = gatedOn(metric, one, loads.get(endpointOf(one))!) !== null;
      const limit = gates ? limitsFor(base.spec.gate, compared.limitNames, metric.name) : {};
      const ofChange = changeLimit(metric, limit);
      const comparedMetric: ComparedMetric = {
        case: compared,
        metric,
        baseline: baseline ?? null,
        candidate: candidate ?? null,
        basis: { mode: isExact(metric) ? 'exact' : 'stored', samples: ['solo'], note: null },
        gates,
        limit,
        // A tail of another day is mostly that of another machine.
        threshold: metric.limitedByLevelAlone || isWatched({ threshold: ofChange }) ? null : ofChange,
        level: 'endpoint',
        caseKeys: [compared.key],
        ratios: null,
        pairs: [],
        note: null,
        judgedBy: null,
        isToldApart: false,
      };
      if (!baseline || !candidate) return [{ comparedMetric, observed: null, series: null }];
      return [
        isExact(metric)
          ? countComparedMetric(comparedMetric, setting)
          : figureComparedMetric(comparedMetric, setting, usable),
      ];
    });
  });
}

/** A count of another request is no count of this one. */
function countComparedMetric(comparedMetric: ComparedMetric, { base, head }: StoredSetting): StoredMetric {
  const { baseline, candidate } = comparedMetric.case;
  if (requestOf(base, baseline!) === requestOf(head, candidate!))
    return { comparedMetric, observed: null, series: null };
  const note = 'the two specs ask this endpoint for different things';
  return {
    comparedMetric: { ...comparedMetric, basis: { ...comparedMetric.basis, mode: 'stored' }, note },
    observed: null,
    series: null,
  };
}

function figureComparedMetric(
  comparedMetric: ComparedMetric,
  setting: StoredSetting,
  usable: readonly boolean[],
): StoredMetric {
  const { case: compared, metric } = comparedMetric;
  const { base, head, history } = setting;
  const without = (note: string | null) => ({
    comparedMetric: { ...comparedMetric, note },
    observed: null,
    series: null,
  });
  if (!setting.sameConditions) return without('measured under other conditions');
  if (definitionOf(base, compared.baseline!) !== definitionOf(head, compared.candidate!)) {
    return without('the case is not the same in both: another request, load or version of the generator');
  }
  const tail = tailNote(metric, compared.candidate!);
  if (tail !== null) return without(tail);
  const tailBefore = tailNote(metric, compared.baseline!);
  if (tailBefore !== null) return without(`of the baseline, ${tailBefore}`);

  const referenceSeries = referenceSeriesOf(metric, compared, base, head);
  const choice: SeriesChoice = {
    name: seriesName(head, compared.candidate!, metric.name),
    referenceSeries: referenceSeries === null ? null : seriesName(head, referenceSeries.head, metric.name),
  };
  const was = logOf(comparedMetric.baseline!.value, referenceSeries?.values.base);
  const is = logOf(comparedMetric.candidate!.value, referenceSeries?.values.head);
  if (!Number.isFinite(was) || !Number.isFinite(is)) return without('a value of 0 has no ratio');
  if (isBefore(base, history, choice.name)) {
    const note = 'the baseline is older than a change that was accepted: compare with a later run';
    return { ...without(note), series: choice };
  }
  const past = logSeries(history, choice, usable);
  const place = past.runs.findIndex(({ id }) => id === base.id);
  const values = place >= 0 ? past.values : [...past.values, was];
  const variance = runToRunVariance(values);
  const level = baselineLevel(place >= 0 ? past.values.slice(0, place + 1) : values);
  const by =
    referenceSeries === null ? [] : [`relative to ${referenceSeries.head.service}, which both runs measured as well`];
  const few = `${values.length} of the ${LEAST_HISTORY} past runs under these conditions that it takes, the baseline among them`;
  const enough = values.length >= LEAST_HISTORY;
  const notes = [...by, ...(enough ? [] : [few])];
  const sign = metric.better === 'lower' ? 1 : -1;
  return {
    comparedMetric: {
      ...comparedMetric,
      // Beside a change stands the figure that it is a change of.
      baseline: {
        ...comparedMetric.baseline!,
        value: comparedMetric.baseline!.value * Math.exp(enough ? level - was : 0),
      },
      note: notes.length === 0 ? null : notes.join('; '),
    },
    observed: {
      change: sign * (is - (enough ? level : was)),
      variance: enough ? variance : null,
      runs: values.length,
    },
    series: choice,
  };
}

function logOf(value: number, referenceSeries = 1): number {
  return Math.log(value / referenceSeries);
}

function isBefore({ id, startedAt }: RunRecord, { runs, accepted }: StoredHistory, name: string): boolean {
  const since = accepted.get(name);
  return since !== undefined && runs[since]!.id !== id && startedAt < runs[since]!.startedAt;
}

/** A reference's case in the second record, and its figure in both. */
interface ReferenceSeries {
  head: CaseRecord;
  values: { base: number; head: number };
}

/**
 * The same kind of case of a reference service, where both records have a valid one: what made it faster or slower was the
 * machine. Null where there is none, and for memory, which is no matter of speed.
 */
function referenceSeriesOf(
  metric: MetricDefinition,
  { candidate }: ComparedCase,
  base: RunRecord,
  head: RunRecord,
): ReferenceSeries | null {
  if (!metric.followsTheMachine) return null;
  for (const service of referencesOf(head.spec)) {
    const key = [service, ...candidate!.key.split('/').slice(1)].join('/');
    const [was, is] = [base, head].map((record) =>
      record.cases.find(
        (each) =>
          each.key === key && each.variant === 'candidate' && each.status === 'valid' && figureOf(each, metric) > 0,
      ),
    );
    if (was && is && definitionOf(base, was) === definitionOf(head, is)) {
      return { head: is, values: { base: figureOf(was, metric), head: figureOf(is, metric) } };
    }
  }
  return null;
}

/** 0 where the case lacks it. */
function figureOf({ metrics }: CaseRecord, { name }: MetricDefinition): number {
  return Object.hasOwn(metrics, name) ? metrics[name]!.value : 0;
}
