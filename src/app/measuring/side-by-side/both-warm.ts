import type { Case } from '../../../core/config/case.ts';
import { endpointKey } from '../../../core/plan/duets.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { warmUpTogether } from '../warm-up.ts';
import { type RunningRound, targets } from './running-round.ts';

/**
 * Warms both up at the same time, each endpoint by its first case. The first round goes on until throughput no longer rises, and
 * with each way of opening connections; it learns how long an endpoint takes, and later rounds take that long. Two servers of
 * Node.js that had just started differed by 7 % in their first second of load, by 6 % in the next two, and by 3 % from the
 * fourth on.
 */
export async function warmBoth(
  cases: readonly Case[],
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { warmUps, sides } = running;
  const { warmUp } = sides.candidate.spec.load;
  const isFirst = warmUps.size === 0;
  const nameOf = (each: Case) => (isFirst ? `${endpointKey(each)} ${each.keepAlive}` : endpointKey(each));
  const firsts = new Map(
    cases
      .toSorted(byFewestConnections)
      .reverse()
      .map((testCase) => [nameOf(testCase), testCase]),
  );
  const found = [];
  for (const testCase of firsts.values()) {
    const [first, second] = targets(testCase, running);
    const known = warmUps.get(endpointKey(testCase)) ?? null;
    const warmedUp = await warmUpTogether([first, second], warmUp, known, adapters, signal);
    found.push({ key: endpointKey(testCase), ...warmedUp });
  }
  // A case that comes later than the first round is learnt from as well.
  for (const { key, neededSeconds } of found) warmUps.set(key, Math.max(warmUps.get(key) ?? 0, neededSeconds));
  for (const { key, capacity } of found) if (capacity !== null) running.capacities.set(key, capacity);
  const seconds = found.reduce((sum, each) => sum + each.seconds, 0);
  running.warm = { seconds, steady: found.every(({ steady }) => steady) };
  if (seconds > 0) await adapters.store.journal.append({ kind: 'load', seconds });
}

/** Few connections bring both sides to work at once. */
function byFewestConnections(one: Case, other: Case): number {
  return one.connections - other.connections || (one.key < other.key ? -1 : 1);
}
