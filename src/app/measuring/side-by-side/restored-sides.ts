import type { Case } from '../../../core/config/case.ts';
import { endpointKey } from '../../../core/plan/duets.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { RECONNECTING, restoredData } from '../restored-data.ts';
import { warmUpTogether } from '../warm-up.ts';
import { type RunningRound, targets } from './running-round.ts';
import { VARIANTS } from './sides.ts';

/**
 * Puts the data of both sides back where one of them has changed its own, up to where both have their connections again; where a
 * service had to be started anew, both are warmed up once more. The load that this takes is in the journal. Rejects with
 * `DataNotRestored`.
 */
export async function restoredSides(
  testCase: Case,
  running: RunningRound,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { testbeds, warmUps, sides } = running;
  const outcome = await restoredData(
    VARIANTS.map((variant) => testbeds[variant]),
    signal,
  );
  if (outcome === 'kept') return;
  const [first, second] = targets(testCase, running);
  const known = warmUps.get(endpointKey(testCase)) ?? 'first';
  let { seconds } = await warmUpTogether([first, second], RECONNECTING, 'first', adapters, signal);
  if (outcome === 'restarted') {
    const again = await warmUpTogether([first, second], sides.candidate.spec.load.warmUp, known, adapters, signal);
    seconds += again.seconds;
  }
  await adapters.store.journal.append({ kind: 'load', seconds });
}
