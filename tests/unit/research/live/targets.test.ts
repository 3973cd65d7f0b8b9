import { describe, expect, it } from 'vitest';
import { assessed, redsAgain } from '../../../../research/verdict/live/targets.ts';
import { cpuResult, liveResult, times } from './results.ts';

const target = (results: Parameters<typeof assessed>[0], name: string) =>
  assessed(results).targets.find((each) => each.name.startsWith(name));
/** Within the times that the standard spec is held to. */
const standardResult = (kind: string, changes: Parameters<typeof liveResult>[0] = {}) =>
  liveResult({ kind, seconds: { comparing: 250, load: 100, wall: 400 }, ...changes });

describe('what live comparisons are held against', () => {
  it('meets nothing while nothing is measured', () => {
    expect(assessed([]).targets.map(({ met }) => met)).toEqual(Array.from({ length: 20 }, () => false));
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

  it.each(['standard-endpoint-6', 'standard-endpoint-8', 'standard-all-5', 'standard-query'])(
    'wants %s found in 18 of 20, at the defaults of the spec',
    (kind) => {
      const metric = kind === 'standard-query' ? 'queries-per-request' : 'cpu-per-request';
      const [verdict] = cpuResult(kind, 0.06).verdicts;
      const found = standardResult(kind, { verdicts: [{ ...verdict!, metric }] });
      const missed = standardResult(kind, { verdicts: [{ ...verdict!, metric, verdict: 'no-change' }] });
      const name = `${kind} found at defaults, of 20`;
      expect(target([...times(18, found), ...times(2, missed)], kind)).toEqual({
        name,
        value: 18,
        limit: 'at least 18 of 20',
        met: true,
      });
      expect(target([...times(17, found), ...times(3, missed)], kind)).toMatchObject({ name, value: 17, met: false });
      expect(target(times(19, found), kind)).toMatchObject({ value: 19, met: false });
      const other = standardResult(kind, { verdicts: [{ ...verdict!, metric: 'memory-peak' }] });
      expect(target(times(20, other), kind)).toMatchObject({ value: 0, met: false });
    },
  );

  it('wants every comparison of the standard spec within 8 min of wall clock, and 5 of comparing', () => {
    const wall = 'standard spec: most seconds of wall clock';
    const comparing = 'standard spec: most seconds of comparing';
    const taking = (seconds: { wall: number; comparing: number }) => [
      ...times(39, standardResult('standard-null')),
      standardResult('standard-query', { seconds: { load: 100, ...seconds } }),
      // Of another spec: as long as it likes.
      liveResult({ seconds: { load: 800, comparing: 900, wall: 1000 } }),
    ];
    const most = taking({ wall: 480, comparing: 300 });
    expect(target(most, wall)).toEqual({ name: `${wall}, of 40`, value: 480, limit: 'at most 480', met: true });
    expect(target(most, comparing)).toEqual({ name: comparing, value: 300, limit: 'at most 300', met: true });
    // Not before there are as many as comparisons of equal builds alone are wanted.
    expect(target(most.slice(1), wall)).toMatchObject({ met: false });
    expect(target(taking({ wall: 481, comparing: 300 }), wall)).toMatchObject({ value: 481, met: false });
    expect(target(taking({ wall: 480, comparing: 301 }), comparing)).toMatchObject({ value: 301, met: false });
  });

  it('wants none that fails where the standard spec compares 40 equal builds, for whatever reason', () => {
    const name = 'standard spec, nothing changed: runs that failed';
    const equal = times(40, standardResult('standard-null'));
    const red = standardResult('standard-null', { exitStatus: 1 });
    expect(target(equal, name)).toEqual({ name: `${name}, of 40`, value: 0, limit: '0 of 40', met: true });
    expect(target(equal.slice(1), name)).toMatchObject({ value: 0, met: false });
    expect(target([...equal, red], name)).toMatchObject({ value: 1, met: false });
    // Those are not of the 150 small matrices.
    expect(target([...equal, red], 'null matrices')).toMatchObject({
      name: 'null matrices with a red, of 0',
      value: 0,
    });
  });

  it('wants all decided in nine of ten where the standard spec compares 40 equal builds', () => {
    const name = 'standard spec, nothing changed: every service and endpoint decided';
    const verdict = { ...cpuResult('standard-null', 0.001).verdicts[0]!, case: 'server/ping/*' };
    const ofCase = { ...verdict, case: 'server/ping/direct/wrk/keep-alive-off/1000', verdict: 'invalid' as const };
    const decided = standardResult('standard-null', { verdicts: [{ ...verdict, verdict: 'no-change' }, ofCase] });
    const open = (['inconclusive', 'not-measured', 'invalid', 'inconclusive'] as const).map((last) =>
      standardResult('standard-null', { verdicts: [...decided.verdicts, { ...verdict, verdict: last }] }),
    );
    expect(target([...times(36, decided), ...open], name)).toEqual({
      name: `${name}, of 40`,
      value: 36,
      limit: 'at least 90 %',
      met: true,
    });
    expect(target([...times(35, decided), ...open, open[0]!], name)).toMatchObject({ value: 35, met: false });
    expect(target(times(39, decided), name)).toMatchObject({ value: 39, met: false });
  });

  it('counts no comparison of the standard spec that older rules ended', () => {
    const older = standardResult('standard-null', { finishedAt: '2026-11-24T01:59:59.000Z' });
    const name = 'standard spec: most seconds of wall clock';
    expect(target([older, ...times(39, standardResult('standard-null'))], name)).toMatchObject({
      name: `${name}, of 39`,
      met: false,
    });
  });

  it('tells what was injected and reported of some endpoints, and holds it against nothing', () => {
    const injected = { environment: { BURN_SHARE: '/ping=0.0600' }, share: 0.06, cpuUs: 0, calibratedUs: null };
    const [verdict] = cpuResult('standard-endpoint-6', 0.058).verdicts;
    const verdicts = ['server/ping/*', 'server/time/*', 'server/*'].map((key, index) => ({
      ...verdict!,
      case: key,
      change: index === 0 ? 0.058 : 0,
    }));
    const { figures, targets } = assessed(times(20, cpuResult('standard-endpoint-6', 0.058, { injected, verdicts })));
    expect(figures).toEqual({
      'standard-endpoint-6 found': '20 of 20',
      'standard-endpoint-6 found, judged again': 0,
      'standard-endpoint-6 seconds, median': 80,
      'standard-endpoint-6 seconds, most': 80,
      'standard-endpoint-6 injected, %': 6,
      'standard-endpoint-6 reported, %': 5.8,
      'comparisons on AMD EPYC 7763': 20,
    });
    expect(targets.filter(({ name }) => /^standard-.*reported less injected/.test(name))).toEqual([]);
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
    expect(redsAgain(liveResult({ series: one(0.05) }))).toEqual([
      'server/ping/direct/wrk/keep-alive/100 cpu-per-request',
    ]);
    expect(redsAgain(liveResult({ series: one(0.02) }))).toEqual([]);
  });

  it('can be asked at another threshold', () => {
    expect(redsAgain(liveResult({ series: one(0.02) }), 0)).toHaveLength(1);
  });

  it('puts the cases of an endpoint together, and the endpoints of a service', () => {
    const cases = ['ping', 'time'].flatMap((endpoint) =>
      ['keep-alive', 'keep-alive-off'].map((reuse) => stored(`${endpoint}/direct/wrk/${reuse}/100`, 0.06)),
    );
    expect(redsAgain(liveResult({ series: cases })).slice(-3)).toEqual([
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
    expect(redsAgain(liveResult({ series: old }))).toHaveLength(1);
  });

  it('is never red with fewer than 8 rounds', () => {
    const few = one(0.05).map((each) => ({ ...each, logRatios: each.logRatios.slice(0, 7) }));
    expect(redsAgain(liveResult({ series: few }))).toEqual([]);
  });
});
