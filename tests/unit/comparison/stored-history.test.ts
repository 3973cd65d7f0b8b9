import { describe, expect, it } from 'vitest';
import { historyOf, storedRun, storedRuns } from '../../support/made-up/stored-runs.ts';

describe('a history with several accepted changes of one series', () => {
  const accepted = [{ cases: 'go', metric: 'throughput', reason: 'TLS' }];
  const runs = storedRuns(10, { seed: 3 }).map((record, index) =>
    index === 2 || index === 6 ? storedRun({ day: index + 1, seed: 500 + index, accepted }) : record,
  );

  it.each([
    ['from the first run to the last', runs],
    ['from the last run to the first', runs.toReversed()],
  ])('begins with the last of them, read %s', (_, records) => {
    expect([...historyOf(records).accepted.values()]).toEqual([6]);
  });
});
