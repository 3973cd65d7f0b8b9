import type { Comparing, RunRecord } from '../record/run-record.ts';
import { type Contrast, hypothesisId } from './contrast.ts';
import { contrastsOf } from './contrasts.ts';
import { type Decision, decisionsOn, FAMILY_ERROR_RATE, type Look } from './decision.ts';
import { type Candidate, familyOf } from './family.ts';
import type { Hypothesis } from './hypothesis.ts';
import { isGated, whyInvalid } from './metric-comparison.ts';
import { isUnit } from './unit-key.ts';

type ComparingRecord = RunRecord & { comparing: Comparing };

/** The hypotheses that the gate tests of a comparing run: one for each gated metric that is told from ratios, on each level. */
export function hypothesesOf(record: ComparingRecord): Hypothesis[] {
  return gateHypotheses(contrastsOf(record));
}

/** As `hypothesesOf`. They share the error rate, so that what is only shown must not be among them. */
export function gateHypotheses(contrasts: readonly Contrast[]): Hypothesis[] {
  return familyOf(contrasts.filter((contrast) => isGated(contrast) && canBeJudged(contrast)).flatMap(candidateOf));
}

/** Those of metrics that are only shown, as a family of their own. */
export function shownHypotheses(contrasts: readonly Contrast[]): Hypothesis[] {
  return familyOf(contrasts.filter((contrast) => !isGated(contrast) && canBeJudged(contrast)).flatMap(candidateOf));
}

function candidateOf(contrast: Contrast): Candidate[] {
  const { ratios, level, metric, basis, case: compared } = contrast;
  if (ratios === null) return [];
  // In duets that fill the CPU, half of it each, throughput is what CPU per request leaves.
  const isOfDuets = basis.mode === 'duet' && (metric.name === 'throughput' || metric.name === 'cpu-per-request');
  const rounds = ratios.groups.flat().map(({ values }) => values.length);
  const sameData = isOfDuets ? `${compared.key} ${rounds.join(' ')}` : null;
  return [{ id: hypothesisId(contrast), level, metric: metric.name, ...ratios, sameData }];
}

/**
 * One-sided error rate of one service's hypotheses. Services are measured one after the other, each with its own number
 * of rounds, so that each is a matrix of its own: they share the error rate of the whole evenly.
 */
export function serviceErrorRate({ spec }: Pick<RunRecord, 'spec'>): number {
  const subjects = spec.services.filter(({ role }) => role === 'subject').length;
  return FAMILY_ERROR_RATE / Math.max(1, subjects);
}

/** Both sides are there and valid. */
export function canBeJudged({ case: { baseline, candidate } }: Contrast): boolean {
  return baseline?.status === 'valid' && candidate?.status === 'valid';
}

/**
 * Keys of the cases of a record of one service that another round may decide: those of each endpoint and service of which a gated
 * metric is open at this look. Exact counts are decided, and so is what more of the same cannot help: an invalid or missing case,
 * a metric that one side lacks, a tail with too few requests in every round. A service of which an endpoint is red already
 * is open for nobody.
 */
export function undecidedCases(record: ComparingRecord, look: Look): Set<string> {
  const contrasts = contrastsOf(record).filter((contrast) => isGated(contrast) && canBeJudged(contrast));
  const decisions = new Map(
    decisionsOn(gateHypotheses(contrasts), look, serviceErrorRate(record)).map((decision) => [decision.id, decision]),
  );
  const open = contrasts.filter((contrast) => {
    if (contrast.basis.mode === 'exact' || whyInvalid(contrast) !== null || contrast.baseline === null) return false;
    if (contrast.judgedBy !== null) return false;
    if (contrast.ratios === null) return contrast.pairs.length === 0;
    if (decisions.get(hypothesisId(contrast))!.decidedAt !== null) return false;
    return contrast.level !== 'service' || !hasRedEndpoint(contrast, contrasts, decisions);
  });
  return new Set(open.flatMap(({ caseKeys }) => caseKeys));
}

/** Of a service's metric: whether an endpoint of it is a regression already, which says all that the service could. */
export function hasRedEndpoint(
  { caseKeys, metric }: Contrast,
  contrasts: readonly Contrast[],
  decisions: ReadonlyMap<string, Decision>,
): boolean {
  return contrasts.some(
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
  const solo = contrastsOf(record).filter(
    (contrast) =>
      !isUnit(contrast.case.key) && contrast.basis.mode === 'interleaved' && isGated(contrast) && canBeJudged(contrast),
  );
  return new Set(solo.map((contrast) => contrast.case.key));
}
