import type { ResolvedSpec } from '../core/config/resolved.ts';
import { quickened } from '../core/config/selection.ts';
import { budgetSecondsOf } from '../core/plan/budget.ts';
import { detectabilityOf } from '../core/plan/detectability.ts';
import { detectabilityJson } from '../core/plan/detectability-json.ts';
import { detectabilityText } from '../core/plan/detectability-text.ts';
import { type PlanOptions, planOf } from '../core/plan/plan.ts';
import { planJson, planText } from '../core/plan/plan-text.ts';
import { redactedSpec } from '../core/record/redaction.ts';

/**
 * `plan`: the cases in their order, the time that they take, and what comparing with a baseline takes and can show. Throws
 * `EmptySelection` where `only` fits no case.
 */
export function planReport(spec: ResolvedSpec, options: PlanOptions): { text: string; json: object } {
  const shown = redactedSpec(spec);
  const plan = planOf(shown, options);
  const planned = options.quick === true ? quickened(shown) : shown;
  const found = detectabilityOf(planned, plan, budgetSecondsOf(planned, plan));
  return {
    text: planText(plan, planned) + detectabilityText(planned, plan, found),
    json: { ...planJson(plan, planned), comparing: detectabilityJson(planned, plan, found) },
  };
}
