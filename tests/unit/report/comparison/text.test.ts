import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../../src/core/format/text.ts';
import { comparisonText } from '../../../../src/core/report/comparison/text.ts';
import { fixtureRecord, recordWithoutPaths } from '../fixture-records.ts';
import { madeUp, madeUpNames } from './examples.ts';
import { caseOf, comparisonOf, costlier, cpu, keys, open } from './made-up.ts';

const record = fixtureRecord('compared');
const nameless = recordWithoutPaths();

describe('a comparison on the terminal', () => {
  it.each(madeUpNames)('%s, whole', async (name) => {
    await expect(comparisonText(madeUp[name], { record })).toMatchFileSnapshot(`__snapshots__/${name}.terminal.txt`);
  });

  it.each(madeUpNames)('%s fits 100 columns, and 80', (name) => {
    for (const width of [100, 80]) {
      const lines = comparisonText(madeUp[name], { record, width }).split('\n');
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(width);
    }
  });

  it('is plain unless a style is given, and says the same with colours', () => {
    const plain = comparisonText(madeUp.regression, { record });
    const coloured = comparisonText(madeUp.regression, { record, style: createColors(true) });
    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colours begin with it
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  it('names the system calls that a request came to make, beside its CPU time', () => {
    const comparison = comparisonOf([caseOf(keys.ping, { 'cpu-per-request': costlier })]);
    const explanation = { cpuUs: { service: 1.85, database: 0 }, memoryBytes: null, statements: [] };
    comparison.cases[0]!.explanation = { ...explanation, syscalls: { baseline: 2.07, candidate: 3.085 } };
    expect(comparisonText(comparison, { record: nameless })).toContain(
      'Where it went: server +1.85 µs of CPU per request, as measured with both sides under load at once.\nSystem calls per request 2.07 → 3.08.',
    );
  });

  it('says of a limit of the level why it is open, and not what its change was', () => {
    const comparison = comparisonOf([caseOf('api/ping/direct/wrk/keep-alive-off/1', { 'latency-p99': cpu() })]);
    const message = 'Latency, p99: 5,000 requests are too few for a limit on it';
    comparison.gate.inconclusive = [{ caseKey: comparison.cases[0]!.key, metric: 'latency-p99', message }];
    expect(comparisonText(comparison, { record: nameless })).toContain(
      'Undecided:\n? api · ping · keep-alive off · 1 connection: Latency, p99: 5,000 requests are too few for a limit\n  on it\n',
    );
  });

  it('tells after which commits the history went to another level, in a line for each stretch of them', () => {
    const comparison = comparisonOf(
      [keys.ping, keys.pingMany, keys.users, keys.usersMany].map((key) => caseOf(key, { 'cpu-per-request': cpu() })),
    );
    const run = (day: string, sha: string | null) => ({ id: `2026${day}T0000Z`, sha, startedAt: `2026-${day}T00:00` });
    const before = run('11-02', '9d8e7f6a00');
    const after = run('11-03', '3f2c1ab900');
    const found = (key: string, metric: string, change: number) => ({ key, metric, change, before, after, runs: 12 });
    comparison.changePoints = [
      { ...found(keys.ping, 'cpu-per-request', 0.132), direction: 'worse' },
      { ...found(keys.ping, 'throughput', -0.118), direction: 'worse' },
      { ...found(keys.pingMany, 'throughput', -0.1), direction: 'worse' },
      { ...found(keys.users, 'throughput', -0.1), direction: 'worse' },
      { ...found(keys.usersMany, 'throughput', -0.1), direction: 'worse' },
      {
        ...found(keys.ping, 'throughput', 0.2),
        direction: 'better',
        before: run('08-01', null),
        after: run('08-02', null),
      },
    ];
    expect(comparisonText(comparison, { record: nameless, width: 120 })).toContain(
      [
        'Change points of the history, the newest first:',
        '– 9d8e7f6..3f2c1ab (2026-11-03, 12 runs since): api · ping · keep-alive on · 100 connections: +13.2 % CPU, -11.8 %',
        '  throughput; api · ping · keep-alive on · 1,000 connections: -10.0 % throughput; api · users · keep-alive on · 100',
        '  connections: -10.0 % throughput; and 1 more case',
        '– 202608-01T0000Z..202608-02T0000Z (2026-08-02, 12 runs since): api · ping · keep-alive on · 100 connections: +20.0 %',
        '  throughput',
        '',
      ].join('\n'),
    );
  });

  it('says once what is wrong with all cases of a service', () => {
    const comparison = structuredClone(madeUp.invalid);
    const message = 'candidate: api: The image acme/api:1 cannot be pulled.';
    const cases = Array.from({ length: 5 }, (_, index) =>
      caseOf(`api/ping/direct/wrk/keep-alive-off/${index + 1}`, {}),
    );
    comparison.gate.invalid = cases.map(({ key }) => ({ caseKey: key, metric: null, message }));
    const other = {
      caseKey: 'api/news/direct/wrk/keep-alive-off/1',
      metric: null,
      message: 'candidate: api exited under load',
    };
    comparison.gate.invalid.push(other);
    comparison.cases = [...cases, caseOf(other.caseKey, {})];
    expect(comparisonText(comparison, { record: nameless })).toContain(
      `
Invalid:
✗ api · ping · all 5 cases: candidate: api: The image acme/api:1 cannot be pulled.
✗ api · news · keep-alive off · 1 connection: candidate: api exited under load
`,
    );
  });

  it('counts what it does not list', () => {
    const cases = Array.from({ length: 14 }, (_, index) =>
      caseOf(`api/ping/direct/wrk/keep-alive-off/${index + 1}`, { 'cpu-per-request': open }),
    );
    expect(comparisonText(comparisonOf(cases), { record: nameless })).toContain('\n  … and 4 more\n');
  });

  it('in brief is the verdict, what changed and where it went alone', () => {
    const text = comparisonText(madeUp.regression, { record: nameless, brief: true });
    expect(text.split('\n')[0]).toMatch(/^✗ Regression/);
    expect(text).toMatch(/\nWhere it went[^\n]*: /);
    for (const left of ['Baseline: ', 'Candidate: ']) {
      expect(comparisonText(madeUp.regression, { record: nameless })).toContain(left);
      expect(text).not.toContain(left);
    }
  });

  it('shows no control character of a stranger', () => {
    const comparison = structuredClone(madeUp.stored);
    comparison.warnings[0]!.message = '\u001b[31mred\u001b[0m';
    comparison.baseline.origin = 'branch \u202efoo';
    const text = comparisonText(comparison, { record: nameless });
    expect(text).toContain('! ⟨U+001B⟩[31mred⟨U+001B⟩[0m');
    expect(text).toContain('Baseline: branch ⟨U+202E⟩foo');
  });
});
