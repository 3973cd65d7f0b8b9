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
import { dataPlanOf, dataPlanText } from '../core/plan/preparing-plan.ts';
import { searchPlanOf, searchPlanText } from '../core/plan/search-plan.ts';
import { redactedSpec } from '../core/record/redaction.ts';
import type { RecordHistory } from './ports/baselines.ts';

/**
 * `plan`: the cases in their order, the time that they take, and what comparing with a baseline takes and can show. `facts` are
 * of the machine that it is asked on, and leave out what that cannot load in `runtime`; null plans for any. `lastPreparingSeconds` is what
 * preparing took in the last run. Throws `EmptySelection` where `only` fits no case.
 */
export function planReport(
  spec: ResolvedSpec,
  options: PlanOptions,
  facts: MachineFacts | null = null,
  runtime: WantedRuntime = 'auto',
  lastPreparingSeconds: number | null = null,
): { text: string; json: object } {
  const shown = redactedSpec(spec);
  const loadable = facts === null ? shown : withLoadableConnections(shown, facts, runtime);
  const planned = options.quick === true ? quickened(loadable) : shown;
  const whole = planOf(planned, options);
  const { plan, unloadable } =
    facts === null ? { plan: whole, unloadable: [] } : loadablePart(planned, whole, facts, runtime);
  const found = detectabilityOf(planned, plan, budgetSecondsOf(planned, plan));
  const search = searchPlanOf(planned, options);
  const data = dataPlanOf(planned, plan, lastPreparingSeconds);
  const { preparing, restores } = data;
  return {
    text:
      planText(plan, planned, search) +
      dataPlanText(data) +
      unloadableText(unloadable, whole) +
      searchPlanText(planned, search) +
      detectabilityText(planned, plan, found),
    json: {
      ...planJson(plan, planned),
      ...(unloadable.length === 0 ? {} : { notMeasured: unloadableJson(unloadable) }),
      ...(search === null ? {} : { search }),
      ...(preparing === null ? {} : { preparing }),
      ...(restores === null ? {} : { restores }),
      comparing: detectabilityJson(planned, plan, found),
    },
  };
}

/** Seconds that the newest run of the spec spent on preparing, of those that prepared anything; null where none is there. */
export async function lastPreparingSeconds(
  specName: string,
  history: Pick<RecordHistory, 'all'>,
): Promise<number | null> {
  let newest: { startedAt: string; seconds: number } | null = null;
  for await (const { startedAt, timing } of history.all(specName, null)) {
    const { preparingSeconds: seconds } = timing;
    if (seconds !== undefined && (newest === null || startedAt > newest.startedAt)) newest = { startedAt, seconds };
  }
  return newest?.seconds ?? null;
}
