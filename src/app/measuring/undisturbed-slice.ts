import type { SliceMeasurement } from '../../core/record/measurement.ts';
import { isSpoilt } from '../../core/validity/set-aside.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { measuredSlice, type SliceRequest } from './slice.ts';

const RETRIES = 2;

/**
 * A slice alone, measured again where the machine spoilt it: somebody set its clock, as happens to virtual machines, or
 * took so much of the server's CPU that the rate could not be held. After `RETRIES` it stays as it is.
 */
export async function undisturbedSlice(
  request: SliceRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ slice: SliceMeasurement; loadSeconds: number }> {
  const { case: testCase } = request;
  let slice = await measuredSlice(request, adapters, signal);
  let loadNs = slice.durationNs;
  for (let again = 0; again < RETRIES && isSpoilt(slice, testCase); again += 1) {
    adapters.progress.say(`${testCase.key}: the machine disturbed this slice; measuring once more`);
    slice = await measuredSlice(request, adapters, signal);
    loadNs += slice.durationNs;
  }
  return { slice, loadSeconds: loadNs / 1e9 };
}
