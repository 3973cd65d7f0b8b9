import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { Reason } from '../../../src/core/measurement/names.ts';
import { budgetSecondsOf } from '../../../src/core/plan/budget.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
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

  it('takes and compares as long as the longest of them, and loads as long as all', () => {
    const other = shard(1000, {
      timing: { wallSeconds: 300, loadSeconds: 100, comparingSeconds: 501, preparingSeconds: 70 },
    });
    expect(
      mergedRecord(
        set([
          [1, shard(100)],
          [2, other],
        ]),
      ).timing,
    ).toEqual({ wallSeconds: 300, loadSeconds: 298, comparingSeconds: 501, preparingSeconds: 70 });
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

  it.each([
    ['wrkbench.yml:12:5: unknown key `conections` in load.wrk: did you mean `connections`?', '`connections`?'],
    ['The commit cannot be checked out.', 'checked out.'],
  ])('ends with one mark, as what a shard printed does: %s', (why, end) => {
    const { gate } = comparisonOf(mergedRecord(set([[1, shard(100)]], [[2, why]])));
    const message = gate.invalid[0]!.message;
    expect(message.slice(-end.length)).toBe(end);
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

  it('has the longest budget, where each worked it out from its own cases', () => {
    const cases = [10, 100, 1000].map((connections) => ({ connections }));
    const { spec: usual, ...three } = madeUpRecord({ seed: 3, rounds: 20, gate: { budgetSeconds: null }, cases });
    const own = { ...usual, load: { ...spec.load, wrk: { ...spec.load.wrk!, connections: [10, 100, 1000] } } };
    const records = [1, 2].map((index): [number, RunRecord] => {
      const { services } = planOf(own, { seed: 1, shard: { index, count: 2 } });
      const keys = services.flatMap((planned) => planned.cases.map(({ key }) => key));
      const gate = { ...own.gate, budgetSeconds: budgetSecondsOf(own, { services }) };
      const part = three.cases.filter(({ key }) => keys.includes(key));
      const record = { ...three, spec: own, cases: part, comparing: { ...three.comparing!, gate } };
      return [index, readRunRecord(JSON.stringify(record), 'run.json')];
    });
    const budgets = records.map(([, { comparing }]) => comparing!.gate.budgetSeconds!);
    expect(budgets[0]).toBeGreaterThan(budgets[1]!);
    const merged = mergedRecord({ ...set([...records].reverse()), spec: own });
    expect(merged.comparing!.gate).toEqual({ ...own.gate, budgetSeconds: budgets[0] });
    expect(comparisonOf(merged).gate).toMatchObject({ passed: true, invalid: [] });
    expect(merged.cases).toHaveLength(6);
  });

  it('says what any of them was warned of, once', () => {
    const [both, second] = ['files-of-candidate', 'image-gone'].map((code) => ({ code, message: 'So it is.' }));
    const warned = (connections: number, warnings: Reason[]) =>
      shard(connections, { comparing: { ...whole.comparing!, warnings } });
    const { comparing } = mergedRecord(
      set([
        [1, warned(100, [both!])],
        [2, warned(1000, [both!, second!])],
      ]),
    );
    expect(comparing!.warnings).toEqual([both, second]);
  });

  it('is nothing where they are of different commits, specs, baselines or limits', () => {
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
    const gate = { ...whole.comparing!.gate, metrics: {} };
    expect(ofOther({ comparing: { ...whole.comparing!, gate } })).toThrow('are of different limits');
  });

  it('is nothing where some compared side by side, and some in turn', () => {
    const comparing = { ...whole.comparing!, mode: 'interleaved' as const };
    expect(() =>
      mergedRecord(
        set([
          [1, shard(100)],
          [2, shard(1000, { comparing })],
        ]),
      ),
    ).toThrow('were compared in different ways (duet and interleaved), since only some of their machines have');
  });

  it('is nothing where there is none', () => {
    expect(() => mergedRecord(set([], [[1, 'its job left no artifact']]))).toThrow(
      'No shard of rest-api left a record: its job left no artifact',
    );
  });
});
