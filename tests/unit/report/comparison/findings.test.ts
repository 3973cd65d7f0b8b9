import { describe, expect, it } from 'vitest';
import type { MetricComparison } from '../../../../src/core/comparison/comparison.ts';
import { caseFindings } from '../../../../src/core/report/comparison/findings.ts';
import { mostChanges, roundsOf } from '../../../../src/core/report/comparison/judged-figures.ts';
import {
  accepted,
  caseOf,
  comparisonOf,
  costlier,
  cpu,
  entry,
  faster,
  keys,
  member,
  open,
  queries,
  throughput,
  unitOf,
} from './made-up.ts';

describe('what a comparison found', () => {
  it('has regressions first, the endpoint with the greatest change under load at the top, improvements last', () => {
    const comparison = comparisonOf([
      caseOf(keys.pingMany, { throughput: faster }),
      caseOf(keys.usersK6, { 'queries-per-request': queries(1, 5) }),
      caseOf(keys.ping, { 'cpu-per-request': { ...costlier, change: 0.04 } }),
      caseOf(keys.users, { 'queries-per-request': queries(1, 2), 'cpu-per-request': costlier }),
    ]);
    expect(
      caseFindings(comparison).map(({ key, kind, findings }) => [key, kind, findings.map(({ metric }) => metric)]),
    ).toEqual([
      [keys.users, 'regression', ['cpu-per-request', 'queries-per-request']],
      [keys.usersK6, 'regression', ['queries-per-request']],
      [keys.ping, 'regression', ['cpu-per-request']],
      [keys.pingMany, 'improvement', ['throughput']],
    ]);
  });

  it('has what is of one endpoint beside each other', () => {
    const comparison = comparisonOf(
      [caseOf(keys.usersK6, { 'cpu-per-request': costlier }), caseOf(keys.ping, { 'cpu-per-request': costlier })],
      { endpoints: [unitOf(keys.ofUsers, { 'queries-per-request': queries(1, 2) })] },
    );
    expect(caseFindings(comparison).map(({ key }) => key)).toEqual([keys.usersK6, keys.ofUsers, keys.ping]);
  });

  it('takes as accepted what the gate accepts, a metric or a whole case, and no more', () => {
    const comparison = comparisonOf([
      caseOf(keys.users, { 'queries-per-request': queries(0, 2), 'cpu-per-request': costlier }),
      caseOf(keys.usersK6, { 'cpu-per-request': costlier }),
    ]);
    comparison.gate.regressions = [entry(keys.users, 'cpu-per-request')];
    comparison.gate.accepted = [
      accepted(keys.users, 'queries-per-request', 'one'),
      accepted(keys.usersK6, null, 'two'),
    ];
    const found = caseFindings(comparison).flatMap(({ findings }) => findings);
    expect(found.map(({ metric, kind, reason }) => [metric, kind, reason])).toEqual([
      ['cpu-per-request', 'regression', null],
      ['queries-per-request', 'accepted', 'one'],
      ['cpu-per-request', 'accepted', 'two'],
    ]);
  });

  it('folds a case under its endpoint, or the service that its memory is judged for', () => {
    const memory = (over: Partial<MetricComparison> = {}) => cpu({ ...costlier, unit: 'bytes', ...over });
    const comparison = comparisonOf(
      [
        caseOf(keys.ping, { 'cpu-per-request': costlier, throughput: faster, 'memory-peak': memory() }),
        caseOf(keys.pingMany, { 'cpu-per-request': member(cpu()), throughput: member(throughput()) }),
        caseOf(keys.usersK6, { 'latency-p50': costlier }),
      ],
      {
        endpoints: [unitOf(keys.ofPing, { 'cpu-per-request': costlier, throughput: throughput() })],
        services: [unitOf(keys.ofApi, { 'memory-peak': memory() }, { endpoint: '*' })],
      },
    );
    expect(
      caseFindings(comparison).flatMap(({ findings }) =>
        findings.map(({ key, metric, level }) => [key, metric, level]),
      ),
    ).toEqual([
      [keys.ofApi, 'memory-peak', 'everything'],
      [keys.ofPing, 'cpu-per-request', 'endpoint'],
      [keys.usersK6, 'latency-p50', 'endpoint'],
      [keys.ping, 'throughput', 'case'],
    ]);
  });

  it('shows a case that breaks a level under whatever its endpoint does', () => {
    const broken = cpu({ ...costlier, brokenLimit: { kind: 'max', value: 400 } });
    const comparison = comparisonOf([caseOf(keys.ping, { 'cpu-per-request': broken })], {
      endpoints: [unitOf(keys.ofPing, { 'cpu-per-request': costlier })],
    });
    expect(caseFindings(comparison).map(({ key }) => key)).toEqual([keys.ofPing, keys.ping]);
  });

  it('has endpoints before a service of which only some changed, and after one of which all did', () => {
    const ofApi = unitOf(keys.ofApi, { 'cpu-per-request': costlier }, { endpoint: '*' });
    const order = (users: MetricComparison) =>
      caseFindings(
        comparisonOf([], {
          endpoints: [
            unitOf(keys.ofPing, { 'cpu-per-request': costlier }),
            unitOf(keys.ofUsers, { 'cpu-per-request': users }),
          ],
          services: [ofApi],
        }),
      ).map(({ key }) => key);
    expect(order(cpu())).toEqual([keys.ofPing, keys.ofApi]);
    expect(order(costlier)).toEqual([keys.ofApi, keys.ofPing, keys.ofUsers]);
  });

  it('tells the fewest and the most rounds that a judgement rests on', () => {
    expect(roundsOf(comparisonOf([caseOf(keys.ping, { 'cpu-per-request': open, throughput: throughput() })]))).toEqual([
      8, 14,
    ]);
    expect(roundsOf(comparisonOf([caseOf(keys.ping, { 'queries-per-request': queries(1, 2) })]))).toBeNull();
  });
});

describe('the most that is not excluded where nothing changed', () => {
  // Throughput is worse where it is lower: it is the lower end, with its sign turned.
  const slowerBy = (most: number, over: Partial<MetricComparison> = {}) =>
    throughput({ adjusted: [-most, 0.04], ...over });
  const costlierBy = (most: number, over: Partial<MetricComparison> = {}) => cpu({ adjusted: [-0.04, most], ...over });
  const all = { endpoint: '*' };

  it('is, of each metric in the order of reports, the largest worse end over endpoints', () => {
    const comparison = comparisonOf(
      [
        caseOf(keys.usersK6, { 'cpu-per-request': costlierBy(0.012), throughput: slowerBy(0.01) }),
        caseOf('b/e/direct/wrk/keep-alive-off/1', {
          'cpu-per-request': costlierBy(0.021),
          throughput: slowerBy(0.005),
        }),
      ],
      { endpoints: [unitOf(keys.ofPing, { 'cpu-per-request': costlierBy(0.008), throughput: slowerBy(0.017) })] },
    );
    expect(mostChanges(comparison)).toEqual([
      { metric: 'throughput', change: 0.017 },
      { metric: 'cpu-per-request', change: 0.021 },
    ]);
  });

  it('is that of the interval which is corrected for all that is judged, not of the one by itself', () => {
    const comparison = comparisonOf([
      caseOf(keys.ping, { 'cpu-per-request': cpu({ interval: [-0.006, 0.011], adjusted: [-0.009, 0.014] }) }),
    ]);
    expect(mostChanges(comparison)).toEqual([{ metric: 'cpu-per-request', change: 0.014 }]);
  });

  it.each<[string, MetricComparison]>([
    ['has regressed', costlierBy(0.9, { verdict: 'regression' })],
    ['is undecided', costlierBy(0.9, { verdict: 'inconclusive' })],
    ['is better', costlierBy(0.9, { verdict: 'improvement' })],
    ['was not measured', costlierBy(0.9, { verdict: 'not-measured' })],
    ['is not judged', costlierBy(0.9, { verdict: null })],
  ])('leaves out what %s', (_, other) => {
    const found = (...metrics: MetricComparison[]) =>
      mostChanges(
        comparisonOf(
          metrics.map((metric, index) =>
            caseOf(`api/e${index}/direct/wrk/keep-alive-off/1`, { 'cpu-per-request': metric }),
          ),
        ),
      );
    expect(found(costlierBy(0.01), other)).toEqual([{ metric: 'cpu-per-request', change: 0.01 }]);
    expect(found(other)).toEqual([]);
  });

  it('leaves out what is exact, which has no interval', () => {
    const comparison = comparisonOf([
      caseOf(keys.users, { 'queries-per-request': queries(1, 1), 'cpu-per-request': costlierBy(0.01) }),
    ]);
    expect(mostChanges(comparison)).toEqual([{ metric: 'cpu-per-request', change: 0.01 }]);
  });

  it('leaves out a case that is judged with others of its endpoint', () => {
    const comparison = comparisonOf([caseOf(keys.ping, { throughput: slowerBy(0.04) })], {
      endpoints: [unitOf(keys.ofPing, { throughput: slowerBy(0.01) })],
    });
    expect(mostChanges(comparison)).toEqual([{ metric: 'throughput', change: 0.01 }]);
  });

  it('is that of services in metrics that are judged of nothing else', () => {
    const comparison = comparisonOf(
      [keys.ping, keys.users].map((key) =>
        caseOf(key, { throughput: slowerBy(0.01), 'memory-peak': costlierBy(0.5, { verdict: null }) }),
      ),
      {
        services: [
          unitOf(keys.ofApi, { throughput: slowerBy(0.03), 'memory-peak': costlierBy(0.02) }, all),
          unitOf('b/*', { 'memory-peak': costlierBy(0.05) }, all),
        ],
      },
    );
    expect(mostChanges(comparison)).toEqual([
      { metric: 'throughput', change: 0.01 },
      { metric: 'memory-peak', change: 0.05 },
    ]);
  });

  it('is 0, and never below, where all are better for sure by less than counts', () => {
    const comparison = comparisonOf([
      caseOf(keys.ping, {
        throughput: throughput({ adjusted: [0.002, 0.01] }),
        'cpu-per-request': cpu({ adjusted: [-0.01, -0.002] }),
      }),
    ]);
    expect(mostChanges(comparison)).toEqual([
      { metric: 'throughput', change: 0 },
      { metric: 'cpu-per-request', change: 0 },
    ]);
  });
});
