import { describe, expect, it } from 'vitest';
import { publishedRecord } from '../../../../src/core/publication/published-record.ts';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { storedChanges } from '../../../../src/core/report/analysis/stored-changes.ts';
import { fixtureRecord } from '../fixture-records.ts';

const base = { ...publishedRecord(fixtureRecord('compared'), null), id: 'base' };
const head = (change: Partial<RunRecord> = {}): RunRecord => ({ ...structuredClone(base), id: 'head', ...change });
const kinds = (changes: ReturnType<typeof storedChanges>) =>
  new Set(changes.cases.flatMap(({ metrics }) => metrics.map(({ says }) => says.kind)));

describe('two published runs', () => {
  it('of one kind of machine have changes that are undecided, and counts that are decided', () => {
    const other = head();
    other.cases[0]!.metrics.throughput!.value *= 1.5;
    other.cases[0]!.metrics['bytes-per-response']!.value += 1;
    const changes = storedChanges(base, other);
    expect(changes.sameConditions).toBe(true);
    const says = (name: string) => changes.cases[0]!.metrics.find((each) => each.name === name)!.says;
    expect(says('throughput')).toMatchObject({ kind: 'undecided', change: expect.closeTo(0.5, 5) });
    expect(says('bytes-per-response')).toEqual({ kind: 'exact', differs: true });
    expect(changes.cases[1]!.metrics.find(({ name }) => name === 'bytes-per-response')!.says).toEqual({
      kind: 'exact',
      differs: false,
    });
  });

  it('of different machines have counts alone', () => {
    const changes = storedChanges(base, head({ environment: { ...base.environment, cpuModel: 'Another' } }));
    expect(changes.sameConditions).toBe(false);
    expect(kinds(changes)).toEqual(new Set(['apart', 'exact']));
    expect(changes.conditions.filter((each) => each.base !== each.head)).toEqual([
      { what: 'CPU model', base: base.environment.cpuModel, head: 'Another', differs: true, decides: true },
    ]);
  });

  it('say which figures only one of them has', () => {
    const other = head();
    delete other.cases[0]!.metrics.throughput;
    const first = storedChanges(base, other).cases[0]!;
    expect(first.metrics.find(({ name }) => name === 'throughput')!.says).toEqual({ kind: 'one-sided' });
  });

  it('are not compared where one of them is invalid', () => {
    const other = head();
    other.cases[0] = {
      ...other.cases[0]!,
      status: 'invalid',
      reasons: [{ code: 'errors', message: 'too many errors' }],
    };
    const { reasons, metrics } = storedChanges(base, other).cases[0]!;
    expect(reasons.join()).toContain('too many errors');
    expect(new Set(metrics.map(({ says }) => says.kind))).toEqual(new Set(['apart']));
  });

  it('are refused where they are the same, or of different specs', () => {
    expect(() => storedChanges(base, base)).toThrow('Both are the same run, base');
    expect(() => storedChanges(base, head({ spec: { ...base.spec, name: 'other' } }))).toThrow(
      'two specs measure different',
    );
  });
});
