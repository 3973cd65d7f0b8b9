import { requestText } from '../config/request-text.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { counted } from '../format/figures.ts';
import { generators } from '../generators/registry.ts';
import { durationText } from './duration-text.ts';
import { serviceEstimate } from './estimate.ts';
import type { Plan } from './plan.ts';
import type { SearchPlan } from './search-plan.ts';

/**
 * The plan for a person: one line for each case, in the order that they are measured. `spec` is the one that was
 * planned: `quickened` where the plan is a quick one.
 */
export function planText(plan: Plan, spec: ResolvedSpec, search: SearchPlan | null = null): string {
  const { loadSeconds, wallSeconds } = plan.estimate;
  const cases = plan.services.flatMap((planned) => planned.cases);
  const columns = cases.map((each) => [
    each.key,
    requestText(each.endpoint, each.service),
    generators[each.generator].loadText(each.load),
  ]);
  const widths = [0, 1].map((column) => Math.max(...columns.map((cells) => cells[column]!.length)));
  const lines = [
    `${spec.name}: ${counted(cases.length, 'case')} of ${counted(plan.services.length, 'service')}, about ` +
      `${durationText(wallSeconds)}, of which ${durationText(loadSeconds)} are load (seed ${plan.seed})${onTop(search)}`,
  ];
  let row = 0;
  for (const planned of plan.services) {
    const role = planned.service.role === 'reference' ? ' (reference)' : '';
    lines.push('', `${planned.service.name}${role}, about ${durationText(serviceEstimate(spec, planned).wallSeconds)}`);
    for (const _ of planned.cases) {
      const [key, request, load] = columns[row++]!;
      lines.push(`  ${key!.padEnd(widths[0]!)}  ${request!.padEnd(widths[1]!)}  ${load}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** The plan for a program. */
export function planJson(plan: Plan, spec: ResolvedSpec) {
  return {
    name: spec.name,
    seed: plan.seed,
    caseCount: plan.services.reduce((sum, { cases }) => sum + cases.length, 0),
    estimate: plan.estimate,
    services: plan.services.map((planned) => ({
      service: planned.service.name,
      role: planned.service.role,
      estimate: serviceEstimate(spec, planned),
      cases: planned.cases.map(({ key, endpoint, route, generator, keepAlive, connections, load }) => ({
        key,
        endpoint: endpoint.name,
        method: endpoint.method,
        path: `${planned.service.basePath}${endpoint.path}`,
        route,
        generator,
        keepAlive,
        connections,
        load,
      })),
    })),
  };
}

/** Without it, the time of the cases would be taken for that of the run. */
function onTop(search: SearchPlan | null): string {
  return search === null ? '' : `, and about ${durationText(search.seconds.usual)} for the search`;
}
