import { isWriting } from '../../core/config/writes.ts';
import type { TrialMeasurement } from '../../core/measurement/measurement.ts';
import { isSpoilt } from '../../core/validity/set-aside.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { restoredBefore } from './restored-data.ts';
import { measuredTrial, type TrialRequest } from './trial.ts';

const RETRIES = 2;

/**
 * A trial alone, measured again where the machine spoilt it: somebody set its clock, as happens to virtual machines, or
 * took so much of the server's CPU that the rate could not be held. After `RETRIES` it stays as it is. Rejects with `GeneratorNotStarted`,
 * and with `DataNotRestored` where what the spoilt one wrote cannot be put back.
 */
export async function undisturbedTrial(
  request: TrialRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ trial: TrialMeasurement; loadSeconds: number }> {
  const { case: testCase, reconnecting = testCase, testbed, placement } = request;
  let trial = await measuredTrial(request, adapters, signal);
  let loadNs = trial.durationNs;
  for (let again = 0; again < RETRIES && isSpoilt(trial, testCase); again += 1) {
    adapters.progress.say(`${testCase.key}: the machine disturbed this trial; measuring once more`);
    if (isWriting(testCase.endpoint)) {
      const target = { origin: testbed.origins[testCase.route]!, cpus: placement.generator };
      await restoredBefore(reconnecting, testbed, target, adapters, signal);
      await testbed.passLog?.();
    }
    trial = await measuredTrial(request, adapters, signal);
    loadNs += trial.durationNs;
  }
  return { trial, loadSeconds: loadNs / 1e9 };
}
