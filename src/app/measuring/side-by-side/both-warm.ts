import type { Case } from '../../../core/plan/case.ts';
import { warmUpKey } from '../../../core/plan/duets.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { warmUpTogether } from '../warm-up.ts';
import { type OnStage, targets } from './on-stage.ts';

/**
 * Warms both up at the same time: each endpoint with keep-alive and without, as far as it is loaded so. What a runtime has
 * compiled for the one is cold for the other; where only one was warmed up, slices early in an instance scattered twice
 * as much as late ones.
 */
export async function warmBoth(
  cases: readonly Case[],
  onStage: OnStage,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const firsts = new Map(cases.toReversed().map((testCase) => [warmUpKey(testCase), testCase]));
  const windows = [];
  for (const testCase of firsts.values()) {
    const [first, second] = targets(testCase, onStage);
    const { warmUp: load } = onStage.sides.candidate.spec.load;
    windows.push(await warmUpTogether([first, second], load, adapters, signal));
  }
  const seconds = windows.reduce((sum, each) => sum + each.seconds, 0);
  onStage.warm = { seconds, steady: windows.every(({ steady }) => steady) };
  if (seconds > 0) await adapters.store.journal.append({ kind: 'load', seconds });
}
