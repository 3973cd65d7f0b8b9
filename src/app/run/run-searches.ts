import { type EndpointSearch, searchesOf } from '../../core/capacity/search-case.ts';
import type { Case } from '../../core/config/case.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { MachineFacts } from '../../core/doctor/facts.ts';
import { loadablePart, notLoadableReason } from '../../core/doctor/loadable.ts';
import type { Runtime } from '../../core/doctor/runtime.ts';
import type { Reason } from '../../core/measurement/names.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { JournalHeader } from '../../core/record/journal.ts';
import type { Progress } from '../ports/progress.ts';

/** What a run looks for; says why that is nothing, where the spec wants a search. */
export function wantedSearches(
  spec: ResolvedSpec,
  { comparing, unpaired, selection }: Pick<JournalHeader, 'comparing' | 'unpaired' | 'selection'>,
  progress: Pick<Progress, 'say'>,
): EndpointSearch[] {
  if (spec.search === undefined) return [];
  const leftOut = (why: string) => {
    progress.say(`The search for capacity is left out: ${why}.`);
    return [];
  };
  if (comparing !== undefined || unpaired !== undefined) return leftOut('this run compares with a baseline');
  // Figures of two machines are not held against each other.
  if ((selection.shard?.index ?? 1) > 1) return leftOut('the first of the machines searches for all');
  const searches = searchesOf(spec, selection.only);
  return searches.length === 0 ? leftOut('--only leaves out all that it would ask') : searches;
}

/** Why a machine cannot load one case, by its limits of open files, ports and connections. */
export function machineLimitOf(
  spec: ResolvedSpec,
  plan: Plan,
  facts: MachineFacts,
  runtime: Runtime,
): (testCase: Case) => Reason | null {
  return (testCase) => {
    const one = { ...plan, services: [{ service: testCase.service, cases: [testCase] }] };
    const [found] = loadablePart(spec, one, facts, runtime).unloadable;
    return found === undefined ? null : notLoadableReason(found);
  };
}
