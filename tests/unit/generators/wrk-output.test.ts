import { describe, expect, it } from 'vitest';
import { UnreadableOutput } from '../../../src/core/generators/definition.ts';
import { parseWrkText } from '../../../src/core/generators/wrk/output.ts';
import { expectedOutcomes, recorded, recordedIn } from './fixtures.ts';

const expected = expectedOutcomes('wrk');

describe('wrk text of published benchmarks', () => {
  it('is all there', () => {
    const published = [...recordedIn('wrk/abstract-rest-service'), ...recordedIn('wrk/ichor-http')];
    expect(published.map((name) => name.slice('wrk/'.length))).toEqual(Object.keys(expected).sort());
    expect(published).toHaveLength(27);
  });

  it.each(Object.keys(expected))('parses %s to the numbers printed there', (name) => {
    expect(parseWrkText(recorded(`wrk/${name}.txt`))).toEqual(expected[name]);
  });

  it('gives the ranking of the Abstract REST Service benchmark as its author published it', () => {
    const ranking = recordedIn('wrk/abstract-rest-service')
      .map((name) => [name.split('/')[2], parseWrkText(recorded(`${name}.txt`)).throughput] as const)
      .sort((one, other) => other[1]! - one[1]!);
    expect(ranking).toEqual([
      ['java-light-4j', 401511.94],
      ['dot-net-core', 249758.46],
      ['haskell-warp', 191020.62],
      ['rust-iron', 186726.17],
      ['go-gorilla-mux', 131499.79],
      ['asp-net-core-mvc', 99091.85],
      ['nodejs', 94132.92],
      ['python-sanic', 74854.41],
      ['nodejs-express', 58769.29],
      ['java-spring-boot', 56253.12],
      ['dot-net-core-freya', 49736.08],
      ['python-aiohttp', 4603.01],
      ['python-flask', 200.44],
    ]);
  });

  it('reads figures as wrk rounded them, without floating-point dust', () => {
    const flask = parseWrkText(recorded('wrk/abstract-rest-service/python-flask.txt'));
    expect(flask).toEqual({
      tool: 'wrk',
      threads: 8,
      connections: 512,
      requests: 24068,
      durationSeconds: 120,
      throughput: 200.44,
      bytes: 4016046,
      bytesPerSecond: 33475,
      latencyMs: { mean: 182.08, stdev: 699.71, max: 6620, p50: 67.76, p75: 69.76, p90: 71.13, p99: 5830 },
      threadThroughput: { mean: 215.45, stdev: 181.6, max: 940 },
      errors: { connect: 0, read: 80, write: 0, timeout: 924 },
    });
    expect(parseWrkText(recorded('wrk/abstract-rest-service/java-light-4j.txt')).latencyMs?.p50).toBe(0.649);
    expect(parseWrkText(recorded('wrk/abstract-rest-service/dot-net-core.txt')).bytes).toBe(3210488054);
  });

  it('reads 20,000 connections, late answers and a blank after the last unit', () => {
    const express = parseWrkText(recorded('wrk/ichor-http/express-20000.txt'));
    expect(express.connections).toBe(20000);
    expect(express.errors).toEqual({ connect: 0, read: 0, write: 0, timeout: 3652 });
    expect(express.latencyMs).toEqual({
      mean: 462.34,
      stdev: 168.32,
      max: 1380,
      p50: 491.98,
      p75: 524.07,
      p90: 668.5,
      p99: 1070,
    });
  });
});

describe('wrk text with traps', () => {
  it('takes columns apart that touch, and a millisecond that lost its s', () => {
    expect(parseWrkText(recorded('wrk/traps/touching-columns.txt'))).toEqual({
      tool: 'wrk',
      threads: 2,
      connections: 10,
      requests: 870,
      durationSeconds: 90,
      throughput: 9.67,
      bytes: 870,
      bytesPerSecond: 10,
      latencyMs: { mean: 1000, stdev: 1000, max: 1000, p50: 1000, p75: 51_000, p90: 60_000, p99: 60_000 },
      threadThroughput: { mean: 870, stdev: 1, max: 1000 },
    });
  });

  it('has no latency where none was recorded, and keeps the counts', () => {
    expect(parseWrkText(recorded('wrk/traps/nothing-recorded.txt'))).toEqual({
      tool: 'wrk',
      threads: 1,
      connections: 2,
      requests: 2,
      durationSeconds: 1,
      throughput: 2,
      bytes: 172,
      bytesPerSecond: 172,
      errors: { connect: 0, read: 0, write: 0, timeout: 2, status: 2 },
    });
  });

  it('reads “nan%” as it reads “-nan%”', () => {
    const text = recorded('wrk/traps/nothing-recorded.txt');
    expect(parseWrkText(text.replaceAll('-nan%', ' nan%'))).toEqual(parseWrkText(text));
  });

  it('believes neither the duration after a clock step nor what was divided by it', () => {
    expect(parseWrkText(recorded('wrk/traps/clock-step.txt'))).toEqual({
      tool: 'wrk',
      threads: 1,
      connections: 2,
      requests: 40383,
      bytes: 4477420,
      latencyMs: { mean: 0.02917, stdev: 0.00449, max: 1.36, p50: 0.029, p75: 0.03, p90: 0.032, p99: 0.039 },
      threadThroughput: { mean: 67510, stdev: 3690, max: 80860 },
    });
  });

  it('has no percentiles where --latency was not given', () => {
    const { latencyMs, errors } = parseWrkText(recorded('wrk/traps/without-latency.txt'));
    expect(latencyMs).toEqual({ mean: 4.59, stdev: 0.25625, max: 9.76 });
    expect(errors).toBeUndefined();
  });

  it('reads lines that end as Windows ends them', () => {
    const name = 'wrk/ichor-http/beast-20000.txt';
    expect(parseWrkText(recorded(name).replaceAll('\n', '\r\n'))).toEqual(parseWrkText(recorded(name)));
  });
});

describe('text of wrk2', () => {
  const CORRECTED = { p50: 1.51, p75: 2.1, p90: 2.63, p99: 3.45, 'p99.9': 4.02, 'p99.99': 5.91, 'p99.999': 6.58 };

  it('has the latency that is corrected, where -U prints the uncorrected one as well', () => {
    expect(parseWrkText(recorded('wrk/wrk2/uncorrected.txt'))).toEqual({
      tool: 'wrk',
      threads: 2,
      connections: 100,
      requests: 59_802,
      durationSeconds: 30,
      throughput: 1993.32,
      bytes: 7_780_434,
      bytesPerSecond: 259_133,
      latencyMs: { mean: 1.53, stdev: 0.74211, max: 6.58, ...CORRECTED },
      threadThroughput: { mean: 1050, stdev: 171.64, max: 2000 },
    });
  });

  it('has its maximum from the distribution, where the table has the 99th percentile in its place', () => {
    const { latencyMs, threadThroughput } = parseWrkText(recorded('wrk/wrk2/ninety-ninth-column.txt'));
    expect(latencyMs).toEqual({ mean: 1.53, stdev: 0.74211, max: 6.58, ...CORRECTED });
    expect(threadThroughput).toEqual({ mean: 1050, stdev: 171.64 });
  });

  it('has no maximum, where such a table stands alone', () => {
    const { latencyMs } = parseWrkText(recorded('wrk/wrk2/ninety-ninth-alone.txt'));
    expect(latencyMs).toEqual({ mean: 1.53, stdev: 0.74211, p99: 3.45 });
  });

  it('has no percentiles, where only an uncorrected distribution is left of it', () => {
    const text = recorded('wrk/wrk2/uncorrected.txt');
    const distributions = text.split(/(?=^ {2}Latency Distribution)/m);
    const left = distributions.filter((part) => !part.includes('Recorded Latency')).join('');
    expect(left).not.toContain('Recorded Latency');
    expect(parseWrkText(left).latencyMs).toEqual({ mean: 1.53, stdev: 0.74211, max: 6.58 });
  });
});

describe('what is not one whole output of wrk', () => {
  it.each([
    [
      'nothing',
      '',
      'This is not a whole output of wrk: no line “… requests in …, … read” is in it, and the text is empty. Give the text that wrk prints to standard output at its end.',
    ],
    [
      'another tool',
      'This is ApacheBench',
      'This is not a whole output of wrk: no line “… requests in …, … read” is in it, and the text begins with “This is ApacheBench”. Give the text that wrk prints to standard output at its end.',
    ],
    [
      'two outputs',
      recorded('wrk/ichor-http/drogon-2.txt').repeat(2),
      'This holds 2 whole outputs of wrk, and their figures are not mixed. Give the one that is meant, and no other.',
    ],
  ])('is refused with a sentence: %s', (_, text, message) => {
    expect(() => parseWrkText(text)).toThrow(new UnreadableOutput(message));
  });
});
