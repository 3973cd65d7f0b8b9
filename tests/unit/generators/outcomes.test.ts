import { describe, expect, it } from 'vitest';
import { type GeneratorOutput, UnreadableOutput } from '../../../src/core/generators/definition.ts';
import { generators } from '../../../src/core/generators/registry.ts';
import { parseWrkResult } from '../../../src/core/generators/wrk/result.ts';
import { recorded } from './fixtures.ts';

const { wrk, k6, ab } = generators;
const output = (parts: Partial<GeneratorOutput>): GeneratorOutput => ({
  stdout: '',
  stderr: '',
  exitCode: 0,
  files: {},
  ...parts,
});

const RESULT = {
  requests: 40383,
  bytes: 4477420,
  duration_us: 2_000_123,
  errors: { connect: 0, read: 1, write: 0, timeout: 2, status: 3 },
  latency_us: { min: 11, max: 1361, mean: 29.1734, stdev: 4.4931, percentiles: { '50': 29, '99.9': 51 } },
};

describe('what the script of wrk left', () => {
  it('is exact where the text is rounded', () => {
    expect(parseWrkResult(JSON.stringify(RESULT))).toEqual({
      tool: 'wrk',
      requests: 40383,
      durationSeconds: 2.000123,
      throughput: 40383 / 2.000123,
      bytes: 4477420,
      bytesPerSecond: 4477420 / 2.000123,
      latencyMs: { min: 0.011, max: 1.361, mean: 29.1734 / 1000, stdev: 4.4931 / 1000, p50: 0.029, 'p99.9': 0.051 },
      errors: { connect: 0, read: 1, write: 0, timeout: 2, status: 3 },
    });
  });

  it('tells what was sent, where the script knew', () => {
    expect(parseWrkResult(JSON.stringify({ ...RESULT, sent: 40483 })).sentRequests).toBe(40483);
    expect(parseWrkResult(JSON.stringify({ ...RESULT, sent: null }))).not.toHaveProperty('sentRequests');
  });

  it('has no latencies where none was recorded', () => {
    const latency_us = { min: 0, max: 0, mean: 0, stdev: null, percentiles: { '50': 0 } };
    expect(parseWrkResult(JSON.stringify({ ...RESULT, latency_us }))).not.toHaveProperty('latencyMs');
  });

  it('has no duration after a clock step, and no rate', () => {
    const stepped = parseWrkResult(JSON.stringify({ ...RESULT, duration_us: 1.8446744069414584e19 }));
    expect(stepped).not.toHaveProperty('durationSeconds');
    expect(stepped).not.toHaveProperty('throughput');
    expect(stepped.requests).toBe(40383);
  });

  it('goes before the text, which adds what only stands there', () => {
    const stdout = recorded('wrk/ichor-http/ichor-beast-2.txt');
    const outcome = wrk.outcome(output({ stdout, files: { 'wrk.json': JSON.stringify(RESULT) } }));
    expect(outcome).toMatchObject({ requests: 40383, threads: 1, connections: 2, threadThroughput: { max: 80860 } });
  });

  it('is enough without the text, and the text without it', () => {
    const json = JSON.stringify(RESULT);
    expect(wrk.outcome(output({ files: { 'wrk.json': json } }))).toEqual(parseWrkResult(json));
    const stdout = recorded('wrk/ichor-http/ichor-beast-2.txt');
    expect(wrk.outcome(output({ stdout }))).toEqual(wrk.parse(stdout));
    expect(wrk.outcome(output({ stdout, files: { 'wrk.json': json.slice(0, 40) } }))).toEqual(wrk.parse(stdout));
  });

  it('is refused where it is cut off', () => {
    expect(() => parseWrkResult('{"requests": 4')).toThrow(
      new UnreadableOutput(
        'What wrk\'s script left is not JSON (“{"requests": 4”): wrk was stopped while it wrote, or the disk is full.',
      ),
    );
  });
});

describe('a generator that did not measure', () => {
  it.each([
    [
      wrk,
      output({ exitCode: 1, stderr: 'unable to connect to 127.0.0.1:1 Connection refused\n' }),
      'wrk ended with exit status 1 and said: unable to connect to 127.0.0.1:1 Connection refused',
    ],
    [
      ab,
      output({
        exitCode: 119,
        stdout: 'Benchmarking',
        stderr: 'apr_pollset_poll: The timeout specified has expired (70007)\nTotal of 3 requests completed\n',
      }),
      'ab ended with exit status 119 and said: apr_pollset_poll: The timeout specified has expired (70007) / Total of 3 requests completed',
    ],
    [
      k6,
      output({ exitCode: 107, files: { 'k6.log': 'level=error msg="ReferenceError: x is not defined"\n' } }),
      'k6 ended with exit status 107 (the script threw) and said: level=error msg="ReferenceError: x is not defined"',
    ],
    [k6, output({ exitCode: null, stdout: 'begun' }), 'k6 ended without an exit status and said: begun'],
    [ab, output({ exitCode: 22 }), 'ab ended with exit status 22 and said: nothing at all'],
  ])('is refused with its own last words: $name', (definition, given, message) => {
    expect(() => definition.outcome(given)).toThrow(new UnreadableOutput(message));
  });

  it('is not k6 where only a threshold of the user was crossed', () => {
    const summary = recorded('k6/handle-summary.json');
    expect(k6.outcome(output({ exitCode: 99, files: { 'summary.json': summary } })).requests).toBe(207);
  });

  it('is not k6 where its summary stands in its text only', () => {
    expect(k6.outcome(output({ stdout: recorded('k6/compact.txt') })).requests).toBe(240);
  });

  it('is cut to a readable length', () => {
    const stderr = 'x'.repeat(10_000);
    expect(() => wrk.outcome(output({ exitCode: 1, stderr }))).toThrow(
      new UnreadableOutput(`wrk ended with exit status 1 and said: ${'x'.repeat(320)}`),
    );
    expect(() => wrk.parse(stderr)).toThrow(`begins with “${'x'.repeat(80)}…”`);
  });
});
