import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planReport } from '../../../src/app/plan.ts';
import { casesOf } from '../../../src/core/config/case.ts';
import { EmptySelection, quickened, selectedCases } from '../../../src/core/config/selection.ts';
import { budgetSecondsOf } from '../../../src/core/plan/budget.ts';
import { detectabilityOf } from '../../../src/core/plan/detectability.ts';
import { detectabilityJson } from '../../../src/core/plan/detectability-json.ts';
import { detectabilityText } from '../../../src/core/plan/detectability-text.ts';
import { durationText } from '../../../src/core/plan/duration-text.ts';
import { EXPECTED_SECONDS } from '../../../src/core/plan/estimate.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { planJson, planText } from '../../../src/core/plan/plan-text.ts';
import { specOfServices, specWith } from './fixtures.ts';

describe('the order', () => {
  const spec = specOfServices(5);
  const orderFor = (seed: number) =>
    planOf(spec, { seed })
      .services.map(({ service }) => service.name)
      .join('');

  it('is the same for the same seed, and another for another', () => {
    expect(planOf(spec, { seed: 7 })).toEqual(planOf(spec, { seed: 7 }));
    expect(orderFor(1)).toBe('cbaed');
    expect(orderFor(2)).toBe('edcab');
  });

  it('runs each service once, with all of its cases', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { services } = planOf(spec, { seed });
        expect(services.map(({ service }) => service.name).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
        for (const { service, cases } of services) {
          expect(cases.map(({ key }) => key).sort()).toEqual(
            casesOf(spec)
              .filter((each) => each.service.name === service.name)
              .map(({ key }) => key)
              .sort(),
          );
        }
      }),
      { seed: 11, numRuns: 50 },
    );
  });

  it('favours no service, and no case but for its connections', () => {
    const firstServices = new Map<string, number>();
    const firstOfMost = new Map<string, number>();
    const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);
    for (let seed = 0; seed < 2000; seed++) {
      const [first] = planOf(spec, { seed }).services;
      count(firstServices, first!.service.name);
      count(firstOfMost, first!.cases.find(({ connections }) => connections === 1000)!.key.replace(/^./, ''));
    }
    // Five services, of which each has two cases of 1000 connections: 400 and 1000 expected, with standard deviations of 18 and 22.
    expect([...firstServices.values()].every((times) => times > 320 && times < 480)).toBe(true);
    expect([...firstOfMost.values()].every((times) => times > 900 && times < 1100)).toBe(true);
  });

  it('asks each endpoint over ever more connections, and mixes the endpoints', () => {
    const { services } = planOf(specWith('{preset: standard}'), { seed: 3 });
    expect(services[0]!.cases.map(({ endpoint, connections }) => `${endpoint.name} ${connections}`)).toEqual([
      ...['ping 50', 'db-ping 50', 'ping 100', 'ping 100', 'db-ping 100', 'db-ping 100'],
      ...['ping 1000', 'db-ping 1000', 'db-ping 1000', 'ping 1000'],
    ]);
  });
});

describe('--only', () => {
  const cases = casesOf(specWith('{wrk: on, k6: on}'));
  it.each([
    ['go', 12],
    ['/db/ping', 6],
    ['/api/db/ping', 6],
    ['/db/*', 6],
    ['ping', 6],
    ['*/k6/*', 4],
    ['/{ping,db/ping}', 12],
    ['go/ping/direct/{wrk,k6}/keep-alive/100*', 3],
    ['go/ping/direct/wrk/keep-alive-off/100', 1],
    ['*', 12],
  ])('%s selects %i cases', (only, count) => {
    expect(selectedCases(cases, only)).toHaveLength(count);
  });

  it('that fits nothing names what is near', () => {
    expect(() => selectedCases(cases, 'go/ping/direct/wrk/keep-alive-off/10')).toThrow(
      new EmptySelection(
        [
          "--only 'go/ping/direct/wrk/keep-alive-off/10' fits none of the 12 cases. It is matched against case keys, services, endpoints and paths; the nearest are:",
          '  go/ping/direct/wrk/keep-alive-off/100',
          '  go/ping/direct/wrk/keep-alive-off/1000',
          '  go/db-ping/direct/wrk/keep-alive-off/100',
          '  go/ping/direct/wrk/keep-alive/100',
          '  go/db-ping/direct/wrk/keep-alive-off/1000',
        ].join('\n'),
      ),
    );
    expect(() => selectedCases(cases.slice(0, 1), 'go/pang')).toThrow(
      /^--only 'go\/pang' does not fit the only case\. It is /,
    );
  });
});

describe('--quick', () => {
  it('keeps the fewest and the most connections, and shortens what is longer', () => {
    const { load } = quickened(
      specWith(
        '{wrk: {connections: [50, 10, 100], duration: 1s}, k6: {connections: 7, duration: 10s}, ab: {connections: [3000, 10], requests: 9000}}',
      ),
    );
    expect(load).toMatchObject({
      wrk: { connections: [10, 100], durationSeconds: 1 },
      k6: { connections: [7], durationSeconds: 2 },
      ab: { connections: [10, 3000], requests: 3000 },
      warmUp: { kind: 'fixed', seconds: 1 },
      coolDownSeconds: 0.5,
    });
    expect(quickened(specWith('{ab: {requests: 200}, cool-down: 100ms}')).load).toMatchObject({
      wrk: null,
      ab: { connections: [128], requests: 200 },
      coolDownSeconds: 0.1,
    });
  });
});

describe('the estimate', () => {
  it('adds up what is known and what is expected', () => {
    const {
      autoWarmUp,
      serviceStart,
      serviceStop,
      databaseStart,
      poolerStart,
      gatewayStart,
      verification,
      generatorStart,
    } = EXPECTED_SECONDS;
    const plain = planOf(specWith('{wrk: on}'), { seed: 1 }).estimate;
    expect(plain.loadSeconds).toBe(8 * (autoWarmUp + 10));
    expect(plain.wallSeconds).toBeCloseTo(
      plain.loadSeconds + serviceStart + serviceStop + 2 * verification + 8 * (1 + generatorStart),
      6,
    );
    const more = planOf(specWith('{wrk: on}', 'database: {pooler: pgbouncer}\ngateway: nginx\n'), { seed: 1 }).estimate;
    expect(more.loadSeconds).toBe(2 * plain.loadSeconds);
    expect(more.wallSeconds - 2 * plain.wallSeconds).toBeCloseTo(
      databaseStart + poolerStart + gatewayStart - serviceStart - serviceStop,
      6,
    );
  });

  it('takes the requests of ab for seconds, and a fixed warm-up as it is', () => {
    const { loadSeconds } = planOf(specWith('{ab: {requests: 50000}, warm-up: 2s}'), { seed: 1 }).estimate;
    expect(loadSeconds).toBe(2 * (2 + 50_000 / 5000));
  });

  it.each([
    [0.4, '1 s'],
    [99.2, '100 s'],
    [100, '1 min 40 s'],
    [111, '2 min'],
    [241, '4 min 10 s'],
    [600, '10 min'],
    [601, '11 min'],
    [5940, '99 min'],
    [7500, '2 h 5 min'],
  ])('of %d s is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('plan', () => {
  const ALONE = 'gate: {baseline: none}\n';
  const spec = specWith('{wrk: {connections: [100, 1000]}, k6: {rate: 2000/s, keep-alive: on}, ab: on}', ALONE);

  it('prints one line for each case, in the order of measuring', () => {
    expect(planReport(spec, { seed: 7 }).text).toBe(
      [
        'rest-api: 12 cases of 1 service, about 2 min 40 s, of which 2 min 30 s are load (seed 7)',
        '',
        'go, about 2 min 40 s',
        '  go/db-ping/direct/wrk/keep-alive/100        GET /api/db/ping  4 threads, 10 s',
        '  go/ping/direct/wrk/keep-alive-off/100       GET /api/ping     4 threads, 10 s',
        '  go/db-ping/direct/wrk/keep-alive-off/100    GET /api/db/ping  4 threads, 10 s',
        '  go/db-ping/direct/k6/keep-alive/100@2000ps  GET /api/db/ping  2000 req/s, 10 s',
        '  go/db-ping/direct/ab/keep-alive-off/128     GET /api/db/ping  10,000 requests',
        '  go/ping/direct/k6/keep-alive/100@2000ps     GET /api/ping     2000 req/s, 10 s',
        '  go/ping/direct/wrk/keep-alive/100           GET /api/ping     4 threads, 10 s',
        '  go/db-ping/direct/wrk/keep-alive/1000       GET /api/db/ping  4 threads, 10 s',
        '  go/ping/direct/ab/keep-alive-off/128        GET /api/ping     10,000 requests',
        '  go/db-ping/direct/wrk/keep-alive-off/1000   GET /api/db/ping  4 threads, 10 s',
        '  go/ping/direct/wrk/keep-alive-off/1000      GET /api/ping     4 threads, 10 s',
        '  go/ping/direct/wrk/keep-alive/1000          GET /api/ping     4 threads, 10 s',
        '',
      ].join('\n'),
    );
  });

  it('prints the services with their roles', () => {
    const two = specWith('{k6: {keep-alive: on}}', ALONE);
    two.services.push({ ...two.services[0]!, name: 'nginx', role: 'reference', basePath: '' });
    expect(planReport(two, { seed: 3, only: 'ping' }).text).toBe(
      [
        'rest-api: 2 cases of 2 services, about 42 s, of which 35 s are load (seed 3)',
        '',
        'go, about 21 s',
        '  go/ping/direct/k6/keep-alive/100@60%     GET /api/ping  60% of capacity, 10 s',
        '',
        'nginx (reference), about 21 s',
        '  nginx/ping/direct/k6/keep-alive/100@60%  GET /ping      60% of capacity, 10 s',
        '',
      ].join('\n'),
    );
    expect(
      planReport(specWith('{k6: {rate: vus, keep-alive: on}, wrk: {connections: 1, keep-alive: on}}', ALONE), {
        seed: 1,
        only: '/ping',
      }).text,
    ).toBe(
      [
        'rest-api: 2 cases of 1 service, about 31 s, of which 26 s are load (seed 1)',
        '',
        'go, about 31 s',
        '  go/ping/direct/wrk/keep-alive/1       GET /api/ping  1 thread, 10 s',
        '  go/ping/direct/k6/keep-alive/100@vus  GET /api/ping  closed loop, 10 s',
        '',
      ].join('\n'),
    );
  });

  it('gives a program the same', () => {
    expect(planReport(spec, { seed: 7, only: '*/ab/*', quick: true }).json).toEqual({
      name: 'rest-api',
      seed: 7,
      caseCount: 2,
      estimate: { loadSeconds: 2.8, wallSeconds: 7.3 },
      services: [
        {
          service: 'go',
          role: 'subject',
          estimate: { loadSeconds: 2.8, wallSeconds: 7.3 },
          cases: ['db-ping', 'ping'].map((endpoint) => ({
            key: `go/${endpoint}/direct/ab/keep-alive-off/128`,
            endpoint,
            method: 'GET',
            path: `/api/${endpoint.replace('-', '/')}`,
            route: 'direct',
            generator: 'ab',
            keepAlive: false,
            connections: 128,
            load: { generator: 'ab', requests: 2000, timeoutSeconds: 30 },
          })),
        },
      ],
      comparing: null,
    });
  });

  it('says what a search takes on top of the cases', () => {
    const search = 'search: {endpoint: ping, generator: h2load, from: 1000, to: 50000, limits: {p99: 50ms}}\n';
    const searching = specWith('{wrk: {connections: 10, keep-alive: on}}', `${ALONE}${search}`);
    const { text, json } = planReport(searching, { seed: 1, only: 'ping' });
    expect(text.split('\n')).toEqual([
      'rest-api: 1 case of 1 service, about 17 s, of which 13 s are load (seed 1), and about 94 s for the search',
      '',
      'go, about 17 s',
      '  go/ping/direct/wrk/keep-alive/10  GET /api/ping  4 threads, 10 s',
      '',
      'search for the highest rate, only in a run without a baseline',
      '  1 search of 1,000 to 50,000 requests/s within p99 ≤ 50 ms and errors ≤ 0.1 %',
      '  h2load over 100 connections, 5 s each: 9 tries as a rule, 20 at most, for each search; up to twice as many where other processes disturb them',
      '  about 94 s on top of the cases, 3 min 30 s at most',
      '',
    ]);
    expect(json).toMatchObject({ search: { searches: 1, services: 1, probes: { usual: 9, most: 20 } } });
    expect(planReport(searching, { seed: 1, only: 'ping', shard: { index: 2, count: 2 } }).json).not.toHaveProperty(
      'search',
    );
  });

  it('says what a comparison detects, of the spec as it is measured', () => {
    const compared = specWith('{wrk: {connections: [10, 100, 1000]}}');
    const [planned, plan] = [quickened(compared), planOf(compared, { seed: 1, quick: true })];
    const found = detectabilityOf(planned, plan, budgetSecondsOf(planned, plan));
    const report = planReport(compared, { seed: 1, quick: true });
    expect(report.text).toBe(planText(plan, planned) + detectabilityText(planned, plan, found));
    expect(report.json).toEqual({ ...planJson(plan, planned), comparing: detectabilityJson(planned, plan, found) });
  });

  it('shows a path without the secret in it', () => {
    const { endpoints, ...rest } = spec;
    const hidden = { ...rest, endpoints: endpoints.map((each) => ({ ...each, path: `${each.path}?token=s3cret-1` })) };
    const { text, json } = planReport(hidden, { seed: 7 });
    expect(text).toContain('GET /api/ping?token=[redacted]');
    expect(text + JSON.stringify(json)).not.toContain('s3cret-1');
  });
});
