import type { Case } from '../../../core/config/case.ts';
import { endpointKey } from '../../../core/plan/duets.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { reconnectingCase } from '../reconnecting.ts';
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
  const reconnecting = targets(reconnectingCase(testCase, running.reading), running);
  let { seconds } = await warmUpTogether(reconnecting, RECONNECTING, 'first', adapters, signal);
  const [first, second] = targets(testCase, running);
  const known = warmUps.get(endpointKey(testCase)) ?? 'first';
  if (outcome === 'restarted') {
    running.restartsWithData = true;
    const again = await warmUpTogether([first, second], sides.candidate.spec.load.warmUp, known, adapters, signal);
    seconds += again.seconds;
  }
  for (const variant of VARIANTS) await testbeds[variant].passLog?.();
  await adapters.store.journal.append({ kind: 'load', seconds });
}
