import type { Case } from './case.ts';

/** A part of a run that is shared out over machines: `index` from 1 to `count`. */
export interface Shard {
  index: number;
  count: number;
}

/**
 * The cases of a shard, in their order: every `count`-th, so that each machine has some of all endpoints. Both variants of a
 * case stay on one machine, and a reference, which calibrates its machine, is measured on each.
 */
export function casesOfShard(cases: readonly Case[], { index, count }: Shard): Case[] {
  let number = 0;
  const isOwn = () => number++ % count === index - 1;
  return cases.filter((each) => each.service.role === 'reference' || isOwn());
}

/** As many shards as there is something to measure for, `most` at most; one at least. */
export function usefulShards(cases: readonly Case[], most: number): number {
  const subjects = cases.filter(({ service }) => service.role === 'subject').length;
  return Math.max(1, Math.min(most, subjects));
}

/** Whether every one of so many machines has cases of every service that is measured. */
export function eachHasAllServices(cases: readonly Case[], count: number): boolean {
  const servicesOf = (own: readonly Case[]) => new Set(own.map(({ service }) => service.name)).size;
  const shards = Array.from({ length: usefulShards(cases, count) }, (_, at) => ({ index: at + 1, count }));
  return shards.every((shard) => servicesOf(casesOfShard(cases, shard)) === servicesOf(cases));
}
