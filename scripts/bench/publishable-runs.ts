import type { RunRecord } from '../../src/core/record/run-record.ts';
import { madeUpRecord } from '../../tests/support/made-up/run-record.ts';

let runs = 0;

/** Of 16 cases, and later than any before it. */
export function nextRun(): RunRecord {
  runs += 1;
  const cases = Array.from({ length: 16 }, (_, index) => ({ endpoint: `path-${index}` }));
  const record = madeUpRecord({ seed: runs, rounds: 5, cases });
  const id = `20261121-${String(runs).padStart(6, '0')}-00000a`;
  return { ...record, id, source: { ...record.source, sha: runs.toString(16).padStart(40, '0') } };
}
