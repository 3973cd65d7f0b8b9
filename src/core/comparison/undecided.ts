import type { Comparing, RunRecord } from '../record/run-record.ts';
import { acceptanceFor, acceptedAmong } from './acceptance.ts';
import { type ComparedMetric, hypothesisId, isWatched } from './compared-metric.ts';
import { comparedMetricsOf } from './compared-metrics.ts';
import { countDecision, countedOf } from './counts.ts';
import { type Decision, decisionsOn, type InterimAnalysis } from './decision.ts';
import { ratiosErrorRate, serviceErrorRate } from './error-rates.ts';
import { type Candidate, familyOf } from './family.ts';
import type { Hypothesis } from './hypothesis.ts';
import { isGated, whyInvalid } from './metric-comparison.ts';
import { seesTwiceEachLimit } from './sensitivity.ts';
import { isUnit } from './unit-key.ts';
import { type Judged, sparedBy, waitedFor } from './waiting.ts';

type ComparingRecord = RunRecord & { comparing: Comparing };

/**
 * The hypotheses that the gate tests of a comparing run: one for each gated metric that is told from ratios, on each level. They share
 * the error rate, so that what is only shown must not be among them.
 */
export function gateHypotheses(comparedMetrics: readonly ComparedMetric[]): Hypothesis[] {
  return familyOf(
    comparedMetrics
      .filter((comparedMetric) => isGated(comparedMetric) && canBeJudged(comparedMetric))
      .flatMap(candidateOf),
  );
}

/** Those of metrics that are only shown, as a family of their own. */
export function shownHypotheses(comparedMetrics: readonly ComparedMetric[]): Hypothesis[] {
  return familyOf(
    comparedMetrics
      .filter((comparedMetric) => !isGated(comparedMetric) && canBeJudged(comparedMetric))
      .flatMap(candidateOf),
  );
}

function candidateOf(comparedMetric: ComparedMetric): Candidate[] {
  const { ratios, level, metric, basis, isToldApart, case: compared } = comparedMetric;
  if (ratios === null) return [];
  const isOfDuets = basis.mode === 'duet' && metric.sameDataAs !== null && !isToldApart;
  const rounds = ratios.groups.flat().map(({ values }) => values.length);
  const sameData = isOfDuets ? `${metric.sameDataAs} ${compared.key} ${rounds.join(' ')}` : null;
  return [{ id: hypothesisId(comparedMetric), level, metric: metric.name, ...ratios, sameData }];
}

/** Both sides are there and valid. */
function canBeJudged({ case: { baseline, candidate } }: ComparedMetric): boolean {
  return baseline?.status === 'valid' && candidate?.status === 'valid';
}

/** What is decided of a service at a look. */
export interface DecidedSoFar {
  /** Keys of the cases that another round may decide. */
  undecided: Set<string>;
  /** Those of them of which a count varies by itself, and is wanted of that round too. */
  recounted: Set<string>;
  /** Something is a regression already, an exact count among it, that nobody accepts. */
  isRed: boolean;
  /** What is undecided of the service and its endpoints would have shown a change of twice its limit. */
  seesTwiceEachLimit: boolean;
}

/**
 * Of a record of one service. Another round may decide the cases of each endpoint and service of which a gated metric is open at this
 * look. Exact counts are decided, unless they vary by themselves, and so is what more of the same cannot help: an invalid or missing case, a metric that one side lacks,
 * a tail with too few requests in every round. What is waited for is in `waitedFor`.
 */
export function decidedSoFar(record: ComparingRecord, analysis: InterimAnalysis): DecidedSoFar {
  const comparedMetrics = comparedMetricsOf(record).filter(
    (comparedMetric) => isGated(comparedMetric) && canBeJudged(comparedMetric),
  );
  const hypotheses = gateHypotheses(comparedMetrics);
  const errorRate = ratiosErrorRate(serviceErrorRate(record), comparedMetrics);
  const decisions = new Map(decisionsOn(hypotheses, analysis, errorRate).map((decision) => [decision.id, decision]));
  const { judged, red, accepted } = judgedOf(comparedMetrics, hypotheses, decisions, record.comparing.accepted);
  const waiting = waitedFor(judged, decisions);
  const open = comparedMetrics.filter((comparedMetric) => {
    if (whyInvalid(comparedMetric) !== null || comparedMetric.baseline === null) return false;
    if (comparedMetric.basis.mode === 'exact') return isOpenCount(comparedMetric);
    const hasNoRatio = comparedMetric.judgedBy === null && comparedMetric.ratios === null;
    if (hasNoRatio && !isWatched(comparedMetric)) return comparedMetric.pairs.length === 0;
    return waiting.has(hypothesisId(comparedMetric));
  });
  return {
    undecided: new Set(open.flatMap(({ caseKeys }) => caseKeys)),
    recounted: new Set(open.flatMap(({ basis, caseKeys }) => (basis.mode === 'exact' ? caseKeys : []))),
    isRed: red.length > accepted.size,
    seesTwiceEachLimit: seesTwiceEachLimit(hypotheses, waiting, analysis.rounds, errorRate),
  };
}

/** The hypotheses as `waitedFor` takes them, what is red, exact counts among it, and what of that is accepted. */
function judgedOf(
  comparedMetrics: readonly ComparedMetric[],
  hypotheses: readonly Hypothesis[],
  decisions: ReadonlyMap<string, Decision>,
  acceptances: Comparing['accepted'],
) {
  const acceptanceBy = ({ case: { names }, metric }: ComparedMetric) => acceptanceFor(acceptances, names, metric.name);
  const red = comparedMetrics
    .filter((each) => decisions.get(hypothesisId(each))?.verdict === 'regression' || isRedCount(each))
    .map((each) => ({ comparedMetric: each, metric: each.metric.name, caseKeys: each.caseKeys }));
  const accepted = acceptedAmong(red, ({ comparedMetric }) => acceptanceBy(comparedMetric));
  const acceptedRed = new Set([...accepted.keys()].map(({ comparedMetric }) => comparedMetric));
  const byId = new Map(hypotheses.map((hypothesis) => [hypothesis.id, hypothesis]));
  const judged = comparedMetrics.flatMap((comparedMetric) => {
    const hypothesis = byId.get(hypothesisId(comparedMetric));
    if (hypothesis === undefined) return [];
    const ofParts = acceptedRed.has(comparedMetric) ? 'of its parts' : null;
    const acceptance: Judged['acceptance'] = acceptanceBy(comparedMetric) === undefined ? ofParts : 'own';
    const { caseKeys, isToldApart } = comparedMetric;
    return [{ hypothesis, caseKeys, acceptance, isToldApart, isWatched: isWatched(comparedMetric) }];
  });
  return { judged, red, accepted };
}

/**
 * Ids of what a run left open since something red says the same (`sparedBy`), from the decisions that it ended with. Accepted
 * is what was so while it measured: whoever accepts a regression later has not had more measured.
 */
export function leftOpenByRed(
  comparedMetrics: readonly ComparedMetric[],
  decisions: ReadonlyMap<string, Decision>,
  acceptances: Comparing['accepted'],
): Set<string> {
  const gated = comparedMetrics.filter((comparedMetric) => isGated(comparedMetric) && canBeJudged(comparedMetric));
  return sparedBy(judgedOf(gated, gateHypotheses(gated), decisions, acceptances).judged, decisions);
}

function isRedCount(comparedMetric: ComparedMetric): boolean {
  return countVerdict(comparedMetric) === 'regression';
}

/** It varies by itself, and more passes may tell whether it rose. */
function isOpenCount(comparedMetric: ComparedMetric): boolean {
  return comparedMetric.judgedBy === null && countVerdict(comparedMetric) === 'inconclusive';
}

function countVerdict(comparedMetric: ComparedMetric) {
  const { basis, baseline, candidate, limit, countErrorRate } = comparedMetric;
  if (basis.mode !== 'exact' || baseline === null || candidate === null) return null;
  return countDecision(countedOf(comparedMetric), baseline, candidate, limit, countErrorRate).verdict;
}

/** Of a service's metric: whether an endpoint of it is a regression already, which says all that the service could. */
export function hasRedEndpoint(
  { caseKeys, metric }: ComparedMetric,
  comparedMetrics: readonly ComparedMetric[],
  decisions: ReadonlyMap<string, Decision>,
): boolean {
  return comparedMetrics.some(
    (each) =>
      each.level === 'endpoint' &&
      each.metric === metric &&
      isGated(each) &&
      each.caseKeys.every((key) => caseKeys.includes(key)) &&
      decisions.get(hypothesisId(each))?.verdict === 'regression',
  );
}

/**
 * Keys of the cases whose throughput is judged from solo trials although duets are measured, since their sides do not
 * compete for the CPU evenly: each round then needs a pair of solo trials of them.
 */
export function needsSoloPairs(record: ComparingRecord): Set<string> {
  if (record.comparing.mode !== 'duet') return new Set();
  const solo = comparedMetricsOf(record).filter(
    (comparedMetric) =>
      !isUnit(comparedMetric.case.key) &&
      comparedMetric.basis.mode === 'interleaved' &&
      comparedMetric.metric.inDuets !== 'solo beside them' &&
      isGated(comparedMetric) &&
      canBeJudged(comparedMetric),
  );
  return new Set(solo.map((comparedMetric) => comparedMetric.case.key));
}
