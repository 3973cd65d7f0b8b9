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

/**
 * A seed of its own for one instance of one service, from the seed of the plan: which instances came before, and how many
 * of them, changes nothing of its order. FNV-1a over the three.
 */
export function instanceSeed(seed: number, service: string, instance: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${service}/${instance}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
