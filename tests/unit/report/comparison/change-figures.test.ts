import { describe, expect, it } from 'vitest';
import { intervalText, percent, signedPercent } from '../../../../src/core/format/percent.ts';
import { changeFigure, limitFigure, metricFigure } from '../../../../src/core/report/comparison/change-figures.ts';
import { cpu, queries, throughput } from './made-up.ts';

describe('the figures of a comparison', () => {
  it('have a sign and one digit, two below 1 %, none from 100 %', () => {
    expect([0.061, -0.0042, 0.00996, 0.0099, 1.2, 12.345, 0, -0.00001, Number.NaN].map(signedPercent)).toEqual([
      '+6.1 %',
      '-0.42 %',
      '+1.0 %',
      '+0.99 %',
      '+120 %',
      '+1,235 %',
      '0.00 %',
      '0.00 %',
      '–',
    ]);
    expect([0.014, 0.11, 0.0042, Number.POSITIVE_INFINITY].map(percent)).toEqual(['1.4 %', '11.0 %', '0.42 %', '–']);
  });

  it('have intervals with as many digits at both ends', () => {
    expect(intervalText([0.049, 0.073])).toBe('(+4.9 … +7.3)');
    expect(intervalText([-0.0004, 0.011])).toBe('(0.0 … +1.1)');
    expect(intervalText([-0.0004, 0.0031])).toBe('(-0.04 … +0.31)');
    expect(intervalText([-0.5, 14])).toBe('(-50 … +1,400)');
  });

  it('have the unit of their metric; exact ones keep every digit of whole counts, and three of others', () => {
    expect(metricFigure('cpu-per-request', cpu(), 412)).toBe('412 µs');
    expect(metricFigure('throughput', throughput(), 48_120)).toBe('48,120/s');
    expect(metricFigure('latency-p50', cpu({ unit: 'ms' }), 1.5)).toBe('1.50 ms');
    expect(metricFigure('memory-peak', cpu({ unit: 'bytes' }), 61_865_984)).toBe('59.0 MiB');
    expect(metricFigure('bytes-per-response', queries(1, 1, { unit: 'bytes' }), 2718)).toBe('2,718 B');
    expect(metricFigure('rows-per-request', queries(1, 1), 25.004)).toBe('25');
    expect(metricFigure('queries-per-request', queries(1, 1), 0.0784314)).toBe('0.0784');
    expect(metricFigure('bytes-per-response', queries(1, 1, { unit: 'bytes' }), 2718.53)).toBe('2,719 B');
    expect(metricFigure('rows-per-request', cpu({ unit: '1/request' }), 25.004)).toBe('25.0');
    expect(metricFigure('errors', cpu({ unit: '1/request' }), 0.001)).toBe('0.10%');
    expect(metricFigure('throughput', throughput(), null)).toBe('–');
  });

  it('give the difference where there is no change to give, or where it is exact', () => {
    expect(changeFigure('cpu-per-request', cpu())).toBe('+0.24 %');
    expect(changeFigure('queries-per-request', queries(1, 2))).toBe('+1');
    expect(changeFigure('queries-per-request', queries(2, 1))).toBe('-1');
    expect(changeFigure('queries-per-request', queries(0, 2))).toBe('+2');
    expect(changeFigure('queries-per-request', queries(1, 1.0784314))).toBe('+0.0784');
    expect(changeFigure('cpu-per-request', cpu({ change: null, difference: null }))).toBe('–');
  });

  it('have limits in the direction that is worse', () => {
    expect(limitFigure('cpu-per-request', cpu())).toBe('+3 %');
    expect(limitFigure('throughput', throughput({ threshold: { kind: 'ratio', value: 0.025 } }))).toBe('-2.5 %');
    expect(limitFigure('queries-per-request', queries(1, 1))).toBe('0');
    expect(limitFigure('latency-p50', cpu({ unit: 'ms', threshold: { kind: 'absolute', value: 2 } }))).toBe('+2.00 ms');
    expect(limitFigure('latency-p99', cpu({ unit: 'ms', brokenLimit: { kind: 'max', value: 50 } }))).toBe(
      '+3 %, at most 50.00 ms',
    );
    const least = throughput({ threshold: null, brokenLimit: { kind: 'min', value: 1000 } });
    expect(limitFigure('throughput', least)).toBe('at least 1,000/s');
    expect(limitFigure('throughput', throughput({ threshold: null }))).toBe('');
  });
});
