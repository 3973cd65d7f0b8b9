import { describe, expect, it } from 'vitest';
import { changeLimit, differenceThreshold, limitsFor, logBorders } from '../../../src/core/comparison/thresholds.ts';
import type { GateRules, MetricLimit } from '../../../src/core/config/resolved.ts';

const most = (value: number): MetricLimit => ({ maxIncrease: { kind: 'ratio', value } });

function gate(metrics: GateRules['metrics'], cases: GateRules['cases'] = {}): GateRules {
  return { baseline: 'auto', metrics, cases, budgetSeconds: 300 };
}

const names = ['go/db-users/direct/wrk/keep-alive/100', 'go', '/db/users'];

describe('the limit of a case', () => {
  it('is that of the gate where no pattern fits', () => {
    expect(
      limitsFor(
        gate({ 'cpu-per-request': most(0.03) }, { rust: { 'cpu-per-request': most(0.5) } }),
        names,
        'cpu-per-request',
      ),
    ).toEqual(most(0.03));
  });

  it('is nothing where none is written', () => {
    expect(limitsFor(gate({}), names, 'cpu-per-request')).toEqual({});
    expect(limitsFor(gate({}), names, 'constructor')).toEqual({});
  });

  it.each([
    ['a service', 'go'],
    ['a path', '/db/*'],
    ['a case key', 'go/*/wrk/*'],
    ['everything', '*'],
  ])('may stand under %s', (_, glob) => {
    const rules = gate({ 'cpu-per-request': most(0.03) }, { [glob]: { 'cpu-per-request': most(0.07) } });
    expect(limitsFor(rules, names, 'cpu-per-request')).toEqual(most(0.07));
  });

  it('is that of the pattern with the most literal characters, wherever it stands', () => {
    const specific = { '/db/users': { 'cpu-per-request': most(0.09) } };
    const general = { '/db/*': { 'cpu-per-request': most(0.05) } };
    expect(limitsFor(gate({}, { ...specific, ...general }), names, 'cpu-per-request')).toEqual(most(0.09));
    expect(limitsFor(gate({}, { ...general, ...specific }), names, 'cpu-per-request')).toEqual(most(0.09));
  });

  it('is as near by a pattern with braces as by what of them fits', () => {
    const braces = { '/{db/users,a-much-longer-name}': { 'cpu-per-request': most(0.09) } };
    const shorter = { '/db/*': { 'cpu-per-request': most(0.05) } };
    const longer = { 'go/db-users/direct/*': { 'cpu-per-request': most(0.07) } };
    expect(limitsFor(gate({}, { ...braces, ...shorter }), names, 'cpu-per-request')).toEqual(most(0.09));
    expect(limitsFor(gate({}, { ...braces, ...longer }), names, 'cpu-per-request')).toEqual(most(0.07));
    expect(limitsFor(gate({}, { '{go,rust}': { 'cpu-per-request': most(0.01) } }), names, 'cpu-per-request')).toEqual(
      most(0.01),
    );
  });

  it('is that of the later of two patterns that are as near', () => {
    const rules = gate(
      {},
      { '/db/*': { throughput: most(0.01) }, '/db*/': {}, '*/db/': {}, '/db/?*': { throughput: most(0.02) } },
    );
    expect(limitsFor(rules, names, 'throughput')).toEqual(most(0.02));
  });

  it('is looked for by metric: a nearer pattern that does not name it says nothing of it', () => {
    const rules = gate({}, { '/db/*': { 'cpu-per-request': most(0.05) }, '/db/users': { throughput: most(0.2) } });
    expect(limitsFor(rules, names, 'cpu-per-request')).toEqual(most(0.05));
  });

  it('is replaced whole, and by off with nothing', () => {
    const rules = gate(
      { 'latency-p50': { max: 50, ...most(0.05) } },
      { go: { 'latency-p50': { max: 80 } }, '/db/users': { 'latency-p50': {} } },
    );
    expect(limitsFor(rules, names, 'latency-p50')).toEqual({});
    expect(limitsFor(rules, ['go/ping/direct/wrk/keep-alive-off/100', 'go', '/ping'], 'latency-p50')).toEqual({
      max: 80,
    });
  });
});

describe('the limit of a change', () => {
  const both: MetricLimit = {
    maxIncrease: { kind: 'ratio', value: 0.03 },
    maxDecrease: { kind: 'ratio', value: 0.05 },
  };

  it('is that of the direction which is worse', () => {
    expect(changeLimit({ better: 'lower' }, both)).toEqual(both.maxIncrease);
    expect(changeLimit({ better: 'higher' }, both)).toEqual(both.maxDecrease);
    expect(changeLimit({ better: 'higher' }, { max: 3 })).toBeNull();
  });

  it('is a step up of the logarithm for a rise, and down for a fall', () => {
    const { worse, better } = logBorders({ better: 'lower' }, { kind: 'ratio', value: 0.03 }, Number.NaN);
    expect([Math.exp(worse), Math.exp(-better)]).toEqual([expect.closeTo(1.03, 12), expect.closeTo(0.97, 12)]);
  });

  it('has its worse side below where higher is better', () => {
    const { worse, better } = logBorders({ better: 'higher' }, { kind: 'ratio', value: 0.05 }, Number.NaN);
    expect([Math.exp(-worse), Math.exp(better)]).toEqual([expect.closeTo(0.95, 12), expect.closeTo(1.05, 12)]);
  });

  it('as an absolute one is a share of the baseline', () => {
    const { worse } = logBorders({ better: 'lower' }, { kind: 'absolute', value: 20 }, 80);
    expect(Math.exp(worse)).toBeCloseTo(1.25, 12);
  });

  it('stays finite where nothing can break it', () => {
    const { worse } = logBorders({ better: 'higher' }, { kind: 'absolute', value: 500 }, 100);
    expect(worse).toBeGreaterThan(20);
    expect(Number.isFinite(worse)).toBe(true);
    expect(logBorders({ better: 'lower' }, { kind: 'absolute', value: 0 }, 0)).toEqual({ worse: 0, better: 0 });
  });

  it('of a count is a difference', () => {
    expect(differenceThreshold({ kind: 'absolute', value: 1 }, 40)).toBe(1);
    expect(differenceThreshold({ kind: 'ratio', value: 0.05 }, 40)).toBe(2);
  });
});
