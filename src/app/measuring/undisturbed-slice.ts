import type { SliceMeasurement } from '../../core/record/measurement.ts';
import { spoilt } from '../../core/validity/set-aside.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { measuredSlice, type SliceRequest } from './slice.ts';

const RETRIES = 2;
/** Where nothing explains it, more tries would be dice thrown until they please. */
const UNEXPLAINED_RETRIES = 1;

/**
 * A slice alone, measured again where the machine spoilt it: somebody set its clock, as happens to virtual machines, or
 * took so much of the server's CPU that the rate could not be held. A rate that was not held for no visible reason (a
 * pause of 200 ms in 10 s is enough) is tried once more, which tells an exception from a property of the service, and is
 * noted on the slice that is kept.
 */
export async function undisturbedSlice(
  request: SliceRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ slice: SliceMeasurement; loadSeconds: number }> {
  const { case: testCase } = request;
  let { notes } = request;
  let loadNs = 0;
  for (let again = 0; ; again += 1) {
    const slice = await measuredSlice({ ...request, notes }, adapters, signal);
    loadNs += slice.durationNs;
    const cause = spoilt(slice, testCase);
    const retries = cause === null ? 0 : cause.explained ? RETRIES : UNEXPLAINED_RETRIES;
    if (again >= retries) return { slice, loadSeconds: loadNs / 1e9 };
    const why = cause!.explained ? 'the machine disturbed this slice' : cause!.message;
    adapters.progress.say(`${testCase.key}: ${why}; measuring once more`);
    if (!cause!.explained) notes = [...request.notes, { code: 'measured-again', message: `at first, ${why}` }];
  }
}
