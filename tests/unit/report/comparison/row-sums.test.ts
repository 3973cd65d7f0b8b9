import { describe, expect, it } from 'vitest';
import type { MetricComparison } from '../../../../src/core/comparison/comparison.ts';
import { caseLabels } from '../../../../src/core/report/comparison/case-labels.ts';
import { changeBlocks } from '../../../../src/core/report/comparison/changes.ts';
import { explanations } from '../../../../src/core/report/comparison/explanation.ts';
import { matrix } from '../../../../src/core/report/comparison/matrix.ts';
import { comparisonTally } from '../../../../src/core/report/comparison/tally.ts';
import { unchangedSaid } from '../../../../src/core/report/comparison/unchanged.ts';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { blockMarkdown } from '../../../../src/core/report/markdown/blocks.ts';
import { recordWithoutPaths } from '../fixture-records.ts';
import { caseOf, comparisonOf, costlier, cpu, keys, open, throughput, unitOf } from './made-up.ts';

/** Of a case that costs `change` more than `baseline` in its table, and whose parts were measured as so much. */
function whereItWent(baseline: number, change: number, service: number, database: number): string {
  const explanation = { cpuUs: { service, database }, statements: [], memoryBytes: null };
  const found = { ...costlier, baseline, candidate: baseline, change };
  const comparison = comparisonOf([caseOf(keys.ping, { 'cpu-per-request': found }, { explanation })]);
  return explanations(comparison, caseLabels(comparison, recordWithoutPaths())).map(inlineText).join('\n');
}

describe('where the extra cost went', () => {
  it.each([
    ['less than under load at once', 320, 0.1, 7, 40, 'server +4.77 µs, database +27.2 µs'],
    ['nearly the same', 1000, 0.142, 20, 156, 'server +16.1 µs, database +126 µs'],
    ['more', 430, 0.2, 9, 61, 'server +11.1 µs, database +74.9 µs'],
    ['less, and parts against each other', 320, 0.1, -7, 47, 'server -5.60 µs, database +37.6 µs'],
  ])('sums to what the table has: %s', (_, baseline, change, service, database, parts) => {
    expect(whereItWent(baseline, change, service, database)).toBe(`Where it went: ${parts} of CPU per request.`);
    const sum = [...parts.matchAll(/([+-][\d.]+) µs/g)].reduce((all, [, part]) => all + Number(part), 0);
    expect(Math.abs(sum - baseline * change)).toBeLessThan(0.6);
  });

  it.each([
    ['contradict the whole', -20, 5],
    ['nearly cancel each other out', 50, -48],
    ['come to far more', 100, 40],
  ])('says what its parts are of where they %s', (_, service, database) => {
    expect(whereItWent(320, 0.1, service, database)).toMatch(
      / of CPU per request, as measured with both sides under load at once\.$/,
    );
  });
});

describe('percentiles of one case', () => {
  const ms = (baseline: number, candidate: number, change: number, over: Partial<MetricComparison> = {}) =>
    cpu({ unit: 'ms', baseline, candidate, change, verdict: null, ...over });
  const cells = (latencies: Record<string, MetricComparison>) => {
    const comparison = comparisonOf([caseOf(keys.usersK6, { 'cpu-per-request': cpu(), ...latencies })]);
    const { columns, rows } = matrix(comparison, caseLabels(comparison, recordWithoutPaths()), 9);
    const at = columns.flatMap(({ title }, index) => (inlineText(title).startsWith('Latency') ? [index] : []));
    return at.map((index) => inlineText(rows[0]!.cells[index]!));
  };

  it('are in their order in a row, whatever their changes are', () => {
    const latencies = { 'latency-p50': ms(10, 12, 0.6), 'latency-p99': ms(15, 15.5, 0.02) };
    expect(cells(latencies)).toEqual(['12.00 ms (+60.0 %)', '15.50 ms (+2.0 %)']);
  });

  it('are the baseline times the change where that keeps the order', () => {
    const latencies = { 'latency-p50': ms(10, 12, 0.3), 'latency-p99': ms(15, 15.5, 0.02) };
    expect(cells(latencies)).toEqual(['13.00 ms (+30.0 %)', '15.30 ms (+2.0 %)']);
  });

  it('are the baseline times the change whatever a mean, or what the row does not show, comes to', () => {
    const latencies = {
      'latency-mean': ms(40, 40, 0.5),
      'latency-p50': ms(10, 12, 0.3),
      'latency-p90': ms(30, 30, 0.5),
      'latency-p99': ms(15, 15.5, 0.02),
    };
    expect(cells(latencies)).toEqual(['13.00 ms (+30.0 %)', '15.30 ms (+2.0 %)']);
  });

  it('are told by their changes alone in a line that would contradict itself', () => {
    const red = { interval: null, adjusted: null, verdict: 'regression' as const };
    const comparison = comparisonOf([
      caseOf(keys.usersK6, {
        'cpu-per-request': costlier,
        'latency-p50': ms(10, 12, 0.6, red),
        'latency-p99': ms(15, 15.5, 0.02, red),
      }),
    ]);
    const labels = caseLabels(comparison, recordWithoutPaths());
    const text = changeBlocks(comparison, labels, 9).map(blockMarkdown).join('\n');
    expect(text).toMatch(/; p99 \*\*\+2\.0 %\*\*\.$/);
  });
});

describe('an endpoint that is open since its service is red', () => {
  it('is not one without change', () => {
    const comparison = comparisonOf(
      [
        caseOf(keys.ping, { 'cpu-per-request': open, throughput: throughput() }),
        caseOf(keys.users, { throughput: throughput() }),
      ],
      { services: [unitOf(keys.ofApi, { 'cpu-per-request': costlier }, { endpoint: '*' })] },
    );
    const { unchanged, undecided, unchangedCases } = comparisonTally(comparison);
    expect([undecided.endpoints, unchanged.endpoints, unchangedCases]).toEqual([1, 1, 1]);
    const counts = inlineText(unchangedSaid(comparison));
    expect(counts).toContain('1 endpoint without change');
  });
});
