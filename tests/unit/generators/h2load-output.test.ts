import { describe, expect, it } from 'vitest';
import { type GeneratorOutput, UnreadableOutput } from '../../../src/core/generators/definition.ts';
import { h2load } from '../../../src/core/generators/h2load/definition.ts';
import { parseH2loadText } from '../../../src/core/generators/h2load/output.ts';
import { latenciesOfLog } from '../../../src/core/generators/h2load/request-log.ts';
import { recorded } from './fixtures.ts';

const textOf = (name: string) => recorded(`h2load/${name}.txt`);

describe('h2load text', () => {
  it('is read to the numbers that stand there', () => {
    expect(parseH2loadText(textOf('closed-loop'))).toEqual({
      tool: 'h2load',
      requests: 39210,
      failedRequests: 0,
      durationSeconds: 0.50104,
      throughput: 78420,
      bytes: 5842290,
      latencyMs: { min: 0.012, max: 2.39, mean: 0.05, stdev: 0.028 },
      phasesMs: {
        connect: { min: 0.003, max: 0.022, mean: 0.01, stdev: 0.008 },
        'first byte': { min: 0.205, max: 0.912, mean: 0.563, stdev: 0.399 },
      },
      errors: { read: 0, timeout: 0, status: 0 },
    });
  });

  it('has percentiles since 1.69, whose rows and columns have other names', () => {
    expect(parseH2loadText(textOf('since-1.69'))).toEqual({
      tool: 'h2load',
      requests: 39210,
      failedRequests: 0,
      durationSeconds: 0.5012,
      throughput: 78420,
      bytes: 5842290,
      latencyMs: { min: 0.021, max: 4.57, p50: 0.046, p95: 0.081, p99: 0.173, mean: 0.05, stdev: 0.04 },
      phasesMs: {
        connect: { min: 0.028, max: 0.071, p50: 0.05, p95: 0.071, p99: 0.071, mean: 0.049, stdev: 0.018 },
        'first byte': { min: 0.101, max: 0.249, p50: 0.175, p95: 0.249, p99: 0.249, mean: 0.175, stdev: 0.063 },
      },
      errors: { read: 0, timeout: 0, status: 0 },
    });
  });

  it('of HTTP/2 is no other', () => {
    expect(parseH2loadText(textOf('http2'))).toMatchObject({
      requests: 60243,
      failedRequests: 0,
      errors: { status: 0 },
    });
  });

  it('counts bad statuses among what failed', () => {
    const { requests, failedRequests, errors } = parseH2loadText(textOf('bad-statuses'));
    expect({ requests, failedRequests, errors }).toEqual({
      requests: 26412,
      failedRequests: 2830 + 6603,
      errors: { read: 0, timeout: 0, status: 2830 + 6603 },
    });
  });

  it('of a number of requests counts those that were lost with their connections', () => {
    const { requests, failedRequests, errors } = parseH2loadText(textOf('numbered-cut'));
    expect({ requests, failedRequests, errors }).toEqual({
      requests: 634,
      failedRequests: 366,
      errors: { read: 366, timeout: 0, status: 0 },
    });
  });

  it('has no latency where nothing was answered', () => {
    expect(parseH2loadText(textOf('refused'))).not.toHaveProperty('latencyMs');
  });

  it('that is cut off, of something else or twice there is refused', () => {
    const text = textOf('closed-loop');
    const beforeItsEnd = text.slice(0, text.indexOf('finished in'));
    expect(() => parseH2loadText(beforeItsEnd)).toThrow(
      /^This is not a whole output of h2load: no line “finished in …” is in it, and the text begins with “starting benchmark/,
    );
    expect(() => parseH2loadText(text + text)).toThrow(
      'This holds 2 whole outputs of h2load, and their figures are not mixed. Give the one that is meant, and no other.',
    );
    expect(() => parseH2loadText('')).toThrow(UnreadableOutput);
  });
});

describe('a log of requests', () => {
  it('gives all percentiles, by nearest rank', () => {
    const log = Array.from({ length: 1000 }, (_, index) => `1795372953718328\t200\t${1000 - index}\n`).join('');
    expect(latenciesOfLog(log, 1000)).toEqual({
      min: 0.001,
      mean: 0.5005,
      stdev: expect.closeTo(0.288675, 6),
      max: 1,
      p50: 0.5,
      p75: 0.75,
      p90: 0.9,
      p95: 0.95,
      p99: 0.99,
      'p99.9': 0.999,
    });
  });

  it('agrees with the text that h2load prints beside it', () => {
    const printed = parseH2loadText(textOf('fixed-rate'));
    const { min, max, mean } = latenciesOfLog(recorded('h2load/fixed-rate.tsv'), printed.requests!)!;
    for (const [key, exact] of Object.entries({ min, max, mean })) {
      // h2load rounds to microseconds, or two decimals of a millisecond.
      expect(Math.abs(printed.latencyMs![key as 'min']! - exact!), key).toBeLessThan(0.006);
    }
  });

  it('leaves out what was not answered', () => {
    expect(latenciesOfLog('1\t200\t10\n2\t-1\t99999\n3\t404\t30\n', 3)).toMatchObject({ min: 0.01, max: 0.03 });
    expect(latenciesOfLog('2\t-1\t99999\n', 1)).toBeUndefined();
  });

  it.each([
    ['shorter than what was done', '1\t200\t10\n', 2],
    ['longer', '1\t200\t10\n2\t200\t10\n', 1],
    ['cut in the middle of a line', '1\t200\t10\n2\t200\t1', 2],
    ['no log', 'hello\n', 1],
    ['of more columns', '1\t200\t10\t4\n', 1],
    ['empty', '', 0],
    ['of more requests than any log has', '1\t200\t10\n', 1e20],
    ['of more requests than there is room for', '1\t200\t10\n', 2 ** 40],
    ['of a latency that is no number', '1\t200\t1e309\n', 1],
  ])('that is %s is none', (_, log, done) => {
    expect(latenciesOfLog(log, done)).toBeUndefined();
  });
});

describe('the outcome of a run of h2load', () => {
  const output = (name: string, more: Partial<GeneratorOutput> = {}): GeneratorOutput => ({
    stdout: textOf(name),
    stderr: '',
    exitCode: 0,
    files: {},
    ...more,
  });

  it('has its latencies from the log, and all else from the text', () => {
    const files = { 'requests.log': recorded('h2load/fixed-rate.tsv') };
    const outcome = h2load.outcome(output('fixed-rate', { files }));
    expect(outcome).toMatchObject({ requests: 100, throughput: 100, errors: { read: 0, timeout: 0, status: 0 } });
    expect(Object.keys(outcome.latencyMs!)).toEqual([
      ...['min', 'mean', 'stdev', 'max', 'p50', 'p75', 'p90', 'p95', 'p99', 'p99.9'],
    ]);
  });

  it('keeps what the text says where the log is not whole', () => {
    const { latencyMs } = h2load.outcome(output('fixed-rate', { files: { 'requests.log': '1\t200\t10\n' } }));
    expect(latencyMs).toEqual(parseH2loadText(textOf('fixed-rate')).latencyMs);
  });

  it.each(['refused', 'not-http2'])('is none where nothing was answered: %s', (name) => {
    expect(() => h2load.outcome(output(name))).toThrow(
      /^h2load had no answer to any request, and gives no reason: nothing listens there, /,
    );
  });

  it('is none where h2load ended otherwise than it should', () => {
    const stderr = "h2load: unrecognized option '--rpss'\n";
    expect(() => h2load.outcome(output('fixed-rate', { exitCode: 1, stderr }))).toThrow(
      "h2load ended with exit status 1 and said: h2load: unrecognized option '--rpss'",
    );
  });

  it('tells its version', () => {
    expect(h2load.versionOf('h2load nghttp2/1.52.0\n')).toBe('1.52.0');
    expect(h2load.versionOf('h2load: command not found')).toBeNull();
  });
});
