import { counted } from '../../format/figures.ts';
import { UnreadableOutput } from '../definition.ts';
import { beginningOf } from '../excerpt.ts';
import { anyPresent, figure, percentileKey, present } from '../figures.ts';
import { oneRun } from '../one-run.ts';
import type { GeneratorErrors, GeneratorOutcome, LatencyMs } from '../outcome.ts';

/*
 * The lines of ab 2.x. Each is `Key:  value` at the start of a line. A bare number must be ended by a line break, so
 * that a text cut off in the middle of it lacks the figure instead of holding a wrong one.
 */
const END = String.raw`[ \t]*\r?\n`;
const DECIMAL = String.raw`(\d+\.\d+)`;
const COMPLETE = new RegExp(String.raw`^Complete requests:[ \t]+(\d+)${END}`, 'gm');
/** Its banner; where somebody has left that out, what comes next. */
const STARTS = [/^This is ApacheBench,/gm, /^Benchmarking /gm, /^Server Software:/gm];
const FAILED = new RegExp(String.raw`^Failed requests:[ \t]+(\d+)${END}`, 'm');
/** Stands under `Failed requests` where there are any. */
const BREAKDOWN = /^[ \t]+\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)/m;
const SECONDS = new RegExp(String.raw`^Time taken for tests:[ \t]+${DECIMAL} seconds`, 'm');
const THROUGHPUT = new RegExp(String.raw`^Requests per second:[ \t]+${DECIMAL} \[#/sec\]`, 'm');
const BYTES = /^Total transferred:[ \t]+(\d+) bytes/m;
const TRANSFER = new RegExp(String.raw`^Transfer rate:[ \t]+${DECIMAL} \[Kbytes/sec\]`, 'm');
const VERSION = /^This is ApacheBench, Version (\S+) /m;
const counter = (key: string) => new RegExp(String.raw`^${key}:[ \t]+(\d+)${END}`, 'm');
const CONCURRENCY = counter('Concurrency Level');
const STATUS = counter('Non-2xx responses');
const WRITE = counter('Write errors');
const KEEP_ALIVE = counter('Keep-Alive requests');

/** `min mean [+/-sd] median max`, whole milliseconds but for the deviation; `min avg max` with `-S`. */
const NUMBER = String.raw`[ \t]+(\d+(?:\.\d+)?)`;
const row = (name: string) => ({
  full: new RegExp(`^${name}:${NUMBER}${NUMBER}${NUMBER}${NUMBER}${NUMBER}${END}`, 'm'),
  short: new RegExp(`^${name}:${NUMBER}${NUMBER}${NUMBER}${END}`, 'm'),
});
const TOTAL = row('Total');
const PHASES = { connect: row('Connect'), processing: row('Processing'), waiting: row('Waiting') };
const SERVED = new RegExp(String.raw`^[ \t]*(\d{1,2})%[ \t]+(\d+)${END}`, 'gm');
const LONGEST = /^[ \t]*100%[ \t]+(\d+) \(longest request\)/m;

/** What ab prints last where it gives up, with or without a line break before it. */
const FAILURE = /\b(apr_[a-z_]+(?:\(\))?): ([^\r\n]+ \(\d+\))/;
const ABORTED = /^Test aborted after \d+ failures/m;
const ANSWERED_BEFORE = /^Total of (\d+) requests completed/m;

/** Reads what ab prints at its end. Throws `UnreadableOutput`, and nothing else. */
export function parseAbText(text: string): GeneratorOutcome<'ab'> {
  const own = oneRun(text, { tool: 'ab', starts: STARTS, result: COMPLETE });
  const failure = FAILURE.exec(text);
  if (own === null && (failure !== null || ABORTED.test(text))) throw gaveUp(text, failure);
  if (own === null) {
    throw new UnreadableOutput(
      `This is not a whole output of ab: no line “Complete requests: …” is in it, and ${beginningOf(text)}. Give the text that ab prints to standard output at its end.`,
    );
  }
  return outcomeOf(own);
}

function outcomeOf(text: string): GeneratorOutcome<'ab'> {
  const [complete] = text.matchAll(COMPLETE);
  const transfer = TRANSFER.exec(text)?.[1];
  return {
    tool: 'ab',
    ...present({
      requests: figure(complete?.[1]),
      failedRequests: figure(FAILED.exec(text)?.[1]),
      keepAliveRequests: figure(KEEP_ALIVE.exec(text)?.[1]),
      durationSeconds: figure(SECONDS.exec(text)?.[1]),
      throughput: figure(THROUGHPUT.exec(text)?.[1]),
      bytes: figure(BYTES.exec(text)?.[1]),
      bytesPerSecond: transfer === undefined ? undefined : Math.round(Number(transfer) * 1024),
      connections: figure(CONCURRENCY.exec(text)?.[1]),
      latencyMs: latencies(text),
      phasesMs: phases(text),
      errors: errors(text),
      version: VERSION.exec(text)?.[1],
    }),
  };
}

/** ab prints no figures once it has given up. */
function gaveUp(text: string, failure: RegExpExecArray | null): UnreadableOutput {
  const [, call = '', reason = ''] = failure ?? [];
  const done = Number(ANSWERED_BEFORE.exec(text)?.[1] ?? 0);
  const after = done === 0 ? 'before any request was answered' : `after ${counted(done, 'request')}`;
  const why = reason === '' ? 'too many connections failed' : `“${call}: ${reason}”`;
  const advice = call.startsWith('apr_socket_recv') ? ' ab goes on after such an error where it is given -r.' : '';
  return new UnreadableOutput(
    `ab gave up ${after}, and prints no result then: ${why}.${advice} Give the text of a test that came to its end.`,
  );
}

function latencies(text: string): LatencyMs | undefined {
  const served = Array.from(text.matchAll(SERVED), ([, percentile = '', ms]) => [
    percentileKey(percentile),
    figure(ms),
  ]);
  const { p50, ...total } = rowOf(text, TOTAL) ?? {};
  return anyPresent({
    ...total,
    // The table's own median: the row's is that of the same numbers, rounded once more.
    p50,
    max: total.max ?? figure(LONGEST.exec(text)?.[1]),
    ...(Object.fromEntries(served) as LatencyMs),
  });
}

function phases(text: string): Record<string, LatencyMs> | undefined {
  return anyPresent({
    connect: rowOf(text, PHASES.connect),
    processing: rowOf(text, PHASES.processing),
    waiting: rowOf(text, PHASES.waiting),
  });
}

function rowOf(text: string, pattern: { full: RegExp; short: RegExp }): LatencyMs | undefined {
  const full = pattern.full.exec(text);
  if (full !== null) {
    const [, min, mean, stdev, median, max] = full;
    return anyPresent({
      min: figure(min),
      mean: figure(mean),
      stdev: figure(stdev),
      p50: figure(median),
      max: figure(max),
    });
  }
  const short = pattern.short.exec(text);
  return short === null
    ? undefined
    : anyPresent({ min: figure(short[1]), mean: figure(short[2]), max: figure(short[3]) });
}

/** `Failed requests` is the sum of its breakdown and holds neither bad statuses nor write errors. */
function errors(text: string): GeneratorErrors | undefined {
  const breakdown = BREAKDOWN.exec(text);
  return anyPresent({
    failed: breakdown === null ? figure(FAILED.exec(text)?.[1]) : undefined,
    connect: figure(breakdown?.[1]),
    receive: figure(breakdown?.[2]),
    length: figure(breakdown?.[3]),
    exceptions: figure(breakdown?.[4]),
    write: figure(WRITE.exec(text)?.[1]),
    status: figure(STATUS.exec(text)?.[1]),
  });
}
