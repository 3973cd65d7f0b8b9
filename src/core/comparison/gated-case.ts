import type { Reason, Variant } from '../measurement/names.ts';
import type { CaseRecord } from '../record/run-record.ts';
import { BEYOND_SERVICE, isBeyondService } from '../validity/beyond-service.ts';
import { wasNotLoaded } from '../validity/not-loadable.ts';
import { LATE_ANSWERS } from '../validity/rules.ts';
import type { ComparedCase } from './compared-case.ts';
import { type ComparedMetric, hypothesisId } from './compared-metric.ts';
import type { CaseComparison, MetricComparison } from './comparison.ts';
import type { Decision } from './decision.ts';
import { explanationOf } from './explanation.ts';
import type { GatedCase } from './gate.ts';
import { metricComparison, whyInvalid, whyLevelIsOpen } from './metric-comparison.ts';
import { removalMessage } from './removal.ts';
import type { UnmeasuredLevel } from './unmeasured-levels.ts';

/**
 * A case as it is compared, from its own compared metrics and the decisions on their hypotheses by id; `leftOpen` are the ids of
 * those that were not waited for (`leftOpenByRed`), `unmeasured` is what was not measured of all, `counts` are those of invalid cases
 * that are judged all the same (`countsOfInvalid`).
 */
export function gatedCase(
  each: ComparedCase,
  own: readonly ComparedMetric[],
  decisions: ReadonlyMap<string, Decision>,
  {
    unmeasured = [],
    leftOpen = new Set(),
    counts = new Set(),
  }: {
    unmeasured?: readonly UnmeasuredLevel[];
    leftOpen?: ReadonlySet<string>;
    counts?: ReadonlySet<ComparedMetric>;
  } = {},
): GatedCase {
  const presence = presenceOf(each);
  const reasons = reasonsOf(each);
  const isBeyond = reasons.some(({ code }) => code === BEYOND_SERVICE) && isBeyondAlike(each);
  // What was counted without load is judged all the same; of the rest there is nothing to say.
  const shown = isBeyond ? own.filter((comparedMetric) => counts.has(comparedMetric)) : own;
  const metrics = Object.fromEntries(
    shown.map((comparedMetric) => {
      const id = hypothesisId(comparedMetric);
      const decision = decisions.get(id) ?? null;
      const counted = counts.has(comparedMetric) ? metricComparison(comparedMetric, null, true) : null;
      const judged = reasons.length === 0;
      const comparison =
        !judged && counted !== null && (isBeyond || isRed(counted))
          ? counted
          : metricComparison(comparedMetric, decision, judged, leftOpen.has(id));
      return [comparedMetric.metric.name, comparison];
    }),
  );
  const regressed = Object.values(metrics).some(({ verdict }) => verdict === 'regression');
  const comparison: CaseComparison = {
    key: each.key,
    service: each.service,
    endpoint: each.endpoint,
    presence,
    reasons,
    metrics,
    explanation: regressed ? explanationOf(each, reasons.length === 0) : null,
  };
  const sentences = (of: (comparedMetric: ComparedMetric) => string | null) =>
    own.flatMap((comparedMetric): [string, string][] => {
      const sentence = of(comparedMetric);
      return sentence === null ? [] : [[comparedMetric.metric.name, sentence]];
    });
  const lacking = unmeasured.flatMap(({ caseKey, metric, message }): [string, string][] =>
    caseKey === each.key ? [[metric.name, message]] : [],
  );
  return {
    comparison,
    names: each.names,
    caseKeys: [...new Set(own.length === 0 ? [each.key] : own.flatMap(({ caseKeys }) => caseKeys))],
    isOnlyBaseline: isOnlyBaseline(each, reasons),
    failsAlike: alikeReason(each),
    isLeftOut: false,
    isBeyond,
    invalidMetrics: isBeyond ? {} : Object.fromEntries(sentences(whyInvalid)),
    openLevels: Object.fromEntries([...sentences(whyLevelIsOpen), ...lacking]),
  };
}

/** Of an invalid case only what got worse is told: that all is well, or better, it does not show. */
function isRed({ verdict, brokenLimit }: MetricComparison): boolean {
  return verdict === 'regression' || brokenLimit !== null;
}

function presenceOf(each: ComparedCase): CaseComparison['presence'] {
  const { baseline, candidate, ownRequest } = each;
  const isLost = candidate === null || isGone(candidate, ownRequest) || (baseline !== null && isMissing(baseline));
  if (isLost) return 'missing';
  return baseline === null || isNowHeld(each) ? 'new' : 'both';
}

/** What the baseline did not answer in time the candidate does: there is nothing to compare it with. */
function isNowHeld({ baseline, candidate }: ComparedCase): boolean {
  return baseline !== null && isBeyondService(baseline) && candidate?.status === 'valid';
}

/**
 * More than both sides answer in time. Where one of them has held it, close to the border it may be about as fast: what the candidate
 * alone no longer holds is found out, and never set aside.
 */
function isBeyondAlike({ baseline, candidate }: ComparedCase): boolean {
  if (candidate?.beyond === undefined) return false;
  if (baseline === null || isBeyondService(baseline)) return true;
  const reached = baseline.metrics.throughput?.value ?? Number.POSITIVE_INFINITY;
  return baseline.status === 'valid' && reached < ABOUT_AS_FAST * candidate.beyond.answersPerSecond;
}

/** Why a case cannot be judged; empty where it can. */
export function reasonsOf(each: ComparedCase): Reason[] {
  const { baseline, candidate, leftGate, ownRequest } = each;
  if (candidate === null && (baseline === null || baseline.status === 'valid' || isMissing(baseline))) {
    const message =
      leftGate === true
        ? "The candidate's spec makes its service a reference, which nothing gates; in the baseline's it is none."
        : "The baseline's spec has it, the candidate's no longer does.";
    return [{ code: 'missing', message: removalMessage(message) }];
  }
  if (candidate !== null && baseline !== null && isMissing(baseline)) {
    const [{ message }] = baseline.reasons as [Reason];
    const own = candidate.status === 'valid' ? [] : candidate.reasons.map(sideReason('candidate'));
    return [{ code: 'missing', message: removalMessage(message) }, ...own];
  }
  if (isGone(candidate, ownRequest)) {
    const said = candidate!.reasons.map(({ message }) => message).join('; ');
    const what = `candidate: ${said}. That is the baseline's request; the candidate's spec has ${ownRequest} instead, and nothing compares that.`;
    return [
      { code: 'missing', message: removalMessage(what, 'Answer the old request as well') },
      ...(baseline?.reasons ?? []).map(sideReason('baseline')),
    ];
  }
  // It is the machine's limit and not one of a side's.
  if (candidate !== null && (wasNotLoaded(candidate) || isBeyondAlike(each))) return candidate.reasons;
  if (isNowHeld(each)) return [];
  return [candidate, baseline].flatMap((side) => {
    if (side === null || side.status === 'valid') return [];
    const reasons =
      side.reasons.length > 0 ? side.reasons : [{ code: 'invalid', message: 'invalid, without a reason' }];
    return reasons.map(sideReason(side.variant));
  });
}

function sideReason(variant: Variant): (reason: Reason) => Reason {
  return ({ code, message }) => ({ code, message: `${variant}: ${message}` });
}

/** A change that stops answering the baseline's request, for another one that its spec has, removes its case. */
function isGone(candidate: CaseRecord | null, ownRequest: string | undefined): boolean {
  if (candidate === null || ownRequest === undefined || candidate.status === 'valid') return false;
  const { reasons, metrics } = candidate;
  return Object.keys(metrics).length === 0 && reasons.length > 0 && reasons.every(({ code }) => code === UNANSWERED);
}

/** What an endpoint is lost with that does not answer as expected. */
const UNANSWERED = 'unexpected-body';

/** Whether its removal can be accepted: what the candidate has instead must be valid where it was measured. */
function isOnlyBaseline({ candidate, ownRequest }: ComparedCase, reasons: readonly Reason[]): boolean {
  if (candidate === null || isGone(candidate, ownRequest)) return reasons.some(({ code }) => code === 'missing');
  return candidate.status === 'valid';
}

/** What is so of both sides of a duet, whose generators share their CPUs. */
const OF_THE_DUET = 'generator-bound';

/** Code of the one reason for which both sides are invalid; null where there is none. */
function alikeReason({ baseline, candidate }: ComparedCase): string | null {
  const reasons = [baseline, candidate].flatMap((side) => side?.reasons ?? []);
  const isOfDuet = baseline?.duet !== undefined && candidate?.duet !== undefined;
  // Close to the border of these one side alone may be seen beyond it.
  const isEach = (wanted: string) => reasons.length > 0 && reasons.every(({ code }) => code === wanted);
  if (isOfDuet && isEach(OF_THE_DUET)) return OF_THE_DUET;
  if (isEach(LATE_ANSWERS) && isAboutAsFast(baseline, candidate)) return LATE_ANSWERS;
  if (baseline?.status !== 'invalid' || candidate?.status !== 'invalid') return null;
  const codes = new Set(candidate.reasons.map(({ code }) => code));
  const shared =
    baseline.reasons.every(({ code }) => codes.has(code)) && baseline.reasons.length === candidate.reasons.length;
  return shared && baseline.reasons.length === 1 ? baseline.reasons[0]!.code : null;
}

/** Of trials of a second, which scatter by a tenth. A candidate that is late since it became much slower must not be left out. */
const ABOUT_AS_FAST = 1.5;

function isAboutAsFast(...sides: (CaseRecord | null)[]): boolean {
  const reached = sides.map((side) => side?.metrics.throughput?.value ?? 0);
  return Math.min(...reached) > 0 && Math.max(...reached) < ABOUT_AS_FAST * Math.min(...reached);
}

/** By the specs, rather than by what befell the baseline. */
function isMissing({ reasons }: CaseRecord): boolean {
  return reasons.some(({ code }) => code === 'missing');
}
