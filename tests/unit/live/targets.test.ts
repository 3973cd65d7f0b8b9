import { describe, expect, it } from 'vitest';
import { assessed, redsAgain } from '../../../scripts/bench/verdict/live/targets.ts';
import { cpuResult, liveResult, times } from './results.ts';

const target = (results: Parameters<typeof assessed>[0], name: string) =>
  assessed(results).targets.find((each) => each.name.startsWith(name));

describe('what live comparisons are held against', () => {
  it('meets nothing while nothing is measured', () => {
    expect(assessed([]).targets.map(({ met }) => met)).toEqual(Array.from({ length: 12 }, () => false));
  });

  it('wants 2 % of CPU found in 18 of 20', () => {
    const missed = liveResult({ kind: 'http-cpu-2' });
    const found = cpuResult('http-cpu-2', 0.02);
    expect(target([...times(18, found), ...times(2, missed)], 'http-cpu-2 found')).toEqual({
      name: 'http-cpu-2 found in 90 s, of 20',
      value: 18,
      limit: 'at least 18 of 20',
      met: true,
    });
    expect(target([...times(17, found), ...times(3, missed)], 'http-cpu-2 found')).toMatchObject({ met: false });
    expect(target(times(19, found), 'http-cpu-2 found')).toMatchObject({ value: 19, met: false });
  });

  it('counts another metric that went red as not found', () => {
    const { verdicts } = cpuResult('http-cpu-2', 0.02);
    const other = liveResult({ kind: 'http-cpu-2', verdicts: [{ ...verdicts[0]!, metric: 'memory-peak' }] });
    expect(target(times(20, other), 'http-cpu-2 found')).toMatchObject({ value: 0, met: false });
  });

  it('holds the mean of what is reported against what was injected into the same comparison', () => {
    const name = 'http-cpu-2: reported less injected';
    const results = [...times(10, cpuResult('http-cpu-2', 0.018)), ...times(10, cpuResult('http-cpu-2', 0.024))];
    expect(target(results, name)).toMatchObject({ value: 0.1, limit: 'at most 0.5', met: true });
    expect(target(times(20, cpuResult('http-cpu-2', 0.026)), name)).toMatchObject({ value: 0.6, met: false });
  });

  it('wants no red in 150 null matrices, 40 of them disturbed', () => {
    const nulls = [...times(110, liveResult()), ...times(40, liveResult({ condition: 'disturbed' }))];
    const red = cpuResult('null-database', 0.04);
    expect(target(nulls, 'null matrices')).toMatchObject({ value: 0, limit: '0 of 150', met: true });
    expect(target(nulls, 'disturbed null matrices')).toMatchObject({ value: 0, limit: '0 of 40', met: true });
    expect(target([...nulls, red], 'null matrices')).toMatchObject({ value: 1, met: false });
    expect(target(nulls.slice(1), 'null matrices')).toMatchObject({ value: 0, met: false });
  });

  it('tells how many were found, how long it took, and what was reported', () => {
    expect(assessed(times(3, cpuResult('http-cpu-2', 0.021))).figures).toEqual({
      'http-cpu-2 found': '3 of 3',
      'http-cpu-2 found, judged again': 0,
      'http-cpu-2 seconds, median': 80,
      'http-cpu-2 seconds, most': 80,
      'http-cpu-2 injected, %': 2,
      'http-cpu-2 reported, %': 2.1,
      'comparisons on AMD EPYC 7763': 3,
    });
  });
});

describe('a stored comparison, judged again', () => {
  const off = [0.002, -0.001, 0.001, -0.002, 0.001, -0.001, 0.002, -0.002];
  const stored = (caseKey: string, mean: number) => ({
    id: `server/${caseKey} cpu-per-request`,
    threshold: 0.03,
    logRatios: off.map((each, index): [number, number] => [index + 1, mean + each]),
  });
  const one = (mean: number) => [stored('ping/direct/wrk/keep-alive/100', mean)];

  it('names what is red by the decision of today', () => {
    expect(redsAgain(liveResult({ questions: one(0.05) }))).toEqual([
      'server/ping/direct/wrk/keep-alive/100 cpu-per-request',
    ]);
    expect(redsAgain(liveResult({ questions: one(0.02) }))).toEqual([]);
  });

  it('can be asked at another threshold', () => {
    expect(redsAgain(liveResult({ questions: one(0.02) }), 0)).toHaveLength(1);
  });

  it('puts the cases of an endpoint together, and the endpoints of a service', () => {
    const cases = ['ping', 'time'].flatMap((endpoint) =>
      ['keep-alive', 'close'].map((reuse) => stored(`${endpoint}/direct/wrk/${reuse}/100`, 0.06)),
    );
    expect(redsAgain(liveResult({ questions: cases })).slice(-3)).toEqual([
      'server/ping/* cpu-per-request',
      'server/time/* cpu-per-request',
      'server/* cpu-per-request',
    ]);
  });

  it('can be read as it was written at first, with the ratios of pairs and without weights', () => {
    const old = one(0.05).map(({ logRatios, ...rest }) => ({
      ...rest,
      logRatios: logRatios.map(([round, value]): [number, number, number[]] => [round, value, [value]]),
    }));
    expect(redsAgain(liveResult({ questions: old }))).toHaveLength(1);
  });

  it('is never red with fewer than 8 rounds', () => {
    const few = one(0.05).map((each) => ({ ...each, logRatios: each.logRatios.slice(0, 7) }));
    expect(redsAgain(liveResult({ questions: few }))).toEqual([]);
  });
});
