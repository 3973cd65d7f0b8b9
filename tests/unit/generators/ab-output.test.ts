import { describe, expect, it } from 'vitest';
import { ab, parseAbPercentiles } from '../../../src/core/generators/ab/definition.ts';
import { parseAbText } from '../../../src/core/generators/ab/output.ts';
import { UnreadableOutput } from '../../../src/core/generators/definition.ts';
import { expectedOutcomes, recorded, recordedIn } from './fixtures.ts';

const expected = expectedOutcomes('ab');

describe('ab text of published benchmarks', () => {
  it('is all there', () => {
    const published = [...recordedIn('ab/nodepp-bun-go'), ...recordedIn('ab/users-1000')];
    expect(published.map((name) => name.slice('ab/'.length))).toEqual(Object.keys(expected).sort());
    expect(published).toHaveLength(10);
  });

  it.each(Object.keys(expected))('parses %s to the numbers printed there', (name) => {
    expect(parseAbText(recorded(`ab/${name}.txt`))).toEqual(expected[name]);
  });

  it('reads a block that lacks the head', () => {
    expect(parseAbText(recorded('ab/users-1000/golang.txt'))).toEqual({
      tool: 'ab',
      requests: 10000,
      failedRequests: 0,
      durationSeconds: 7.822,
      throughput: 1278.47,
      bytes: 1825660000,
      bytesPerSecond: 233404518,
      connections: 128,
      latencyMs: {
        min: 3,
        mean: 100,
        stdev: 72,
        max: 582,
        p50: 87,
        p66: 112,
        p75: 136,
        p80: 150,
        p90: 194,
        p95: 242,
        p98: 290,
        p99: 333,
      },
      phasesMs: {
        connect: { min: 0, mean: 0, stdev: 0.2, p50: 0, max: 3 },
        processing: { min: 3, mean: 99, stdev: 72, p50: 87, max: 582 },
        waiting: { min: 3, mean: 99, stdev: 71.8, p50: 86, max: 582 },
      },
      errors: { failed: 0 },
    });
  });

  it('gives the requests per second, the p99 and the longest request of the Nodepp table', () => {
    const row = (name: string) => {
      const { throughput, latencyMs } = parseAbText(recorded(`ab/nodepp-bun-go/${name}.txt`));
      return [throughput, latencyMs?.max, latencyMs?.p99];
    };
    expect(['bun', 'go', 'nodepp-single', 'nodepp-cluster'].map(row)).toEqual([
      [5985.74, 1452, 1159],
      [6139.41, 326, 249],
      [6219.31, 323, 229],
      [5999.98, 348, 326],
    ]);
  });
});

describe('ab text of runs with failures', () => {
  it('breaks failed requests down and counts bad statuses beside them', () => {
    const outcome = parseAbText(recorded('ab/recorded/variable-length.txt'));
    expect(outcome.failedRequests).toBe(24);
    expect(outcome.errors).toEqual({ connect: 0, receive: 0, length: 24, exceptions: 0, status: 40 });
    expect(outcome.version).toBe('2.3');
  });

  it('tells refused connections from answers', () => {
    const { requests, failedRequests, errors } = parseAbText(recorded('ab/recorded/refused.txt'));
    expect({ requests, failedRequests, errors }).toEqual({
      requests: 10,
      failedRequests: 15,
      errors: { connect: 0, receive: 10, length: 0, exceptions: 5 },
    });
  });

  it('reads the shorter table of -S', () => {
    expect(parseAbText(recorded('ab/recorded/without-deviations.txt')).latencyMs).toEqual({
      min: 0,
      mean: 46,
      max: 1502,
      p50: 0,
      p66: 0,
      p75: 0,
      p80: 0,
      p90: 1,
      p95: 401,
      p98: 1500,
      p99: 1502,
    });
  });

  it('reads write errors, kept connections and the longest request where the table of times is missing', () => {
    const text =
      'Complete requests:      7\nFailed requests:        0\nWrite errors:           2\nKeep-Alive requests:    5\n\n 100%    582 (longest request)\n';
    expect(parseAbText(text)).toEqual({
      tool: 'ab',
      requests: 7,
      failedRequests: 0,
      keepAliveRequests: 5,
      latencyMs: { max: 582 },
      errors: { failed: 0, write: 2 },
    });
  });
});

describe('percentiles that ab wrote as CSV', () => {
  it('are finer than those of the text and take their place', () => {
    const outcome = ab.outcome({
      stdout: recorded('ab/recorded/variable-length.txt'),
      stderr: '',
      exitCode: 0,
      files: { 'percentiles.csv': recorded('ab/recorded/variable-length.csv') },
    });
    const printed = parseAbText(recorded('ab/recorded/variable-length.txt'));
    for (const key of ['p50', 'p75', 'p90', 'p95', 'p99'] as const) {
      expect(Math.abs(outcome.latencyMs![key]! - printed.latencyMs![key]!)).toBeLessThanOrEqual(0.5);
      expect(outcome.latencyMs![key]! % 1).not.toBe(0);
    }
    expect(outcome.latencyMs!.mean).toBe(47);
    expect(outcome.latencyMs!.p98).toBe(1500);
  });

  it('are left out where ab read them from behind the end of its list', () => {
    const csv = 'Percentage served,Time in ms\n0,0.512\n50,1.020\n90,1.500\n99,3328493621662206.000\n100,17.560\n';
    expect(parseAbPercentiles(csv, 40)).toEqual({ min: 0.512, p50: 1.02, p90: 1.5 });
    expect(parseAbPercentiles(csv, 0)).toEqual({});
  });
});

describe('what is not one whole output of ab', () => {
  it.each([
    [
      'wrk',
      'Running 1m test @ http://localhost/',
      'This is not a whole output of ab: no line “Complete requests: …” is in it, and the text begins with “Running 1m test @ http://localhost/”. Give the text that ab prints to standard output at its end.',
    ],
    [
      'ab, which a server cut off',
      recorded('ab/aborted/reset.txt'),
      'ab gave up after 149 requests, and prints no result then: “apr_socket_recv: Connection reset by peer (104)”. ab goes on after such an error where it is given -r. Give the text of a test that came to its end.',
    ],
    [
      'ab, which could not connect',
      recorded('ab/aborted/ten-failures.txt'),
      'ab gave up before any request was answered, and prints no result then: “apr_socket_connect(): Connection refused (111)”. Give the text of a test that came to its end.',
    ],
    [
      'ab, which gave up, without its standard error',
      'This is ApacheBench, Version 2.3\n\nTest aborted after 10 failures\n\n',
      'ab gave up before any request was answered, and prints no result then: too many connections failed. Give the text of a test that came to its end.',
    ],
    [
      'two outputs',
      recorded('ab/users-1000/golang.txt').repeat(2),
      'This holds 2 whole outputs of ab, and their figures are not mixed. Give the one that is meant, and no other.',
    ],
  ])('is refused with a sentence: %s', (_, text, message) => {
    expect(() => parseAbText(text)).toThrow(new UnreadableOutput(message));
  });
});
