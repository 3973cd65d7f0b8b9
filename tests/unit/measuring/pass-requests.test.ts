import { describe, expect, it } from 'vitest';
import { sharedPassRequests } from '../../../src/app/measuring/side-by-side/pass-requests.ts';

describe('how often both sides are asked in a pass', () => {
  it('is what fits the baseline, also where the candidate was primed first', async () => {
    const requests = sharedPassRequests();
    const asked = requests.candidate('direct users', 200);
    await requests.baseline('direct ping', 150);
    expect(await requests.baseline('direct users', 30)).toBe(30);
    expect(await asked).toBe(30);
    expect(await requests.candidate('direct ping', 200)).toBe(150);
  });

  it('is what fits the candidate where the baseline ended without a number', async () => {
    const requests = sharedPassRequests();
    const asked = requests.candidate('direct users', 200);
    requests.baselineEnded();
    expect(await asked).toBe(200);
    expect(await requests.candidate('direct ping', 20)).toBe(20);
  });
});
