import { optionalWarnings, rightlyAbsent, withRequiredServices } from '../baseline/absent-services.ts';
import { canonicalText } from '../baseline/canonical.ts';
import { governedWarnings, heldToBaseline } from '../baseline/governed-services.ts';
import { requestKey } from '../baseline/held-requests.ts';
import { otherRequestReason, otherRequests } from '../baseline/other-requests.ts';
import { missingCases, roleWarnings } from '../baseline/sides.ts';
import { casesOf } from '../config/case.ts';
import type { ResolvedSpec, Service } from '../config/resolved.ts';
import { isSelected, quickened } from '../config/selection.ts';
import { metricsOf } from '../metrics/registry.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { moderatedVariance } from '../statistics/moderated-variance.ts';
import { casesSideBySide, referencesOf } from './compared-case.ts';
import { byCase, heldBy, hypothesisId } from './compared-metric.ts';
import type { ComparedSide, Comparison } from './comparison.ts';
import { absenceWarnings, type ComparisonOptions, wholeFailures } from './comparison-of.ts';
import { countsOfInvalid } from './counts-of-invalid.ts';
import { type Decision, decisionOn, FAMILY_ERROR_RATE, NO_CHANGE_ERROR_RATE } from './decision.ts';
import type { RatioEstimate } from './estimates.ts';
import { gateResult } from './gate.ts';
import { gatedCase, reasonsOf } from './gated-case.ts';
import { endpointLoads } from './gating.ts';
import { isGated } from './metric-comparison.ts';
import { storedChangePoints } from './stored-change-points.ts';
import { otherConditions, refuseUnrelated, storedWarnings } from './stored-conditions.ts';
import { noHistory, type StoredHistory } from './stored-history.ts';
import { type StoredMetric, storedMetrics } from './stored-metric.ts';
import { logBorders } from './thresholds.ts';
import { unjudgedServices } from './unjudged-services.ts';
import { unmeasuredLevels } from './unmeasured-levels.ts';
import { unusedLimits } from './unused-limits.ts';

export interface StoredOptions extends ComparisonOptions {
  /** `--only` of the second record's run: what it does not fit is not missing. */
  only?: string | null;
  /** The spec whose requests gate the second record, where that is not the first one's: what both ask alike is new to that, not gone. */
  governing?: ResolvedSpec | null;
}

/**
 * The published figures of two records, by the gate of the first: relative to a reference service where both measured one,
 * and against how past runs under the same conditions scattered. Without enough of those nothing but exact counts is
 * judged. `history` may hold the two themselves. Throws `NotComparable`.
 */
export function storedComparison(
  base: RunRecord,
  second: RunRecord,
  history: StoredHistory = noHistory,
  options: StoredOptions = {},
): Comparison {
  refuseUnrelated(base, second);
  const head = withRequiredServices(heldToBaseline(second, base.spec), base.spec, options.only ?? null);
  const gatedHead = { ...head, spec: gatedSpec(base.spec, head.spec) };
  const was = askedAlike(expectedOf(base, gatedHead, options.only ?? null), base, head, options.governing ?? base.spec);
  const cases = casesSideBySide(was, candidates(head), gatedHead.spec, pathsOf(base.spec));
  const unmeasured = unmeasuredLevels(cases, base.spec.gate, endpointLoads([...base.cases, ...head.cases]), head.spec);
  const sameConditions = otherConditions(base, head).length === 0;
  const all = storedMetrics(cases, { base, head: gatedHead, history, sameConditions });
  const decisions = decisionsFor(all.filter(({ comparedMetric }) => reasonsOf(comparedMetric.case).length === 0));
  const comparedMetrics = all.map(({ comparedMetric }) => comparedMetric);
  const own = byCase(comparedMetrics);
  const held = [...comparedMetrics.map(heldBy), ...unmeasured];
  const counts = countsOfInvalid(comparedMetrics);
  const changePoints = storedChangePoints(all, history, head);
  const gated = cases.map((each) => gatedCase(each, own.get(each.key) ?? [], decisions, { unmeasured, counts }));
  return {
    schemaVersion: 1,
    mode: 'stored',
    baseline: sideOf(base),
    candidate: sideOf(head),
    familyErrorRate: FAMILY_ERROR_RATE,
    warnings: [
      ...storedWarnings(base, head),
      ...roleWarnings(head.spec, base.spec),
      ...optionalWarnings(head.spec, base.spec),
      ...governedWarnings(head.spec, base.spec),
      ...absenceWarnings(head),
      ...unusedLimits(base.spec.gate, held, 'stored'),
      ...unjudgedServices(base.spec.gate, cases, held),
    ],
    skipped: null,
    cases: gated.map(({ comparison }) => comparison),
    endpoints: [],
    services: [],
    ...(changePoints.length === 0 ? {} : { changePoints }),
    gate: gateResult(gated, {
      metrics: metricsOf(head.spec),
      accepted: [...((head.comparing ?? head.unpaired)?.accepted ?? []), ...(options.accepted ?? [])],
      failOnInconclusive: options.failOnInconclusive ?? false,
      whole: wholeFailures(head, null),
    }),
  };
}

function pathsOf({ endpoints }: ResolvedSpec): Record<string, string> {
  return Object.fromEntries(endpoints.map(({ name, path }) => [name, path]));
}

function candidates({ cases }: RunRecord): CaseRecord[] {
  return cases.filter(({ variant }) => variant === 'candidate');
}

/**
 * What the first record has of cases that the second one was to measure, or that its spec has no more: another selection
 * (`--only`, `--quick`) leaves cases out, and is no loss. References only calibrate.
 */
function expectedOf(base: RunRecord, head: RunRecord, only: string | null): CaseRecord[] {
  const quick = quickened(base.spec);
  const own = canonicalText(quick.load) === canonicalText(head.spec.load) ? quick : base.spec;
  const expected = [...casesOf(head.spec), ...missingCases(head.spec, own)].filter((each) => isSelected(each, only));
  const keys = new Set([...expected.map(({ key }) => key), ...candidates(head).map(({ key }) => key)]);
  const without = new Set([...referencesOf(head.spec), ...rightlyAbsent(head, base.spec)]);
  return candidates(base)
    .filter(({ key, service }) => keys.has(key) && !without.has(service))
    .map((each) => ({ ...each, variant: 'baseline' }));
}

/** Without the figures of cases in which the second record was asked something else: of what gates it that is gone, else it is new. */
function askedAlike(
  cases: readonly CaseRecord[],
  base: RunRecord,
  head: RunRecord,
  governing: ResolvedSpec,
): CaseRecord[] {
  const gone = otherRequests(head, governing);
  const others = otherRequests(head, base.spec);
  const [was, is] = [requestDigests(base), requestDigests(head)];
  return cases.flatMap((each): CaseRecord[] => {
    const set = requestKey(each.service, each.endpoint);
    const hasOtherSet = was.has(set) && is.has(set) && was.get(set) !== is.get(set);
    // What another spec's files hold by now, neither of the two tells.
    if (hasOtherSet && governing !== base.spec) return [];
    const reason = gone.get(each.key) ?? (hasOtherSet ? otherRequestReason('of another content') : undefined);
    if (reason !== undefined) return [{ ...each, status: 'invalid', reasons: [reason], metrics: {} }];
    return others.has(each.key) ? [] : [each];
  });
}

/** By `requestKey`: what tells requests that differ apart from others under the same name. */
function requestDigests({ services }: RunRecord): Map<string, string> {
  return new Map(
    services.flatMap(({ service, variant, requestSets = [] }) =>
      variant === 'candidate'
        ? requestSets.map(({ endpoint, digest }) => [requestKey(service, endpoint), digest] as const)
        : [],
    ),
  );
}

/** The candidate's, in which what the baseline has as a subject is one: a change cannot take a service out of its own gate. */
function gatedSpec(base: ResolvedSpec, head: ResolvedSpec): ResolvedSpec {
  const subjects = new Set(base.services.flatMap(({ name, role }) => (role === 'subject' ? [name] : [])));
  const services = head.services.map(
    (each): Service => (subjects.has(each.name) ? { ...each, role: 'subject' } : each),
  );
  return { ...head, services };
}

/** One look, and all of the error rate for it. What is only shown is a family of its own. */
function decisionsFor(all: readonly StoredMetric[]): Map<string, Decision> {
  const gated = all.filter(({ comparedMetric }) => isGated(comparedMetric));
  const shown = all.filter(({ comparedMetric }) => !isGated(comparedMetric));
  const decisions = [gated, shown].flatMap((family) =>
    storedEstimates(family).map((estimate) => {
      const levels = { change: FAMILY_ERROR_RATE * estimate.hypothesis.share, noChange: NO_CHANGE_ERROR_RATE };
      return decisionOn(estimate, levels, { rounds: estimate.count, mayBeRed: true });
    }),
  );
  const unknown = all.flatMap(({ comparedMetric, observed }): Decision[] =>
    observed === null || observed.variance !== null
      ? []
      : [{ ...UNKNOWN, id: hypothesisId(comparedMetric), estimate: observed.change, rounds: observed.runs }],
  );
  return new Map([...decisions, ...unknown].map((decision) => [decision.id, decision]));
}

/** Too few past runs: there is a change, and nothing to hold it against. */
const UNKNOWN = {
  interval: null,
  adjusted: null,
  minimumDetectable: null,
  verdict: 'inconclusive',
  leansToRed: false,
  decidedAt: null,
} as const;

function sideOf({ id, source, services, startedAt }: RunRecord): ComparedSide {
  const own = services.filter(({ variant }) => variant === 'candidate');
  return {
    id,
    sha: source.sha,
    images: Object.fromEntries(own.map(({ service, artifact }) => [service, artifact])),
    origin: `stored run ${id} of ${startedAt}`,
  };
}

/**
 * As decisions take them, the scatter of each moderated by that of the same metric and generator; all have the same share of the
 * error rate.
 */
function storedEstimates(all: readonly StoredMetric[]): RatioEstimate[] {
  const judged = all.flatMap(({ comparedMetric, observed }) =>
    observed === null || observed.variance === null ? [] : [{ comparedMetric, observed, variance: observed.variance }],
  );
  const groupOf = ({ comparedMetric }: Pick<StoredMetric, 'comparedMetric'>) =>
    `${comparedMetric.metric.name} ${comparedMetric.case.candidate!.generator}`;
  return judged.map((one) => {
    const { comparedMetric, observed, variance } = one;
    const neighbours = judged.filter((other) => other !== one && groupOf(other) === groupOf(one));
    const { value, degreesOfFreedom } = moderatedVariance(
      variance,
      neighbours.map((other) => other.variance),
    );
    const borders =
      comparedMetric.threshold === null
        ? { worse: 0, better: 0 }
        : logBorders(comparedMetric.metric, comparedMetric.threshold, comparedMetric.baseline!.value);
    return {
      hypothesis: {
        id: hypothesisId(comparedMetric),
        level: comparedMetric.level,
        metric: comparedMetric.metric.name,
        groups: [],
        threshold: borders.worse,
        improvement: borders.better,
        share: 1 / judged.length,
        after: null,
      },
      count: observed.runs,
      mean: observed.change,
      standardError: Math.sqrt(value),
      degreesOfFreedom,
      skewness: 0,
    };
  });
}
