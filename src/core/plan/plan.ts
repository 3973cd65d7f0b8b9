import type { ResolvedSpec } from '../spec/resolved.ts';
import { seededRandom } from '../statistics/random.ts';
import type { Plan } from './case.ts';
import { casesOf } from './cases.ts';
import { estimateOf } from './estimate.ts';
import { orderOf } from './order.ts';
import { quickened, selectedCases } from './selection.ts';
import { casesOfShard, type Shard } from './shard.ts';

export interface PlanOptions {
  /** 0 to 2^32 - 1; the same seed gives the same order. */
  seed: number;
  /** A glob over case keys, services, endpoints and paths; null for all cases. */
  only?: string | null;
  /** The part of them that this machine measures. */
  shard?: Shard | null;
  /** Fewer connections and short slices; the caller takes warm-up and cool-down from `quickened(spec)`. */
  quick?: boolean;
}

/** What is measured and in which order. Throws `EmptySelection` where `only` fits no case. */
export function planOf(spec: ResolvedSpec, { seed, only = null, quick = false, shard = null }: PlanOptions): Plan {
  const effective = quick ? quickened(spec) : spec;
  const all = casesOf(effective);
  const selected = only === null ? all : selectedCases(all, only);
  const stages = orderOf(shard === null ? selected : casesOfShard(selected, shard), seededRandom(seed));
  return { seed, stages, estimate: estimateOf(effective, stages) };
}
