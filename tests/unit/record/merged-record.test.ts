import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { mergedRecord, type ShardSet } from '../../../src/core/record/merged-record.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const made = madeUpRecord({
  seed: 3,
  rounds: 20,
  cases: [{ connections: 100 }, { connections: 1000, ratios: { 'cpu-per-request': 1.1 } }],
});
const spec = {
  ...made.spec,
  load: { ...made.spec.load, k6: null, wrk: { ...made.spec.load.wrk!, keepAlive: [true] } },
};
const whole: RunRecord = { ...made, spec };
const shard = (connections: number, changes: Partial<RunRecord> = {}): RunRecord => ({
  ...whole,
  cases: whole.cases.filter((each) => each.connections === connections),
  ...changes,
});

function set(records: [number, RunRecord][], failures: [number, string][] = []): ShardSet {
  return { spec, only: null, quick: false, count: 2, records: new Map(records), failures: new Map(failures) };
}

describe('what several machines measured', () => {
  it('is one record, as one machine would have left it', () => {
    const merged = mergedRecord(
      set([
        [2, shard(1000)],
        [1, shard(100)],
      ]),
    );
    expect(merged.cases.map(({ key, variant }) => [key, variant])).toEqual(
      whole.cases.map(({ key, variant }) => [key, variant]),
    );
    expect(readRunRecord(JSON.stringify(merged), 'run.json')).toEqual(merged);
    expect(comparisonOf(merged).gate.regressions.map(({ caseKey }) => caseKey)).toContain(
      'go/ping/direct/wrk/keep-alive/1000',
    );
  });

  it('takes as long as the longest of them, and loads as long as all', () => {
    const other = shard(1000, { timing: { wallSeconds: 300, loadSeconds: 100 } });
    expect(
      mergedRecord(
        set([
          [1, shard(100)],
          [2, other],
        ]),
      ).timing,
    ).toEqual({ wallSeconds: 300, loadSeconds: 298 });
  });

  it('has what a missing shard was to measure as invalid', () => {
    const merged = mergedRecord(set([[1, shard(100)]], [[2, 'its job left no artifact']]));
    const { gate } = comparisonOf(merged);
    expect(gate.passed).toBe(false);
    expect(gate.invalid).toEqual([
      {
        caseKey: 'go/ping/direct/wrk/keep-alive/1000',
        metric: null,
        message: 'candidate: Shard 2 of 2 is missing: its job left no artifact.',
      },
    ]);
  });

  it('says so where the machines were not alike', () => {
    const other = shard(1000, { environment: { ...whole.environment, cpuModel: 'Intel Xeon' } });
    const { comparing } = mergedRecord(
      set([
        [1, shard(100)],
        [2, other],
      ]),
    );
    expect(comparing!.warnings.map(({ code }) => code)).toEqual(['shards-differ']);
  });

  it('is nothing where they are of different commits, specs or baselines', () => {
    const ofOther = (changes: Partial<RunRecord>) => () =>
      mergedRecord(
        set([
          [1, shard(100)],
          [2, shard(1000, changes)],
        ]),
      );
    expect(ofOther({ source: { ...whole.source, sha: 'e'.repeat(40) } })).toThrow('are of different commits');
    expect(ofOther({ spec: { ...spec, name: 'other' } })).toThrow('are of different specs');
    const baseline = { ...whole.comparing!.baseline, sha: 'e'.repeat(40) };
    expect(ofOther({ comparing: { ...whole.comparing!, baseline } })).toThrow('are of different baselines');
  });

  it('is nothing where there is none', () => {
    expect(() => mergedRecord(set([], [[1, 'its job left no artifact']]))).toThrow(
      'No shard of rest-api left a record: its job left no artifact',
    );
  });
});
