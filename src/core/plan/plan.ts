import { casesOf } from '../config/case.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { quickened, selectedCases } from '../config/selection.ts';
import { casesOfShard, type Shard } from '../config/shard.ts';
import { seededRandom } from '../statistics/random.ts';
import { estimateOf, type PlanEstimate } from './estimate.ts';
import { orderOf, type PlannedService } from './order.ts';

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
