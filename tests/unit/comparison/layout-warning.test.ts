import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { layoutWarning } from '../../../src/core/comparison/layout-warning.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

const ONE_BUILD =
  'Only CPU got worse, with the same queries, rows and bytes, and one build of each side was compared: in a ' +
  'compiled service, a different code layout alone can do this; to find out, set `gate.builds: 5` and let the Dockerfile ' +
  'pass `WRKBENCH_BUILD` to the linker (see docs/builds.md of wrkbench).';

const compared = (cases: MadeUpCase[], made: Partial<MadeUpRecord> = {}): Comparison =>
  comparisonOf(madeUpRecord({ seed: 5, rounds: 10, cases, ...made }));
const cpu = (ratio: number): MadeUpCase => ({ ratios: { 'cpu-per-request': ratio } });
const counts = (candidate: number): MadeUpCase => ({
  counts: {
    baseline: { 'queries-per-request': 1, 'rows-per-request': 1, 'bytes-per-response': 213 },
    candidate: { 'queries-per-request': 1, 'rows-per-request': candidate, 'bytes-per-response': 213 },
  },
});

const limit = { maxIncrease: { kind: 'ratio' as const, value: 0.03 } };
const bytes = (candidate: number): MadeUpCase => ({
  counts: { baseline: { 'bytes-per-response': 213 }, candidate: { 'bytes-per-response': candidate } },
});

describe('a red that another layout of the code could be the cause of', () => {
  it('is one of CPU alone, with how to find out', () => {
    expect(layoutWarning(compared([cpu(1.08)]))).toEqual({ code: 'code-layout', message: ONE_BUILD });
    expect(layoutWarning(compared([{ ...cpu(1.08), ...counts(1) }]))?.message).toBe(ONE_BUILD);
  });

  it('is one of an endpoint whose cases send and read the same', () => {
    const several = [cpu(1.08), { ...cpu(1.08), connections: 1000 }].map((each) => ({ ...each, ...counts(1) }));
    expect(layoutWarning(compared(several))?.message).toBe(ONE_BUILD);
    // What another endpoint sends is no cause of what this one costs.
    const other = { endpoint: 'health', ...cpu(0.96), ...bytes(400) };
    expect(layoutWarning(compared([...several, other]))?.message).toBe(ONE_BUILD);
  });

  it('is one of CPU and throughput', () => {
    const ratios = { 'cpu-per-request': 1.09, throughput: 0.9 };
    expect(layoutWarning(compared([{ ratios }]))?.message).toMatch(/^Only throughput and CPU got worse/);
  });
});

describe('a red that has another cause', () => {
  it.each<[string, MadeUpCase[]]>([
    ['none at all', [{}]],
    ['more than a layout was seen to cost', [cpu(1.3)]],
    ['rows that are sent on top', [{ ...cpu(1.08), ...counts(2) }]],
    ['memory in another case', [cpu(1.08), { connections: 1000, ratios: { 'memory-peak': 1.5 } }]],
    [
      'CPU of the database',
      [
        {
          ratios: { 'cpu-per-request': 1.08, 'database-cpu-per-request': 1.2 },
          levels: { 'database-cpu-per-request': 30 },
        },
      ],
    ],
  ])('is no matter of layout: %s', (_title, cases) => {
    expect(layoutWarning(compared(cases))).toBeNull();
  });

  /** None of them is red by itself: so few rounds show little of one case, and much of all. */
  const many = (endpoint: string, of: MadeUpCase): MadeUpCase[] =>
    Array.from({ length: 12 }, (_, index) => ({ endpoint, connections: 10 + index, ...of }));

  it.each([
    ['an endpoint', many('ping', { ...cpu(1.055), ...bytes(400) }), ['go/ping/*']],
    [
      'a service, one of whose endpoints sends them',
      [...many('ping', { ...cpu(1.05), ...bytes(400) }), ...many('health', cpu(1.05))],
      ['go/*'],
    ],
  ])('is no matter of layout where only its cases tell of more bytes: %s', (_title, cases, red) => {
    const noisy = { scatter: 0.05, drift: 0, gate: { metrics: { 'cpu-per-request': limit } } };
    const comparison = compared(cases, noisy);
    expect(comparison.gate.regressions.map(({ caseKey }) => caseKey)).toEqual(red);
    expect(layoutWarning(comparison)).toBeNull();
    const sendingTheSame = cases.map((each) => ({ ...each, ...bytes(213) }));
    expect(layoutWarning(compared(sendingTheSame, noisy))?.message).toBe(ONE_BUILD);
  });

  it('is no matter of layout where another statement is sent', () => {
    const statement = { query: 'SELECT 1', callsPerRequest: 1, rowsPerRequest: 1, msPerRequest: 0.1 };
    const statements = { baseline: [statement], candidate: [{ ...statement, query: 'SELECT 2' }] };
    const levels = { 'database-cpu-per-request': 1 };
    expect(layoutWarning(compared([{ ...cpu(1.08), levels, statements }]))).toBeNull();
  });

  it('is no matter of one layout where several builds of both sides were compared', () => {
    const comparison = compared([cpu(1.08)]);
    const { baseline, candidate } = comparison;
    const several = { baseline: { ...baseline, builds: { go: 5 } }, candidate: { ...candidate, builds: { go: 5 } } };
    expect(layoutWarning({ ...comparison, ...several })).toBeNull();
    expect(layoutWarning({ ...comparison, candidate: several.candidate })?.message).toBe(
      ONE_BUILD.replace('each side', 'the baseline'),
    );
  });

  it('is no matter of layout where an absolute limit is broken, or numbers of an earlier run are compared', () => {
    const limit = compared([{}], { gate: { metrics: { 'cpu-per-request': { max: 10 } } } });
    expect(limit.gate.regressions).toHaveLength(1);
    expect(layoutWarning(limit)).toBeNull();
    expect(layoutWarning({ ...compared([cpu(1.08)]), mode: 'stored' })).toBeNull();
  });
});
