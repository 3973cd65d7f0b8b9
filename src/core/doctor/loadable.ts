import type { Case } from '../config/case.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { counted } from '../format/figures.ts';
import type { Reason } from '../measurement/names.ts';
import { estimateOf } from '../plan/estimate.ts';
import { type Plan, servicesWith } from '../plan/plan.ts';
import { NOT_LOADABLE } from '../validity/not-loadable.ts';
import type { MachineFacts } from './facts.ts';
import { type Finding, warning } from './finding.ts';
import { openFilesFindings } from './limits.ts';
import { needsOf } from './needs.ts';
import { conntrackFinding, portsFinding } from './network.ts';
import { runtimeOf, type WantedRuntime } from './runtime.ts';

/** A case that opens more connections than this machine can hold, and what to change. */
export interface UnloadableCase {
  case: Case;
  finding: Finding;
}

export interface LoadablePart {
  /** What can be measured here, with the time that it takes; the whole plan where nothing can be. */
  plan: Plan;
  /** In the order of the plan. All cases, where `plan` has them all the same. */
  unloadable: UnloadableCase[];
}

/**
 * A plan by what the machine's limits of open files, local ports and tracked connections let through. These are limits of one
 * case, whatever the others ask for: the others can be measured.
 */
export function loadablePart(
  spec: ResolvedSpec,
  plan: Plan,
  facts: MachineFacts,
  wanted: WantedRuntime = 'auto',
): LoadablePart {
  const runtime = runtimeOf(needsOf(spec, plan), facts, wanted);
  const unloadable = plan.services.flatMap(({ service, cases }) =>
    cases.flatMap((each): UnloadableCase[] => {
      const needs = needsOf(spec, { ...plan, services: [{ service, cases: [each] }] });
      const finding = [
        ...openFilesFindings(needs, facts, runtime),
        portsFinding(needs, facts),
        conntrackFinding(needs, facts),
      ].find((found) => found?.severity === 'problem');
      return finding == null ? [] : [{ case: each, finding }];
    }),
  );
  const without = new Set(unloadable.map((each) => each.case.key));
  const services = servicesWith(plan.services, (cases) => cases.filter(({ key }) => !without.has(key)));
  if (unloadable.length === 0 || services.length === 0) return { plan, unloadable };
  return { plan: { ...plan, services, estimate: estimateOf(spec, services) }, unloadable };
}

/** Why the case was not measured, with what to change, in one paragraph. */
export function notLoadableReason({ finding: { message, command } }: UnloadableCase): Reason {
  const text = command === null ? message : `${message}${message.endsWith(':') ? '' : ' Change it with:'} ${command}`;
  return { code: NOT_LOADABLE, message: `not measured: ${text}` };
}

/** A warning for each limit that cases are beyond, once for all of them. */
export function unloadableFindings(unloadable: readonly UnloadableCase[], caseCount: number): Finding[] {
  return groupedByLimit(unloadable).map(({ finding: { message, command }, cases }) => {
    const which = cases.length === 1 ? cases[0]!.key : `${counted(cases.length, 'case')} of ${caseCount}`;
    const what = `${which} ${cases.length === 1 ? 'is' : 'are'} beyond what this machine can load, and will not be measured`;
    return warning('not-measured', `${what}: ${message}`, command);
  });
}

/** The cases beyond each limit, which is said once. */
export function groupedByLimit(unloadable: readonly UnloadableCase[]): { finding: Finding; cases: Case[] }[] {
  const groups = new Map<string, { finding: Finding; cases: Case[] }>();
  for (const { case: each, finding } of unloadable) {
    const group = groups.get(finding.message) ?? { finding, cases: [] };
    group.cases.push(each);
    groups.set(finding.message, group);
  }
  return [...groups.values()];
}
