import type { ResolvedSpec } from '../core/config/resolved.ts';
import { quickened } from '../core/config/selection.ts';
import type { MachineFacts } from '../core/doctor/facts.ts';
import { loadablePart } from '../core/doctor/loadable.ts';
import { withLoadableConnections } from '../core/doctor/loadable-connections.ts';
import type { WantedRuntime } from '../core/doctor/runtime.ts';
import { unloadableJson, unloadableText } from '../core/doctor/unloadable-text.ts';
import { budgetSecondsOf } from '../core/plan/budget.ts';
import { detectabilityOf } from '../core/plan/detectability.ts';
import { detectabilityJson } from '../core/plan/detectability-json.ts';
import { detectabilityText } from '../core/plan/detectability-text.ts';
import { type PlanOptions, planOf } from '../core/plan/plan.ts';
import { planJson, planText } from '../core/plan/plan-text.ts';
import { searchPlanOf, searchPlanText } from '../core/plan/search-plan.ts';
import { redactedSpec } from '../core/record/redaction.ts';

/**
 * `plan`: the cases in their order, the time that they take, and what comparing with a baseline takes and can show. `facts` are
 * of the machine that it is asked on, and leave out what that cannot load in `runtime`; null plans for any. Throws `EmptySelection` where
 * `only` fits no case.
 */
export function planReport(
  spec: ResolvedSpec,
  options: PlanOptions,
  facts: MachineFacts | null = null,
  runtime: WantedRuntime = 'auto',
): { text: string; json: object } {
  const shown = redactedSpec(spec);
  const loadable = facts === null ? shown : withLoadableConnections(shown, facts, runtime);
  const planned = options.quick === true ? quickened(loadable) : shown;
  const whole = planOf(planned, options);
  const { plan, unloadable } =
    facts === null ? { plan: whole, unloadable: [] } : loadablePart(planned, whole, facts, runtime);
  const found = detectabilityOf(planned, plan, budgetSecondsOf(planned, plan));
  const search = searchPlanOf(planned, options);
  return {
    text:
      planText(plan, planned, search) +
      unloadableText(unloadable, whole) +
      searchPlanText(planned, search) +
      detectabilityText(planned, plan, found),
    json: {
      ...planJson(plan, planned),
      ...(unloadable.length === 0 ? {} : { notMeasured: unloadableJson(unloadable) }),
      ...(search === null ? {} : { search }),
      comparing: detectabilityJson(planned, plan, found),
    },
  };
}
