import { seededRandom } from '../../../src/core/statistics/random.ts';
import { KINDS, type LiveKind } from './kinds.ts';
import type { Condition, LiveResult } from './result.ts';

export interface Planned {
  kind: LiveKind;
  condition: Condition;
  /** Of the comparison; no two that count have the same. */
  seed: number;
}

/** Of the order, and what the seeds of comparisons are counted from. */
export const SCHEDULE_SEED = 20261120;
/** Of comparisons; above those of the first 306 lines, which were of another schedule. */
const FIRST_SEED = SCHEDULE_SEED + 10_000;

/** Whether nothing is injected. */
function isNull(kind: string): boolean {
  return kind.startsWith('null-') || kind === 'standard-null';
}

/**
 * Comparisons of the standard spec before had autovacuum in their rounds, were ended by other rules, burnt a share within the requests,
 * had k6 send half of what it was thought to be able to after it had been asked at a slow endpoint, rounds that warmed up for twice as long,
 * rates that a warm-up alone told, trials with keep-alive in a server that was still cold, CPU time of background threads as it fell,
 * the opening of connections in the throughput of duets, or rates that a stall lowered or that left little of the CPU idle: they are kept,
 * and do not count.
 */
export const STANDARD_SINCE = '2026-11-27T08:18:00Z';

/**
 * A small null matrix with an invalid case could show no red in it: it does not count as one that shows none. Of the standard spec a case
 * that the generator cannot load fast enough is left out, as users have it.
 */
export function counts({ kind, finishedAt, verdicts }: LiveResult): boolean {
  if (kind.startsWith('standard-')) return finishedAt >= STANDARD_SINCE;
  return !isNull(kind) || verdicts.every(({ verdict }) => verdict !== 'invalid');
}

/**
 * What is still to be measured, each kind spread over the whole at seeded random places, so that any part of it tells of
 * all kinds. What the results hold already is left out; `only` is the beginning of a kind's name.
 */
export function scheduleOf(results: readonly LiveResult[], only = ''): Planned[] {
  const random = seededRandom(SCHEDULE_SEED);
  const all = KINDS.flatMap((kind) =>
    (['quiet', 'disturbed'] as const).flatMap((condition) =>
      Array.from({ length: kind.wanted[condition] }, (_, index) => ({
        kind,
        condition,
        at: (index + random.next()) / kind.wanted[condition],
      })),
    ),
  );
  const done = new Map<string, number>();
  for (const { kind, condition } of results.filter(counts))
    done.set(`${kind} ${condition}`, (done.get(`${kind} ${condition}`) ?? 0) + 1);
  return all
    .sort((a, b) => a.at - b.at)
    .map(({ kind, condition }, index) => ({ kind, condition, seed: FIRST_SEED + index }))
    .filter(({ kind, condition }) => {
      const left = done.get(`${kind.name} ${condition}`) ?? 0;
      done.set(`${kind.name} ${condition}`, left - 1);
      return left <= 0 && kind.name.startsWith(only);
    });
}
