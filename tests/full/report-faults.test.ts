// needs: nothing
// seconds: 8
import { describe, it } from 'vitest';
import { expectNoHarm, expectToBeTold, FOR_A_MOMENT, ON_AND_ON } from '../integration/github/faults.ts';

/** Each operation in each way to fail: tests/integration/github/report-faults.test.ts has one way of each. */

describe('an operation that fails for a moment costs nothing', () => {
  it.each(FOR_A_MOMENT)('%s', expectNoHarm);
});

describe('an operation that fails on and on is told, and nothing passes for it', () => {
  it.each(ON_AND_ON)('%s', expectToBeTold);
});
