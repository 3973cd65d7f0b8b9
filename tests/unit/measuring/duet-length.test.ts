import { describe, expect, it } from 'vitest';
import { answeredSeconds, longerSeconds } from '../../../src/app/measuring/side-by-side/duet-length.ts';
import type { TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import { healthyTrial } from '../support/trials.ts';

const answered = (requests: number, changes: Partial<TrialMeasurement> = {}): TrialMeasurement =>
  healthyTrial({ mode: 'duet', outcome: { ...healthyTrial().outcome!, requests }, ...changes });

describe('a duet of a closed loop', () => {
  it.each([
    ['as planned where each side answers 150 requests in that', 0.5, 600, 0.5],
    ['as planned where that is not known', 0.5, null, 0.5],
    ['as planned where a number of requests is sent', 0, 190, 0],
    ['long enough for 150 where they answer fewer', 0.5, 190, 1.6],
    ['4 s at the most', 0.5, 20, 4],
    ['no longer than answers may take', 0.5, 20, 1.8, 2],
  ])('is %s', (_, planned, requestsPerSecond, seconds, timeoutSeconds?: number) => {
    expect(answeredSeconds(planned, requestsPerSecond, timeoutSeconds)).toBe(seconds);
  });

  it('is as long as it was where both sides answered, however little', () => {
    expect(longerSeconds([answered(1), answered(1000)], 0.5)).toBeNull();
  });

  it('is twice as long where a side answered nothing, whichever it was', () => {
    expect(longerSeconds([answered(0), answered(40)], 0.5)).toBe(1);
    expect(longerSeconds([answered(40), answered(0)], 0.5)).toBe(1);
    expect(longerSeconds([answered(0), answered(0)], 1)).toBe(2);
  });

  it('is never longer than 4 s, after which it stands', () => {
    expect(longerSeconds([answered(0), answered(40)], 3)).toBe(4);
    expect(longerSeconds([answered(0), answered(40)], 4)).toBeNull();
  });

  it('stands where a side fell over, where the generator left nothing, and where a number of requests is sent', () => {
    const testbedFailure = { code: 'exited', message: 'exited with status 1' };
    expect(longerSeconds([answered(0, { testbedFailure }), answered(40)], 0.5)).toBeNull();
    expect(longerSeconds([answered(0, { outcome: null }), answered(40)], 0.5)).toBeNull();
    expect(longerSeconds([answered(0), answered(40)], 0)).toBeNull();
  });
});
