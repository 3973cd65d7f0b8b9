import { describe, expect, it } from 'vitest';
import { parseOutput } from '../../../src/app/parse.ts';
import { UnreadableOutput } from '../../../src/core/generators/definition.ts';
import { recorded } from './fixtures.ts';

const parse = (name: string) => parseOutput('k6', recorded(`k6/${name}`));

describe('text of k6', () => {
  it('is read as k6 1.x prints it', () => {
    expect(parse('compact.txt')).toEqual({
      tool: 'k6',
      requests: 240,
      failedRequests: 24,
      durationSeconds: 3,
      throughput: 79.938415,
      bytes: 32_000,
      bytesPerSecond: 11_000,
      connections: 4,
      latencyMs: {
        mean: 36.31,
        min: 0.17309,
        p50: 0.3405,
        max: 1000,
        p90: 0.71964,
        p95: 400.25,
        p99: 1000,
        'p99.9': 1000,
      },
      errors: { failed: 24, checks: 24 },
      droppedIterations: 361,
    });
  });

  it('takes the totals and not the scenarios of the full form', () => {
    const { requests, latencyMs, phasesMs, durationSeconds } = parse('full.txt');
    expect({ requests, latencyMs, durationSeconds }).toEqual({
      requests: 220,
      latencyMs: { mean: 34.94, min: 0.13412, p50: 0.28517, max: 1000, p90: 0.92721, p95: 400.11 },
      durationSeconds: undefined,
    });
    expect(phasesMs?.waiting).toEqual({
      mean: 34.85,
      min: 0.10846,
      p50: 0.21649,
      max: 1000,
      p90: 0.53129,
      p95: 399.98,
    });
  });

  it('is read in the form of k6 before 1.0', () => {
    const { requests, failedRequests, durationSeconds, errors, latencyMs } = parse('legacy.txt');
    expect({ requests, failedRequests, durationSeconds, errors }).toEqual({
      requests: 226,
      failedRequests: 22,
      durationSeconds: 2.9,
      errors: { failed: 22, checks: 22 },
    });
    expect(latencyMs?.p90).toBe(1.09);
    const ticks = recorded('k6/legacy.txt')
      .replace('90.26% 204 out of 226', '90.26% ✓ 204      ✗ 22')
      .replace('9.73%  22 out of 226', '9.73%  ✓ 22       ✗ 204');
    expect(parseOutput('k6', ticks)).toEqual(parse('legacy.txt'));
  });

  it('is read with the colours of a terminal', () => {
    const { requests, throughput, errors } = parse('terminal.txt');
    expect({ requests, throughput, errors }).toEqual({
      requests: 232,
      throughput: 90.710678,
      errors: { failed: 23, checks: 23 },
    });
  });

  it('has no requests where a script made none', () => {
    expect(parse('no-requests.txt')).toEqual({ tool: 'k6', bytes: 0, bytesPerSecond: 0 });
  });

  it('reads long durations and large amounts', () => {
    const text = [
      '    http_reqs......: 5 0.05/s',
      '    http_req_duration...: avg=1m2.5s min=250ns max=1h0m1s p(99)=0.5us',
      '    data_received..: 2.1 GB 35 MB/s',
      'running (1m40.0s), 0/4 VUs, 5 complete and 0 interrupted iterations',
      'steady ✓ [ 100% ] 0/4 VUs  1m40s  300.00 iters/s',
      '',
    ].join('\n');
    expect(parseOutput('k6', text)).toEqual({
      tool: 'k6',
      requests: 5,
      durationSeconds: 100,
      throughput: 0.05,
      bytes: 2_100_000_000,
      bytesPerSecond: 35_000_000,
      latencyMs: { mean: 62_500, min: 0.00025, max: 3_601_000, p99: 0.0005 },
    });
  });
});

describe('text of k6 that was made to take for ever', () => {
  const compact = recorded('k6/compact.txt');
  const long = 200_000;

  it.each([
    ['blanks', `x: 1${' '.repeat(long)}2${' '.repeat(long)}\r`],
    ['letters', `x: ${'a'.repeat(long)}`],
    ['blanks and no value', `x: ${' '.repeat(long)}`],
  ])('is read all the same, with a line of %s before it', (_, line) => {
    expect(parseOutput('k6', `${line}\n${compact}`)).toEqual(parse('compact.txt'));
  });
});

describe('JSON of k6', () => {
  it('is read as handleSummary gets it', () => {
    const outcome = parse('handle-summary.json');
    expect({ ...outcome, phasesMs: Object.keys(outcome.phasesMs ?? {}) }).toEqual({
      tool: 'k6',
      requests: 207,
      failedRequests: 21,
      durationSeconds: 2.691637635,
      throughput: 76.90485424498829,
      bytes: 27268,
      bytesPerSecond: 10130.635582378458,
      connections: 4,
      latencyMs: {
        mean: 41.89856901932368,
        min: 0.158757,
        p50: 0.281449,
        max: 1001.098448,
        p90: 0.6317224000000001,
        p95: 400.5185232,
        p99: 1000.5799135000001,
        'p99.9': 1001.097839888,
      },
      phasesMs: ['connect', 'sending', 'waiting', 'receiving'],
      errors: { failed: 21, checks: 21 },
      droppedIterations: outcome.droppedIterations,
    });
    expect(outcome.droppedIterations).toBeGreaterThan(300);
  });

  it('agrees with the text of the same run, as --summary-export writes it', () => {
    const exact = parse('summary-export.json');
    const printed = parse('compact.txt');
    expect(exact.requests).toBe(printed.requests);
    expect(exact.failedRequests).toBe(printed.failedRequests);
    expect(exact.errors).toEqual(printed.errors);
    expect(exact.droppedIterations).toBe(printed.droppedIterations);
    expect(exact.throughput).toBeCloseTo(printed.throughput!, 5);
    expect(exact.latencyMs!.p90).toBeCloseTo(printed.latencyMs!.p90!, 4);
    // k6 prints two figures of an amount of data.
    expect(Math.abs(exact.bytes! - printed.bytes!)).toBeLessThanOrEqual(500);
    expect(exact.durationSeconds).toBeUndefined();
  });

  it('agrees with the text of the same run, in the new machine-readable form', () => {
    const exact = parse('machine-readable.json');
    const printed = parse('full.txt');
    expect(exact.version).toBe('1.8.1');
    expect(exact.requests).toBe(printed.requests);
    expect(exact.failedRequests).toBe(printed.failedRequests);
    expect(exact.errors).toEqual(printed.errors);
    expect(exact.latencyMs!.p90).toBeCloseTo(printed.latencyMs!.p90!, 4);
    expect(exact.throughput).toBeCloseTo(printed.throughput!, 3);
  });

  it('counts kinds of failures where our script has counted them, and the rest as failed', () => {
    const summary = {
      metrics: {
        http_reqs: { type: 'counter', values: { count: 100, rate: 10 } },
        http_req_failed: { type: 'rate', values: { rate: 0.1, passes: 10, fails: 90 } },
        wrkbench_errors_timeout: { type: 'counter', values: { count: 4, rate: 0.4 } },
        wrkbench_errors_status: { type: 'counter', values: { count: 5, rate: 0.5 } },
      },
    };
    const { errors, failedRequests } = parseOutput('k6', JSON.stringify(summary));
    expect({ errors, failedRequests }).toEqual({ errors: { timeout: 4, status: 5, failed: 1 }, failedRequests: 10 });
    summary.metrics.wrkbench_errors_status.values.count = 6;
    expect(parseOutput('k6', JSON.stringify(summary)).errors).toEqual({ timeout: 4, status: 6 });
  });
});

describe('what is not one whole output of k6', () => {
  it.each([
    [
      'text',
      'running (01.0s), 4/4 VUs',
      'This is not a whole output of k6: no line “http_reqs....: …” is in it, and the text begins with “running (01.0s), 4/4 VUs”. Give the summary that k6 prints to standard output at its end, or its JSON.',
    ],
    [
      'two texts',
      recorded('k6/compact.txt').repeat(2),
      'This holds 2 whole outputs of k6, and their figures are not mixed. Give the one that is meant, and no other.',
    ],
    [
      'JSON of something else',
      '{"name": "x"}',
      'This JSON is not a summary of k6: neither “metrics” nor “results.metrics” holds a metric, and the text begins with “{"name": "x"}”. Give what handleSummary, --summary-export or the end-of-test text holds.',
    ],
    [
      'samples, one on each line',
      recorded('k6/samples.json'),
      'These are the single samples that k6 writes with --out json, one on each line, and not a summary. Give what k6 writes with --summary-export=FILE or in handleSummary, or the text that it prints at its end.',
    ],
    [
      'half a JSON',
      '{"metrics": {"http_reqs"',
      'This begins like the JSON summary of k6 and is not whole: the text begins with “{"metrics": {"http_reqs"”. k6 was stopped while it wrote, or the disk is full.',
    ],
  ])('is refused with a sentence: %s', (_, text, message) => {
    expect(() => parseOutput('k6', text)).toThrow(new UnreadableOutput(message));
  });
});
