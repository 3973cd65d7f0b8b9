import { describe, expect, it } from 'vitest';
import type { Acceptance, Comparison } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { sinceAnchor } from '../../../src/core/comparison/since-anchor.ts';
import { publishedRecord } from '../../../src/core/publication/published-record.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const [ANCHOR, ONE, TWO] = ['2', '3', '4'].map((digit) => digit.repeat(40)) as [string, string, string];

function recordOf(cases: MadeUpCase[], sha: string, against: string, accepted: Acceptance[] = []): RunRecord {
  // By trials in turn, by which throughput is judged as well.
  const record = madeUpRecord({ seed: 12, rounds: 30, mode: 'interleaved', cases });
  const comparing = record.comparing!;
  return {
    ...record,
    source: { ...record.source, sha },
    comparing: { ...comparing, accepted, baseline: { ...comparing.baseline, sha: against } },
  };
}

function kept(...of: Parameters<typeof recordOf>): RunRecord {
  const record = recordOf(...of);
  return publishedRecord(record, comparisonOf(record));
}

const against = (cases: MadeUpCase[]): Comparison => comparisonOf(recordOf(cases, TWO, ANCHOR));
const since = (anchor: Comparison, runs: RunRecord[]) =>
  sinceAnchor(anchor, { runs, commits: [ONE, TWO], isWhole: true });
const accepting = (cases: string, metric: string | null = null): Acceptance[] => [{ cases, metric, reason: 'x' }];

const cpu = (ratio: number): MadeUpCase => ({ ratios: { 'cpu-per-request': ratio } });
const CASE = 'go/ping/direct/wrk/keep-alive/100';

describe('what became of a change since the anchor', () => {
  it('is told of an endpoint over its cases, and of its service', () => {
    const both = (ratio: number) => [16, 100].map((connections) => ({ ...cpu(ratio), connections }));
    const crept = since(against(both(1.1)), []).filter(({ metric }) => metric === 'cpu-per-request');
    expect(crept.map(({ key, runs, crept }) => [key, runs, crept])).toContainEqual(['go/ping/*', 0, true]);
    const step = kept(both(1.1), ONE, ANCHOR, accepting('/ping'));
    const accepted = since(against(both(1.1)), [step]).filter(({ metric }) => metric === 'cpu-per-request');
    expect(accepted.map(({ key, runs, crept }) => [key, runs, crept])).toContainEqual(['go/ping/*', 1, false]);
    expect(accepted.every(({ crept }) => !crept)).toBe(true);
  });

  it('is of a metric that falls as of one that rises', () => {
    const slower = (ratio: number): MadeUpCase => ({ ratios: { throughput: ratio } });
    expect(since(against([slower(0.85)]), [])).toEqual([
      { key: CASE, metric: 'throughput', accepted: 0, runs: 0, crept: true },
    ]);
    const [half] = since(against([slower(0.8)]), [kept([slower(0.9)], ONE, ANCHOR, accepting('/ping'))]);
    expect(half).toMatchObject({ metric: 'throughput', runs: 1, crept: true });
    expect(half!.accepted).toBeCloseTo(-0.1, 1);
    const [all] = since(against([slower(0.8)]), [kept([slower(0.8)], ONE, ANCHOR, accepting('/ping'))]);
    expect(all).toMatchObject({ runs: 1, crept: false });
  });

  it('is of a count, which is accepted whole', () => {
    const queries = (candidate: number, baseline: number): MadeUpCase => ({
      counts: {
        baseline: { 'queries-per-request': baseline },
        candidate: { 'queries-per-request': candidate },
      },
    });
    const step = kept([queries(2, 1)], ONE, ANCHOR, accepting('/ping'));
    expect(since(against([queries(2, 1)]), [step])).toEqual([
      { key: CASE, metric: 'queries-per-request', accepted: 1, runs: 1, crept: false },
    ]);
    expect(since(against([queries(3, 1)]), [step])).toEqual([
      { key: CASE, metric: 'queries-per-request', accepted: 1, runs: 1, crept: true },
    ]);
  });

  it.each<[string, Acceptance[]]>([
    ['another endpoint', accepting('/items')],
    ['another metric', accepting('/ping', 'throughput')],
  ])('is not accepted with %s: a run was red for it', (_, accepted) => {
    expect(since(against([cpu(1.1)]), [kept([cpu(1.1)], ONE, ANCHOR, accepted)])).toEqual([]);
  });

  it('is what was accepted of it in the direction that it took: what got better later was not asked for', () => {
    const steps = [kept([cpu(1.1)], ONE, ANCHOR, accepting('/ping')), kept([cpu(0.9)], TWO, ONE, accepting('/ping'))];
    const [found] = since(against([cpu(1.1)]), steps);
    expect(found).toMatchObject({ key: CASE, runs: 1, crept: false });
  });

  it('did not creep in where the runs since are not all known', () => {
    expect(sinceAnchor(against([cpu(1.1)]), { runs: [], commits: [], isWhole: false })).toEqual([]);
  });
});
