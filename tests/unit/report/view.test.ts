import { describe, expect, it } from 'vitest';
import { rankedTests, ranking } from '../../../src/core/report/analysis/ranking.ts';
import { panels } from '../../../src/core/report/panels.ts';
import { dropFactor } from '../../../src/core/report/sections/keep-alive.ts';
import { metricOf, viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

const labels = (entries: { label: string }[]) => entries.map(({ label }) => label);

describe('tests of a report', () => {
  it('stand in the order of the spec, keep-alive on before off, few connections before many', () => {
    const { tests } = viewOf(fixtureRecord('apostol'));
    expect(tests.map((test) => [test.endpoint, test.keepAlive, test.connections, test.threads])).toEqual([
      ['ping', true, 100, 4],
      ['ping', true, 1000, 4],
      ['ping', false, 100, 4],
      ['ping', false, 1000, 4],
      ['db-ping', true, 100, 4],
      ['db-ping', false, 100, 4],
    ]);
  });

  it('have the fastest first, rank no reference, and never mix generators', () => {
    const { tests } = viewOf(fixtureRecord('apostol'));
    expect(tests[3]!.entries.map(({ label, rank, reference }) => [label, rank, reference])).toEqual([
      ['apostol-v2', 1, false],
      ['nginx', null, true],
      ['go', 2, false],
      ['apostol-v1', 3, false],
      ['nodejs', 4, false],
      ['python', 5, false],
    ]);
    for (const { generator, entries } of viewOf(fixtureRecord('troubled')).tests) {
      expect(new Set(entries.map(({ record }) => record.generator))).toEqual(new Set([generator]));
    }
  });

  it('have the invalid last and unranked, however fast', () => {
    const entries = viewOf(fixtureRecord('troubled')).tests[0]!.entries;
    expect(entries.map(({ valid, rank }) => [valid, rank])).toEqual([
      [true, null],
      [true, 1],
      [true, 2],
      [true, 3],
      [true, 4],
      [false, null],
      [false, null],
    ]);
  });

  it('with a share of the capacity stay together though every service has a rate of its own', () => {
    const record = fixtureRecord('small');
    const share = record.cases.find(({ generator, route }) => generator === 'k6' && route === 'direct')!;
    record.cases.push({ ...share, key: share.key.replace('api/', 'other/'), service: 'other', rate: 990 });
    const test = viewOf(record).tests.find(({ generator, route }) => generator === 'k6' && route === 'direct')!;
    expect(test.load).toBe('60%');
    expect(labels(test.entries)).toEqual(['api', 'other']);
  });

  it('at one rate for all are in the order of latency, and rank nobody', () => {
    const record = fixtureRecord('troubled');
    const slow = record.cases.find(({ generator }) => generator === 'k6')!;
    record.cases.push({
      ...structuredClone(slow),
      service: 'quick',
      metrics: { 'latency-p50': { value: 0.1, unit: 'ms', samples: [] } },
    });
    const test = viewOf(record).tests.find(({ generator }) => generator === 'k6')!;
    expect(test.entries[0]!.label).toBe('quick');
    expect(test.entries.map(({ rank }) => rank)).toEqual([null, null, null]);
  });

  it('are of the candidate where a record holds both variants: what it is compared with is no rival', () => {
    const record = fixtureRecord('abstract-rest');
    record.cases = record.cases.slice(0, 2).flatMap((each) => [each, { ...each, variant: 'baseline' as const }]);
    const { tests, cases } = viewOf(record);
    expect(tests.map(({ entries }) => entries.map(({ label, rank }) => [label, rank]))).toEqual([
      [
        ['java-light-4j', 1],
        ['dotnet-core', 2],
      ],
    ]);
    expect(cases.map(({ variant }) => variant)).toEqual(['candidate', 'candidate']);
  });

  it('keep an endpoint that the spec does not name, at the end', () => {
    const record = fixtureRecord('apostol');
    record.spec.endpoints = record.spec.endpoints.slice(1);
    const { tests } = viewOf(record);
    expect(tests[0]).toMatchObject({ endpoint: 'db-ping', request: 'GET /db/ping' });
    expect(tests.at(-1)).toMatchObject({ endpoint: 'ping', request: null });
  });

  it('take a metric only from the record itself', () => {
    const [first] = fixtureRecord('apostol').cases;
    expect(metricOf(first!, 'throughput')).toBe(584_991);
    expect(metricOf(first!, 'constructor')).toBeNull();
    expect(metricOf(first!, 'memory-peak')).toBeNull();
  });
});

describe('the ranking', () => {
  const standingsOf = (record: ReturnType<typeof fixtureRecord>) => ranking(rankedTests(viewOf(record).tests));

  it('is by the geometric mean of the shares of the best', () => {
    const [first, second, ...others] = standingsOf(fixtureRecord('apostol'));
    expect(first).toMatchObject({ label: 'apostol-v2', rank: 1, score: 1, wins: 6 });
    const shares = [
      114_873 / 270_706,
      110_121 / 255_816,
      8_760 / 75_720,
      24_642 / 83_617,
      57_963 / 69_407,
      7_167 / 34_142,
    ];
    expect(second).toMatchObject({ label: 'go', rank: 2, wins: 0 });
    expect(second!.score).toBeCloseTo(shares.reduce((product, share) => product * share) ** (1 / 6), 12);
    expect(labels(others)).toEqual(['apostol-v1', 'nodejs', 'python']);
  });

  it('leaves out who is not valid in every test', () => {
    const record = fixtureRecord('apostol');
    record.cases.find(({ service }) => service === 'apostol-v2')!.status = 'invalid';
    const standings = standingsOf(record);
    expect(standings[0]).toMatchObject({ label: 'go', rank: 1 });
    expect(standings.at(-1)).toMatchObject({ label: 'apostol-v2', rank: null, score: null, missing: 1 });
  });

  it('is the published one of the abstract REST service, in the same order', () => {
    expect(standingsOf(fixtureRecord('abstract-rest')).map(({ label, rank }) => `${rank} ${label}`)).toEqual([
      '1 java-light-4j',
      '2 dotnet-core',
      '3 haskell-warp',
      '4 rust-iron',
      '5 go-gorilla-mux',
      '6 aspnet-core-mvc',
      '7 nodejs',
      '8 python-sanic',
      '9 nodejs-express',
      '10 java-spring-boot',
      '11 dotnet-core-freya',
      '12 python-aiohttp',
      '13 python-flask',
    ]);
  });

  it('takes the tests through the gateway only where there are no others', () => {
    const record = fixtureRecord('small');
    expect(rankedTests(viewOf(record).tests).map(({ route }) => route)).toEqual(['direct', 'direct']);
    record.cases = record.cases.filter(({ route }) => route === 'gateway');
    expect(rankedTests(viewOf(record).tests).map(({ route }) => route)).toEqual(['gateway', 'gateway']);
  });
});

describe('panels', () => {
  it('have a service a row; with one service, a case a row', () => {
    expect(panels(viewOf(fixtureRecord('apostol')))[1]).toMatchObject({
      id: 'panel-2',
      title: 'ping (GET /ping), keep-alive on, 4 threads / 1,000 connections',
      corner: 'Service',
    });
    expect(
      panels(viewOf(fixtureRecord('small'))).map(({ title, corner, rows }) => [title, corner, rows.length]),
    ).toEqual([
      ['users (GET /users?limit=25), wrk', 'Case', 4],
      ['users (GET /users?limit=25), k6', 'Case', 2],
    ]);
  });
});

describe('the keep-alive drop factor', () => {
  it('is the published one', () => {
    const published = [
      [584_991, 85_920, '6.8x'],
      [270_706, 75_720, '3.6x'],
      [114_873, 8_760, '13.1x'],
      [67_004, 7_274, '9.2x'],
      [54_308, 6_282, '8.6x'],
      [2_404, 5_604, '+133%'],
    ] as const;
    for (const [on, off, factor] of published) expect(dropFactor(on, off)).toBe(factor);
  });

  it('claims nothing of a service that answered nothing', () => {
    expect(dropFactor(100, 0)).toBe('–');
    expect(dropFactor(0, 100)).toBe('0.00x');
  });
});
