import type { Case } from '../config/case.ts';
import { grouped } from '../format/figures.ts';
import { generators } from '../generators/registry.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import type { PlannedRound } from './duets.ts';

/**
 * Whether a round can be expected to send as many requests as a tail takes, and what that takes. A rate that is a share
 * of capacity is not known yet and may be enough. Null for a metric that any trial has enough for.
 */
export function tailOutlook(
  { tailRequests }: MetricDefinition,
  { generator, load }: Case,
  { lengths, pairsEach }: Pick<PlannedRound, 'lengths' | 'pairsEach'>,
): { mayBeEnough: boolean; note: string } | null {
  if (tailRequests === null) return null;
  const least = Math.ceil(tailRequests / (lengths[generator] * Math.max(1, pairsEach)));
  const needed = `${grouped(tailRequests)} requests per round are needed, ${grouped(least)}/s of each side`;
  const arrival = generators[generator].arrivalOf(load);
  const rate = arrival?.kind === 'rate' ? arrival.requestsPerSecond : null;
  const mayBeEnough = rate === null || rate >= least;
  return {
    mayBeEnough,
    note: mayBeEnough ? `${needed}; else undecided` : `${needed}: at ${grouped(rate)}/s undecided`,
  };
}
