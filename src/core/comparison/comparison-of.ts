import type { Variant } from '../plan/case.ts';
import type { Comparing, Reason, RunRecord } from '../record/run-record.ts';
import { Refusal } from '../refusal.ts';
import { type ComparedCase, comparedCases } from './compared-case.ts';
import type { Acceptance, CaseComparison, ComparedSide, Comparison } from './comparison.ts';
import { type Contrast, contrastsOf } from './contrast.ts';
import { type Answer, answersTo, FAMILY_ERROR_RATE } from './decision.ts';
import { explanationOf } from './explanation.ts';
import { type GatedCase, gateResult } from './gate.ts';
import { isGated, metricComparison, whyInvalid } from './metric-comparison.ts';
import { canBeJudged, gateQuestions } from './undecided.ts';
import { unusedLimits } from './unused-limits.ts';

/** The record holds no baseline to compare with. */
export class NotCompared extends Refusal {
  override name = 'NotCompared';
}

export interface ComparisonOptions {
  /** Beside those of the record. */
  accepted?: readonly Acceptance[];
  failOnInconclusive?: boolean;
}

/** The comparison of a record of `run --baseline`; the same record gives the same one again. Throws `NotCompared`. */
export function comparisonOf(record: RunRecord, options: ComparisonOptions = {}): Comparison {
  const { comparing } = record;
  if (comparing === undefined) {
    throw new NotCompared(`The run ${record.id} measured no baseline: there is nothing in it to compare with.`);
  }
  const contrasts = contrastsOf({ ...record, comparing });
  const answers = answersFor(contrasts, record);
  const gated = comparedCases(record).map((each) => gatedCase(each, contrasts, answers));
  const cautions = [...comparing.cautions, ...unusedLimits(comparing.gate, contrasts)];
  return {
    schemaVersion: 1,
    mode: comparing.mode,
    baseline: sideOf(record, comparing, 'baseline'),
    candidate: sideOf(record, comparing, 'candidate'),
    familyErrorRate: FAMILY_ERROR_RATE,
    cautions,
    skipped: comparing.skipped,
    cases: gated.map(({ comparison }) => comparison),
    gate: gateResult(gated, {
      accepted: [...comparing.accepted, ...(options.accepted ?? [])],
      failOnInconclusive: options.failOnInconclusive ?? false,
      whole: troubles(record, comparing),
    }),
  };
}

/** What is only shown is a family of its own: it must not make the gate's questions stricter. */
function answersFor(contrasts: readonly Contrast[], record: RunRecord): Map<string, Answer> {
  const instances = record.cases.flatMap(({ metrics }) =>
    Object.values(metrics).flatMap(({ samples }) => samples.map(({ instance }) => instance)),
  );
  const look = { instances: instances.reduce((most, each) => Math.max(most, each), 0), final: true };
  const shown = contrasts.flatMap((contrast) =>
    contrast.question !== null && !isGated(contrast) && canBeJudged(contrast) ? [contrast.question] : [],
  );
  const answers = [...answersTo(gateQuestions(contrasts), look), ...answersTo(shown, look)];
  return new Map(answers.map((answer) => [answer.id, answer]));
}

function gatedCase(each: ComparedCase, contrasts: readonly Contrast[], answers: Map<string, Answer>): GatedCase {
  const own = contrasts.filter((contrast) => contrast.case.key === each.key);
  const presence = each.baseline === null ? 'new' : each.candidate === null ? 'missing' : 'both';
  const reasons = reasonsOf(each);
  const metrics = Object.fromEntries(
    own.map((contrast) => {
      const answer = contrast.question === null ? null : (answers.get(contrast.question.id) ?? null);
      return [contrast.metric.name, metricComparison(contrast, answer, reasons.length === 0)];
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
    explanation: regressed ? explanationOf(each) : null,
  };
  const invalidMetrics = Object.fromEntries(
    own.flatMap((contrast) => {
      const why = whyInvalid(contrast);
      return why === null ? [] : [[contrast.metric.name, why]];
    }),
  );
  return { comparison, names: each.names, invalidMetrics };
}

/** Why a case cannot be judged; empty where it can. */
export function reasonsOf({ baseline, candidate }: ComparedCase): Reason[] {
  if (candidate === null) {
    return [{ code: 'missing', message: 'The baseline has this case, the candidate has not.' }];
  }
  return [candidate, baseline].flatMap((side) => {
    if (side === null || side.status === 'valid') return [];
    const reasons =
      side.reasons.length > 0 ? side.reasons : [{ code: 'invalid', message: 'invalid, without a reason' }];
    return reasons.map(({ code, message }) => ({ code, message: `${side.variant}: ${message}` }));
  });
}

/** What makes the comparison as a whole invalid: a run that broke off, or one without a case, must not be green. */
function troubles({ interrupted, cases }: RunRecord, { skipped }: Comparing): string[] {
  if (interrupted !== null)
    return [`The run ended early, and what it did not measure is unknown. ${interrupted.message}`];
  return cases.length === 0 && skipped === null ? ['No case was measured.'] : [];
}

function sideOf({ id, services }: RunRecord, comparing: Comparing, variant: Variant): ComparedSide {
  const { recordId, sha, text } = comparing[variant];
  const own = services.filter((service) => service.variant === variant);
  return {
    id: recordId ?? id,
    sha,
    images: Object.fromEntries(own.map(({ service, artifact }) => [service, artifact])),
    origin: text,
  };
}
