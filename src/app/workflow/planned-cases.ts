import type { ActionInputs } from '../../core/action/inputs.ts';
import { type Case, casesOf } from '../../core/config/case.ts';
import { isSelected, quickened } from '../../core/config/selection.ts';
import { casesOfShard, usefulShards } from '../../core/config/shard.ts';
import type { FoundSpec } from './specs.ts';

/** What is measured of a spec, by all machines together. */
export function plannedCases({ spec }: FoundSpec, { only, quick }: Pick<ActionInputs, 'only' | 'quick'>): Case[] {
  return casesOf(quick ? quickened(spec) : spec).filter((each) => isSelected(each, only));
}

/** What this machine measures of it; null where that is all on others. */
export function ownCases(found: FoundSpec, inputs: Pick<ActionInputs, 'only' | 'quick' | 'shard'>): Case[] | null {
  const { shard } = inputs;
  const all = plannedCases(found, inputs);
  if (shard === null) return all;
  return shard.index > usefulShards(all, shard.count) ? null : casesOfShard(all, shard);
}
