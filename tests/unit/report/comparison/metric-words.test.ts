import { describe, expect, it } from 'vitest';
import { metrics } from '../../../../src/core/metrics/registry.ts';
import {
  changePhrase,
  inReportOrder,
  metricTitle,
  shortName,
} from '../../../../src/core/report/comparison/metric-words.ts';
import { cpu, queries, throughput } from './made-up.ts';

const more = { change: 0.061 };
const less = { change: -0.061 };

describe('what a case does with a metric that changed', () => {
  it.each<[string, ReturnType<typeof cpu>, string]>([
    ['cpu-per-request', cpu(more), 'costs 6.1 % more CPU per request'],
    ['cpu-per-request', cpu(less), 'costs 6.1 % less CPU per request'],
    ['database-cpu-per-request', cpu(more), 'costs 6.1 % more CPU per request in the database'],
    ['throughput', throughput(less), 'answers 6.1 % fewer requests per second'],
    ['throughput', throughput(more), 'answers 6.1 % more requests per second'],
    ['latency-p50', cpu(more), 'takes 6.1 % longer at p50'],
    ['latency-mean', cpu(less), 'takes 6.1 % less time on average'],
    ['memory-peak', cpu(more), 'needs 6.1 % more memory at its peak'],
    ['memory-settled', cpu(less), 'keeps 6.1 % less memory after the load'],
    ['queries-per-request', queries(1, 2), 'sends 2 queries per request instead of 1'],
    ['bytes-per-response', queries(2718, 2720, { unit: 'bytes' }), 'answers with 2,720 B instead of 2,718 B'],
    [
      'cpu-per-request',
      cpu({ baseline: 0, change: null, difference: 413 }),
      'has CPU 413 µs instead of 0 µs (+413 µs)',
    ],
    ['of-a-later-version', cpu(more), 'has of-a-later-version 437 µs instead of 412 µs (+6.1 %)'],
    ['constructor', cpu(more), 'has constructor 437 µs instead of 412 µs (+6.1 %)'],
  ])('%s', (metric, compared, phrase) => {
    expect(changePhrase(metric, compared)).toBe(phrase);
  });

  it('names an absolute limit that is broken, unless the change is a regression of its own', () => {
    const broken = cpu({ unit: 'ms', candidate: 62, brokenLimit: { kind: 'max', value: 50 } });
    expect(changePhrase('latency-p99', broken)).toBe('has p99 at 62.00 ms, over its limit of 50.00 ms');
    const slow = throughput({ candidate: 900, brokenLimit: { kind: 'min', value: 1000 } });
    expect(changePhrase('throughput', slow)).toBe('has throughput at 900/s, under its limit of 1,000/s');
    expect(changePhrase('latency-p99', { ...broken, change: 0.2, verdict: 'regression' })).toBe(
      'takes 20.0 % longer at p99',
    );
  });
});

describe('the words for metrics', () => {
  it('are there for each', () => {
    for (const { name, title } of metrics) {
      expect(metricTitle(name, {})).toBe(title);
      expect(shortName(name)).not.toBe(name.includes('-') ? name : '');
    }
    expect([metricTitle('later', {}), shortName('later')]).toEqual(['later', 'later']);
  });

  it('stand in the order of the reports', () => {
    expect(inReportOrder(['queries-per-request', 'later', 'throughput', 'cpu-per-request', 'throughput'])).toEqual([
      'throughput',
      'cpu-per-request',
      'queries-per-request',
      'later',
    ]);
  });
});
