import { type Case, casesOf } from '../config/case.ts';
import type { ResolvedSpec, Service } from '../config/resolved.ts';
import { quickened, selectedCases } from '../config/selection.ts';
import { casesOfShard, type Shard } from '../config/shard.ts';
import { type Random, seededRandom, shuffled } from '../statistics/random.ts';
import { endpointKey } from './duets.ts';
import { estimateOf, type PlanEstimate } from './estimate.ts';

export interface PlannedService {
  service: Service;
  cases: Case[];
}

export interface Plan {
  /** Seed of every shuffle, so that an order can be had again. */
  seed: number;
  /** Services in the order that they run, each with its cases in the order that they are measured. */
  services: PlannedService[];
  estimate: PlanEstimate;
}

export interface PlanOptions {
  /** 0 to 2^32 - 1; the same seed gives the same order. */
  seed: number;
  /** A glob over case keys, services, endpoints and paths; null for all cases. */
  only?: string | null;
  /** The part of them that this machine measures. */
  shard?: Shard | null;
  /** Fewer connections and short trials; the caller takes warm-up and cool-down from `quickened(spec)`. */
  quick?: boolean;
}

/** What is measured and in which order. Throws `EmptySelection` where `only` fits no case. */
export function planOf(spec: ResolvedSpec, { seed, only = null, quick = false, shard = null }: PlanOptions): Plan {
  const effective = quick ? quickened(spec) : spec;
  const all = casesOf(effective);
  const selected = only === null ? all : selectedCases(all, only);
  const services = orderOf(shard === null ? selected : casesOfShard(selected, shard), seededRandom(seed));
  return { seed, services, estimate: estimateOf(effective, services) };
}

/** The services with what `part` leaves of the cases of each; one that has none left is left out. */
export function servicesWith(
  services: readonly PlannedService[],
  part: (cases: readonly Case[]) => Case[],
): PlannedService[] {
  return services
    .map(({ service, cases }) => ({ service, cases: part(cases) }))
    .filter(({ cases }) => cases.length > 0);
}

/**
 * The services in a random order, and the cases of each in a random order: what drifts with time (a machine that warms
 * up, a neighbour that comes) then falls on no service, endpoint or generator in particular.
 */
function orderOf(cases: readonly Case[], random: Random): PlannedService[] {
  const byService = new Map<string, Case[]>();
  for (const each of cases) {
    const known = byService.get(each.service.name);
    if (known === undefined) byService.set(each.service.name, [each]);
    else known.push(each);
  }
  return shuffled([...byService.values()], random).map((own) => ({
    service: own[0]!.service,
    cases: fewestConnectionsFirst(shuffled(own, random)),
  }));
}

/**
 * The same order, but that the cases of each endpoint come with ever more connections: what an endpoint answers to few tells whether
 * more are too many for it.
 */
function fewestConnectionsFirst(cases: readonly Case[]): Case[] {
  const left = new Map<string, Case[]>();
  for (const each of cases) left.set(endpointKey(each), [...(left.get(endpointKey(each)) ?? []), each]);
  for (const own of left.values()) own.sort((one, other) => one.connections - other.connections);
  return cases.map((each) => left.get(endpointKey(each))!.shift()!);
}

/**
 * A seed of its own for one round of one service, from the seed of the plan: which rounds came before, and how many
 * of them, changes nothing of its order. FNV-1a over the three.
 */
export function roundSeed(seed: number, service: string, round: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${service}/${round}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}

/** The services of one turn of a search, in an order of its own. */
export function orderOfServices<Named extends { name: string }>(
  services: readonly Named[],
  seed: number,
  turn: number,
): Named[] {
  return shuffled([...services], seededRandom(roundSeed(seed, 'search', turn)));
}
