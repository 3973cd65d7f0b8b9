import type { Reason } from '../record/run-record.ts';
import type { ComparedCase } from './compared-case.ts';
import type { CaseComparison } from './comparison.ts';
import { type Contrast, questionId } from './contrast.ts';
import type { Answer } from './decision.ts';
import { explanationOf } from './explanation.ts';
import type { GatedCase } from './gate.ts';
import { metricComparison, whyInvalid } from './metric-comparison.ts';

/** A case as it is compared, from its own contrasts and the answers to their questions by id. */
export function gatedCase(
  each: ComparedCase,
  own: readonly Contrast[],
  answers: ReadonlyMap<string, Answer>,
): GatedCase {
  const presence = each.baseline === null ? 'new' : each.candidate === null ? 'missing' : 'both';
  const reasons = reasonsOf(each);
  const metrics = Object.fromEntries(
    own.map((contrast) => {
      const answer = answers.get(questionId(contrast)) ?? null;
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
