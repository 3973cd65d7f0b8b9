import { type PlanOptions, planOf } from '../core/plan/plan.ts';
import { planJson, planText } from '../core/plan/plan-text.ts';
import { quickened } from '../core/plan/selection.ts';
import type { ResolvedSpec } from '../core/spec/resolved.ts';

export { planText };

/** `plan`: the cases in their order and the time that they take. Throws `EmptySelection` where `only` fits no case. */
export function planReport(spec: ResolvedSpec, options: PlanOptions): { text: string; json: object } {
  const plan = planOf(spec, options);
  const planned = options.quick === true ? quickened(spec) : spec;
  return { text: planText(plan, planned), json: planJson(plan, planned) };
}
