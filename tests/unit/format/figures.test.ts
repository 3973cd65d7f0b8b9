import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as figures from '../../../src/core/format/figures.ts';

describe('figures', () => {
  it('groups thousands', () => {
    expect([0, 7, 999, 1000, 584_991, 1_234_567.8, -12_345].map(figures.grouped)).toEqual([
      '0',
      '7',
      '999',
      '1,000',
      '584,991',
      '1,234,568',
      '-12,345',
    ]);
  });

  it('gives requests per second more digits the fewer they are', () => {
    expect([584_991, 200.44, 99.96, 42.13, 9.996, 0.523, 0].map(figures.throughput)).toEqual([
      '584,991',
      '200',
      '100',
      '42.1',
      '10.0',
      '0.52',
      '0',
    ]);
  });

  it('has no 0% for failures that there were, and deviations as ab prints them', () => {
    expect([0, 0.0000311, 0.00005, 0.0012, 0.031].map(figures.failureShare)).toEqual([
      '0%',
      '<0.01%',
      '0.01%',
      '0.12%',
      '3.1%',
    ]);
    expect([128, 16.7, 1093.25, Number.NaN].map(figures.tenths)).toEqual(['128.0 ms', '16.7 ms', '1,093.3 ms', '–']);
  });

  it('shortens as the bars of the published tables do', () => {
    expect([584_991, 270_706, 114_873, 67_004, 54_308, 2_404].map(figures.compact)).toEqual([
      '585K',
      '271K',
      '115K',
      '67K',
      '54K',
      '2K',
    ]);
    expect([999.4, 999.6, 999_499, 999_600, 1_234_567, 999_600_000, 42, 4.25, 3].map(figures.compact)).toEqual([
      '999',
      '1K',
      '999K',
      '1.0M',
      '1.2M',
      '1.0G',
      '42',
      '4.3',
      '3',
    ]);
  });

  it('writes bars in full where shortening would make them look alike', () => {
    expect(figures.barFigure(6219.31, 6219.31)).toBe('6,219');
    expect(figures.barFigure(2404, 584_991)).toBe('2K');
  });

  it('chooses units of time as wrk does, at 0.85 of the next', () => {
    const milliseconds = [0.119, 0.368, 0.82, 0.85, 0.91, 1.5, 41.51, 252.37, 846.23, 850, 1700, 0.0031, 0];
    expect(milliseconds.map(figures.latency)).toEqual([
      '119 µs',
      '368 µs',
      '820 µs',
      '0.85 ms',
      '0.91 ms',
      '1.50 ms',
      '41.51 ms',
      '252.37 ms',
      '846.23 ms',
      '0.85 s',
      '1.70 s',
      '3.10 µs',
      '0 µs',
    ]);
  });

  it('gives CPU time three digits', () => {
    expect([0, 3.421, 41.18, 412.4, 1240, 31_200, 1_700_000].map(figures.cpuTime)).toEqual([
      '0 µs',
      '3.42 µs',
      '41.2 µs',
      '412 µs',
      '1.24 ms',
      '31.2 ms',
      '1.70 s',
    ]);
  });

  it('counts bytes in steps of 1024 and never in four digits', () => {
    expect([0, 133, 133.5, 1023, 524_288, 14_425_088, 1_073_741_823, 34_359_738_368].map(figures.size)).toEqual([
      '0 B',
      '133 B',
      '133.5 B',
      '1.00 KiB',
      '512 KiB',
      '13.8 MiB',
      '1.00 GiB',
      '32.0 GiB',
    ]);
  });

  it('writes factors, shares and changes', () => {
    expect([0.461, 0.999, 1, 1.04, 1.1, 2.36, 10.41, 112.6].map(figures.factor)).toEqual([
      '0.46x',
      '1.00x',
      '1.00x',
      '1.04x',
      '1.1x',
      '2.4x',
      '10.4x',
      '113x',
    ]);
    expect([0, 0.0042, 0.031, 0.463, 1.127].map(figures.share)).toEqual(['0%', '0.42%', '3.1%', '46%', '113%']);
    expect([1.331, -0.062, 0].map(figures.change)).toEqual(['+133%', '-6.2%', '0%']);
    expect([0.987, 1.167].map(figures.coreShare)).toEqual(['98.7%', '116.7%']);
    expect([1, 1000, 1.5, 12.345, 123.45, 0.00213].map(figures.perRequest)).toEqual([
      ...['1', '1,000', '1.50', '12.3', '123', '0.0021'],
    ]);
  });

  it('writes spans of time for people', () => {
    expect([0.5, 8.44, 41.3, 59.6, 192, 3840].map(figures.span)).toEqual([
      '0.5 s',
      '8.4 s',
      '41 s',
      '1 min 00 s',
      '3 min 12 s',
      '1 h 04 min',
    ]);
  });

  it('counts nouns', () => {
    expect([figures.counted(1, 'case'), figures.counted(2, 'case'), figures.counted(0, 'query', 'queries')]).toEqual([
      '1 case',
      '2 cases',
      '0 queries',
    ]);
  });

  const formats = [
    figures.grouped,
    figures.throughput,
    figures.compact,
    figures.latency,
    figures.cpuTime,
    figures.size,
    figures.factor,
    figures.share,
    figures.change,
    figures.coreShare,
    figures.perRequest,
    figures.span,
  ];

  it('never shows what is no number as one', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(formats.map((format) => format(value))).toEqual(formats.map(() => '–'));
    }
  });

  it('stays short whatever the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(...formats), (value, format) => {
        const text = format(value);
        expect(text.length).toBeLessThan(40);
        expect(text).not.toMatch(/NaN|Infinity|undefined|-0(\.0*)?(?![\d.])/);
      }),
      { seed: 20260301, numRuns: 5000 },
    );
  });
});

it('writes money to three digits at least', () => {
  const shown = [0, 1234.5, 12.345, 0.04, 0.0139, 0.0000444, 1e-20, -2].map((amount) => figures.money(amount, 'USD'));
  expect(shown).toEqual([
    ...['0 USD', '1,234.50 USD', '12.35 USD', '0.0400 USD', '0.0139 USD'],
    ...['0.0000444 USD', '0.000000000000 USD', '-2.00 USD'],
  ]);
  expect(figures.money(Number.POSITIVE_INFINITY, 'USD')).toBe('–');
});
