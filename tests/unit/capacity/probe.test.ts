import { describe, expect, it } from 'vitest';
import { probeOf } from '../../../src/core/capacity/probe.ts';
import type { CapacitySearch } from '../../../src/core/config/resolved.ts';
import type { TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import { LOADS } from '../generators/cases.ts';
import { healthyTrial, testCase } from '../support/trials.ts';

const search: CapacitySearch = {
  ...{ find: 'rate', endpoint: null, generator: 'h2load', from: 100, to: 10_000, connections: 100 },
  ...{ durationSeconds: 10, limits: { p99Ms: 100, errorShare: 0.01 }, precision: 0.05 },
};
const healthy = healthyTrial();
const sent = (requests: number, changes: object = {}): Partial<TrialMeasurement> => ({
  rate: 5000,
  outcome: { ...healthy.outcome!, tool: 'h2load', requests, ...changes },
});
const arrival = { kind: 'rate', requestsPerSecond: 5000 } as const;
const load = { generator: 'h2load', arrival, threads: 1, streams: 1, durationSeconds: 10 } as const;
const judged = (
  changes: Partial<TrialMeasurement>,
  limits = search.limits,
  of = testCase({ generator: 'h2load', load }),
) => {
  const evidence = { trial: healthyTrial(changes), case: of, pass: null };
  const { held, why, message } = probeOf(evidence, 5000, { ...search, limits });
  return held ? 'held' : [why, message];
};
/** Generator full, server half idle. */
const generatorFull = { cpu: { ...healthy.cpu, generatorNs: 9_900_000_000, serviceNs: 4_000_000_000, databaseNs: 0 } };

describe('a level', () => {
  it('holds where rate, errors and p99 are kept', () => {
    expect(judged(sent(50_000))).toBe('held');
    expect(judged(sent(50_000, { failedRequests: 400, errors: { failed: 400 } }))).toBe('held');
  });

  it('holds though requests were under way when the trial ended, one for each connection, and a burst of h2load was not due', () => {
    expect(judged(sent(49_351))).toBe('held');
    expect(judged(sent(49_349))).toEqual([
      'rate-not-held',
      '4,935 requests/s were answered where 5,000 were asked for',
    ]);
  });

  it('is held to the more by a generator that sends evenly', () => {
    const by = testCase({ generator: 'k6', load: LOADS.k6 });
    expect(judged(sent(49_401, { tool: 'k6' }), search.limits, by)).toBe('held');
    expect(judged(sent(49_399, { tool: 'k6' }), search.limits, by)).toEqual([
      'rate-not-held',
      '4,940 requests/s were answered where 5,000 were asked for',
    ]);
  });

  it('holds although the generator was full', () => {
    expect(judged({ ...sent(50_000), ...generatorFull })).toBe('held');
  });

  it.each<[string, Partial<TrialMeasurement>, unknown]>([
    [
      'requests were left out',
      sent(50_000, { droppedIterations: 501 }),
      ['rate-not-held', '5,000 requests/s were answered where 5,000 were asked for, and h2load left out 501'],
    ],
    ['answers came late', sent(50_000, { latencyMs: { p50: 1, p99: 100.1 } }), ['p99', 'p99 was 100.10 ms']],
    [
      'requests failed',
      sent(50_000, { failedRequests: 600, errors: { failed: 600 } }),
      ['errors', '1.2% of the requests failed'],
    ],
    ['none was answered', sent(0), ['errors', 'no request was answered']],
    [
      'the service fell over',
      { ...sent(50_000), testbedFailure: { code: 'exited', message: 'go exited with status 1' } },
      ['fell-over', 'go exited with status 1'],
    ],
    ['there was no trial', { outcome: null, generatorFailure: 'killed', rate: 5000 }, ['invalid', 'killed']],
    [
      'the generator was full',
      { ...sent(30_000), ...generatorFull },
      [
        'generator-bound',
        'h2load used 99% of its CPUs, the server 40% of its own; 3,000 requests/s were answered where 5,000 were asked for',
      ],
    ],
    [
      'others took the CPUs of the generator',
      {
        ...sent(30_000),
        cpu: { ...generatorFull.cpu, generatorNs: 6_000_000_000, generatorBusyNs: 9_900_000_000 },
      },
      [
        'generator-bound',
        'h2load used 60% of its CPUs and other processes the rest, the server 40% of its own; 3,000 requests/s were answered where 5,000 were asked for',
      ],
    ],
  ])('does not hold where %s', (_, changes, expected) => {
    expect(judged(changes)).toEqual(expected);
  });

  it('says whether others took the CPUs meanwhile', () => {
    const disturbed = (cpu: object) =>
      probeOf(
        {
          trial: healthyTrial({ ...sent(50_000), cpu: { ...healthy.cpu, ...cpu } }),
          case: testCase({ generator: 'h2load', load }),
          pass: null,
        },
        5000,
        search,
      ).isDisturbed;
    expect(disturbed({})).toBe(false);
    expect(disturbed({ serviceNs: 2_000_000_000 })).toBe(true);
  });

  it('keeps any p99 where none is limited', () => {
    expect(judged(sent(50_000, { latencyMs: { p50: 1, p99: 9999 } }), { p99Ms: null, errorShare: 0 })).toBe('held');
  });
});
