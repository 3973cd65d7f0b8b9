import { describe, expect, it } from 'vitest';
import {
  calibratedUs,
  endpointInjection,
  injectionOf,
  withoutShares,
} from '../../../../research/verdict/live/injection.ts';
import { calibrationOf, KINDS, liveSpec } from '../../../../research/verdict/live/kinds.ts';
import { scheduleOf } from '../../../../research/verdict/live/schedule.ts';
import { casesOf } from '../../../../src/core/config/case.ts';
import { readSpec } from '../../../../src/core/config/read.ts';
import { cpuResult, liveResult, times } from './results.ts';

const kind = (name: string) => KINDS.find((each) => each.name === name)!;
/** That of every made-up result. */
const MODEL = liveResult().machine.cpuModel;
/** Where and when `liveResult` was measured. */
const HERE = { cpuModel: MODEL, now: new Date(liveResult().finishedAt) };
const resolved = (name: string) => readSpec(liveSpec(kind(name), 'server:1'), 'wrkbench.yml');

describe('the kinds of live comparisons', () => {
  it('are 150 null matrices of 4 cases each, 40 of them disturbed', () => {
    const nulls = KINDS.filter(({ name }) => name.startsWith('null-'));
    expect(nulls.map(({ cost }) => cost)).toEqual([null, null]);
    const count = (condition: 'quiet' | 'disturbed') => nulls.reduce((sum, { wanted }) => sum + wanted[condition], 0);
    expect({ quiet: count('quiet'), disturbed: count('disturbed') }).toEqual({ quiet: 110, disturbed: 40 });
    expect(nulls.map(({ name }) => casesOf(resolved(name)).length)).toEqual([4, 4]);
  });

  it('are 40 of equal builds with the standard spec at its defaults, and 20 of each change to them, all quiet', () => {
    const standard = KINDS.filter(({ name }) => name.startsWith('standard-'));
    expect(standard.map(({ name, wanted, shows }) => [name, wanted.quiet, shows])).toEqual([
      ['standard-null', 40, null],
      ['standard-endpoint-6', 20, 'cpu-per-request'],
      ['standard-endpoint-8', 20, 'cpu-per-request'],
      ['standard-all-5', 20, 'cpu-per-request'],
      ['standard-query', 20, 'queries-per-request'],
    ]);
    expect(standard.map(({ wanted }) => wanted.disturbed)).toEqual(Array(5).fill(0));
    for (const { name } of standard) {
      const spec = resolved(name);
      expect(spec.gate.budgetSeconds).toBeNull();
      expect(spec.endpoints.map((endpoint) => endpoint.name)).toEqual(['ping', 'time', 'db-ping', 'users']);
      expect(casesOf(spec)).toHaveLength(20);
    }
  });

  it('judge only CPU time, at threshold 0, where a share of it is injected into one case', () => {
    const { gate } = resolved('http-cpu-2');
    expect(gate.metrics).toEqual({
      'cpu-per-request': { maxIncrease: { kind: 'ratio', value: 0 } },
      'latency-p50': {},
      'latency-p90': {},
      'latency-p99': {},
      'memory-peak': {},
      'queries-per-request': {},
      'memory-growth': {},
      'start-up': {},
      throughput: {},
      'throughput-solo': {},
    });
    expect(gate.budgetSeconds).toBe(90);
    expect(casesOf(resolved('http-cpu-2')).map(({ key }) => key)).toEqual(['server/ping/direct/wrk/keep-alive/100']);
    expect(resolved('database-cpu-3').gate.budgetSeconds).toBe(180);
  });

  it('are right specs, all of them', () => {
    expect(KINDS.map(({ name }) => resolved(name).services.length)).toEqual(KINDS.map(() => 1));
  });
});

describe('the order of live comparisons', () => {
  it('is the same each time, with a seed of its own for each', () => {
    const planned = scheduleOf([]);
    expect(planned).toEqual(scheduleOf([]));
    expect(new Set(planned.map(({ seed }) => seed)).size).toBe(planned.length);
  });

  it('mixes the kinds, so that the first fifth has some of each', () => {
    const planned = scheduleOf([]);
    const first = planned.slice(0, planned.length / 5);
    expect(new Set(first.map(({ kind: { name } }) => name)).size).toBe(KINDS.length);
  });

  it('leaves out what is measured already, of that kind and condition', () => {
    const all = scheduleOf([]).length;
    const done = [...times(5, liveResult()), ...times(2, liveResult({ condition: 'disturbed' }))];
    const left = scheduleOf(done).filter(({ kind: { name } }) => name === 'null-http');
    expect(scheduleOf(done)).toHaveLength(all - 7);
    expect(left.filter(({ condition }) => condition === 'quiet')).toHaveLength(50);
    expect(left.filter(({ condition }) => condition === 'disturbed')).toHaveLength(18);
  });

  it('keeps to the kinds that are asked for', () => {
    expect(new Set(scheduleOf([], 'null').map(({ kind: { name } }) => name))).toEqual(
      new Set(['null-http', 'null-database']),
    );
  });
});

describe('what is injected', () => {
  it('is a share of what a request cost in the latest comparisons of the same matrix', () => {
    const costing = (baseline: number) => liveResult({ kind: 'http-cpu-2', cpuUs: { baseline, candidate: 60 } });
    const results = [90, 50, 52, 51, 53, 49].map(costing);
    const baseUs = calibratedUs(['http-cpu-2'], 'quiet', HERE, results);
    expect(baseUs).toBe(51);
    expect(injectionOf(kind('http-cpu-2'), baseUs)).toEqual({
      environment: { BURN_US: '301.020' },
      share: 0.02,
      cpuUs: 1.02,
      calibratedUs: 51,
    });
  });

  it('is burnt on top of nothing where the baseline burns nothing', () => {
    expect(injectionOf(kind('database-cpu-3'), 250).environment).toEqual({ BURN_US: '7.500' });
  });

  it('needs a calibration of the same condition', () => {
    const results = [liveResult({ kind: 'http-cpu-5', condition: 'disturbed' })];
    expect(calibratedUs(['http-cpu-5'], 'quiet', HERE, results)).toBeNull();
    expect(() => injectionOf(kind('http-cpu-5'), null)).toThrow(
      'A share of CPU time is injected once it is known what a request costs.',
    );
    expect(calibrationOf(kind('http-cpu-5'))).toMatchObject({ name: 'calibration-http', cost: null });
  });

  it('needs a calibration of the same CPU model: a request costs something else on another', () => {
    const results = [liveResult({ kind: 'http-cpu-5' })];
    expect(calibratedUs(['http-cpu-5'], 'quiet', HERE, results)).toBe(50);
    expect(
      calibratedUs(['http-cpu-5'], 'quiet', { ...HERE, cpuModel: 'Intel(R) Xeon(R) Processor' }, results),
    ).toBeNull();
  });

  it('needs a calibration of the last hours: a machine with the same CPU model may be a slower one', () => {
    const now = new Date('2026-11-27T20:00:00Z');
    const from = (finishedAt: string) =>
      calibratedUs(['http-cpu-5'], 'quiet', { cpuModel: MODEL, now }, [liveResult({ kind: 'http-cpu-5', finishedAt })]);
    expect(from('2026-11-27T08:00:00Z')).toBe(50);
    expect(from('2026-11-27T07:59:59Z')).toBeNull();
  });

  const knowing = (databaseShares: Record<string, number>, changes: Parameters<typeof liveResult>[0] = {}) =>
    liveResult({ kind: 'standard-null', databaseShares, ...changes });

  it('is, of some endpoints, a share of what each costs', () => {
    expect(endpointInjection(['ping'], 0.06, MODEL, [knowing({ ping: 0 })])).toEqual({
      environment: { BURN_SHARE: '/ping=0.0600' },
      share: 0.06,
      cpuUs: 0,
      calibratedUs: null,
    });
  });

  it('is a larger share of what the service costs where the database has a part, as the last five comparisons tell it', () => {
    const results = [
      ...times(3, knowing({ ping: 0.9, users: 0.9 })),
      ...[0.4, 0.5, 0.6, 0.5].map((users) => knowing({ ping: 0, users }, { kind: 'standard-all-5' })),
      // Has no figure of `ping`: five others tell it.
      knowing({ users: 0.5 }, { kind: 'standard-query' }),
      knowing({ ping: 0, users: 0.9 }),
    ];
    expect(endpointInjection(['ping', 'users'], 0.05, MODEL, results)?.environment).toEqual({
      BURN_SHARE: '/ping=0.0500,/users=0.1000',
    });
  });

  it('is, of some endpoints, told by comparisons on the same CPU model alone', () => {
    const other = knowing({ users: 0.75 }, { machine: { cpuModel: 'Intel(R) Xeon(R) Processor', kernel: '6.8.0' } });
    const results = [
      knowing({ users: 0.5 }),
      ...times(5, other),
      // As lines are that were written before.
      ...times(5, cpuResult('standard-endpoint-8', 0.08)),
    ];
    expect(endpointInjection(['users'], 0.08, MODEL, results)?.environment).toEqual({ BURN_SHARE: '/users=0.1600' });
    expect(endpointInjection(['users'], 0.08, other.machine.cpuModel, results)?.environment).toEqual({
      BURN_SHARE: '/users=0.3200',
    });
  });

  it('is, of some endpoints, null where it is not known what one of them costs', () => {
    expect(endpointInjection(['ping'], 0.06, MODEL, [])).toBeNull();
    expect(endpointInjection(['ping', 'db-ping'], 0.05, MODEL, [knowing({ ping: 0 })])).toBeNull();
    expect(endpointInjection(['ping'], 0.06, 'Another', [knowing({ ping: 0 })])).toBeNull();
  });

  it('burns at the paths that are asked', () => {
    const known = [knowing({ ping: 0, time: 0, 'db-ping': 0.5, users: 0.5 })];
    const { cost } = kind('standard-all-5');
    const endpoints = cost?.kind === 'cpu' ? cost.endpoints! : [];
    expect(endpointInjection(endpoints, 0.05, MODEL, known)?.environment).toEqual({
      BURN_SHARE: resolved('standard-all-5')
        .endpoints.map(({ path }) => `${path}=${path.startsWith('/db/') || path === '/users' ? '0.1000' : '0.0500'}`)
        .join(','),
    });
  });

  it('is looked for by the baseline as well, which burns nothing: to look for it costs some tenths of a microsecond', () => {
    expect(withoutShares({ BURN_SHARE: '/ping=0.0500,/users=0.1000' })).toEqual({ BURN_SHARE: '/ping=0,/users=0' });
    expect(withoutShares({ EXTRA_QUERIES: '1' })).toEqual({});
  });

  it('is nothing in a null comparison, and the environment that the kind names else', () => {
    const nothing = { environment: {}, share: null, cpuUs: 0, calibratedUs: null };
    expect(injectionOf(kind('null-http'), 50)).toEqual(nothing);
    expect(injectionOf(kind('sleep-2-ms'), null)).toEqual({ ...nothing, environment: { SLEEP_MS: '2' } });
  });
});
