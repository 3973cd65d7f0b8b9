import { UnreadableOutput } from '../definition.ts';
import { beginningOf } from '../excerpt.ts';
import { anyPresent, figure, percentileKey, present } from '../figures.ts';
import { oneRun } from '../one-run.ts';
import type { GeneratorErrors, GeneratorOutcome, LatencyMs } from '../outcome.ts';
import { BINARY_UNIT, binaryBytes, columnMs, DECIMAL, METRIC_UNIT, metricCount, TIME_UNIT, timeMs } from '../units.ts';

/*
 * The lines of wrk 4.x, and of wrk2, which has one more distribution with `-U` and whose forks have the 99th percentile
 * where others have the maximum. Columns can touch (`999.99ms1000.00m`), so each is found by its pattern and not by the blanks
 * around it. A line whose end cannot be told from its last character must be ended by a line break: a text cut off in
 * the middle of a figure then lacks the figure, instead of holding a wrong one.
 */
const END = String.raw`[ \t]*\r?\n`;
const TIME = DECIMAL + TIME_UNIT;
const METRIC = DECIMAL + METRIC_UNIT;
const BYTES = `${DECIMAL}${BINARY_UNIT}B`;
const SHARE = String.raw`[ \t]*[-+]?(?:\d+\.\d+|nan|inf)%`;

const REQUESTS = new RegExp(String.raw`^[ \t]*(\d+) requests in ${TIME}, ${BYTES} read`, 'gm');
const START = /^[ \t]*Running \S+ test @ /gm;
const CONNECTIONS = /^[ \t]*(\d+) threads and (\d+) connections/m;
/** Of both rows of the table; wrk's own has `Max`. */
const THIRD_COLUMN = /^[ \t]*Thread Stats[ \t]+Avg[ \t]+Stdev[ \t]+(Max|99%)/m;
const LATENCY = new RegExp(String.raw`^[ \t]*Latency[ \t]+${TIME}[ \t]*${TIME}[ \t]*${TIME}${SHARE}`, 'm');
const THREAD = new RegExp(String.raw`^[ \t]*Req/Sec[ \t]+${METRIC}[ \t]*${METRIC}[ \t]*${METRIC}${SHARE}`, 'm');
const DISTRIBUTION = /^[ \t]*Latency Distribution\b.*$/gm;
const PERCENTILE = new RegExp(String.raw`^[ \t]*(\d{1,2}(?:\.\d+)?|100\.0+)%[ \t]*${TIME}${END}`, 'gm');
const SOCKET_ERRORS = new RegExp(
  String.raw`^[ \t]*Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)${END}`,
  'm',
);
const STATUS_ERRORS = new RegExp(String.raw`^[ \t]*Non-2xx or 3xx responses: (\d+)${END}`, 'm');
const THROUGHPUT = /^[ \t]*Requests\/sec:[ \t]*(\d+\.\d\d)(?!\d)/m;
const TRANSFER = new RegExp(String.raw`^[ \t]*Transfer/sec:[ \t]*${BYTES}`, 'm');

/** Reads what wrk prints at its end. Throws `UnreadableOutput`, and nothing else. */
export function parseWrkText(text: string): GeneratorOutcome<'wrk'> {
  const own = oneRun(text, { tool: 'wrk', starts: [START], result: REQUESTS });
  if (own === null) {
    throw new UnreadableOutput(
      `This is not a whole output of wrk: no line “… requests in …, … read” is in it, and ${beginningOf(text)}. Give the text that wrk prints to standard output at its end.`,
    );
  }
  return outcomeOf(own);
}

function outcomeOf(text: string): GeneratorOutcome<'wrk'> {
  const [summary] = text.matchAll(REQUESTS);
  const [, requests, duration = '', durationUnit = '', bytes = '', bytesUnit = ''] = summary ?? [];
  const durationMs = timeMs(duration, durationUnit);
  const setting = CONNECTIONS.exec(text);
  return {
    tool: 'wrk',
    ...present({
      requests: figure(requests),
      durationSeconds: durationMs === undefined ? undefined : durationMs / 1000,
      // wrk divides by the duration: without a true one these are not true either.
      throughput: durationMs === undefined ? undefined : figure(THROUGHPUT.exec(text)?.[1]),
      bytes: binaryBytes(bytes, bytesUnit),
      bytesPerSecond: durationMs === undefined ? undefined : transfer(text),
      threads: figure(setting?.[1]),
      connections: figure(setting?.[2]),
      latencyMs: latencies(text),
      threadThroughput: threadThroughput(text),
      errors: errors(text),
    }),
  };
}

function latencies(text: string): LatencyMs | undefined {
  const row = LATENCY.exec(text);
  const { p100, ...percentiles } = percentilesOf(distributionIn(text));
  const third = row === null ? undefined : columnMs(row[5]!, row[6]!);
  return anyPresent({
    mean: row === null ? undefined : columnMs(row[1]!, row[2]!),
    stdev: row === null ? undefined : columnMs(row[3]!, row[4]!),
    ...(hasMaximum(text) ? { max: third } : { max: p100, p99: third }),
    ...percentiles,
  });
}

/** The first; what wrk2 calls uncorrected leaves out how long requests waited to be sent. */
function distributionIn(text: string): string {
  const [start, next] = [...text.matchAll(DISTRIBUTION)];
  if (start === undefined || /uncorrected/i.test(start[0])) return '';
  return text.slice(start.index, next?.index);
}

function percentilesOf(distribution: string): LatencyMs {
  const percentiles: LatencyMs = {};
  for (const [, percentile = '', value = '', unit = ''] of distribution.matchAll(PERCENTILE)) {
    const ms = timeMs(value, unit);
    if (ms !== undefined) percentiles[percentileKey(percentile)] = ms;
  }
  return percentiles;
}

function hasMaximum(text: string): boolean {
  return THIRD_COLUMN.exec(text)?.[1] !== '99%';
}

function threadThroughput(text: string): GeneratorOutcome['threadThroughput'] {
  const row = THREAD.exec(text);
  if (row === null || Number(row[5]) === 0) return undefined;
  return anyPresent({
    mean: metricCount(row[1]!, row[2]!),
    stdev: metricCount(row[3]!, row[4]!),
    max: hasMaximum(text) ? metricCount(row[5]!, row[6]!) : undefined,
  });
}

function errors(text: string): GeneratorErrors | undefined {
  const socket = SOCKET_ERRORS.exec(text);
  return anyPresent({
    connect: figure(socket?.[1]),
    read: figure(socket?.[2]),
    write: figure(socket?.[3]),
    timeout: figure(socket?.[4]),
    status: figure(STATUS_ERRORS.exec(text)?.[1]),
  });
}

function transfer(text: string): number | undefined {
  const row = TRANSFER.exec(text);
  return row === null ? undefined : binaryBytes(row[1]!, row[2]!);
}
