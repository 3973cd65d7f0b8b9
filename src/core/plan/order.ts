import { type Random, shuffled } from '../statistics/random.ts';
import type { Case, PlannedStage } from './case.ts';

/**
 * The services in a random order, and the cases of each in a random order: what drifts with time (a machine that warms
 * up, a neighbour that comes) then falls on no service, endpoint or generator in particular.
 */
export function orderOf(cases: readonly Case[], random: Random): PlannedStage[] {
  const byService = new Map<string, Case[]>();
  for (const each of cases) {
    const known = byService.get(each.service.name);
    if (known === undefined) byService.set(each.service.name, [each]);
    else known.push(each);
  }
  return shuffled([...byService.values()], random).map((own) => ({
    service: own[0]!.service,
    cases: shuffled(own, random),
  }));
}
