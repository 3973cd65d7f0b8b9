import { UnreadableOutput } from '../definition.ts';
import { beginningOf } from '../excerpt.ts';
import { anyPresent, figure, percentileKey, positive, present, scaled } from '../figures.ts';
import { oneRun } from '../one-run.ts';
import type { GeneratorErrors, GeneratorOutcome, LatencyMs } from '../outcome.ts';

/*
 * What h2load prints at its end, from `finished in` on. Since 1.69 the rows have shorter names and more columns:
 *
 *     time for request:      159us      4.78ms       310us        81us    92.08%                  min max mean sd
 *     request     :       96us      2.96ms       217us       318us       404us       230us  …     min max median p95 p99 mean sd
 */
const TIME = String.raw`(\d+(?:\.\d+)?)(us|ms|s)`;
const END = String.raw`[ \t]*\r?\n`;
const FINISHED = new RegExp(String.raw`^finished in ${TIME}, (\d+\.\d+) req/s, (\d+(?:\.\d+)?)([KMG]?)B/s${END}`, 'gm');
const START = /^starting benchmark\.\.\./gm;
const REQUESTS = new RegExp(
  String.raw`^requests: \d+ total, (\d+) started, (\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout${END}`,
  'm',
);
const STATUS_CODES = new RegExp(String.raw`^status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx${END}`, 'm');
const TRAFFIC = /^traffic: \S+ \((\d+)\) total, /m;
const COLUMNS = /^[ \t]+min[ \t]+max[ \t]+.*$/m;
const row = (...names: string[]) =>
  new RegExp(`^(?:${names.join('|')})[ \\t]*:((?:[ \\t]+${TIME})+)[ \\t]+[0-9.]+%${END}`, 'm');
const REQUEST = row('time for request', 'request');
const PHASES = { connect: row('time for connect', 'connect'), 'first byte': row('time to 1st byte', 'TTFB') };

/** Reads the text. Throws `UnreadableOutput`, and nothing else. */
export function parseH2loadText(text: string): GeneratorOutcome<'h2load'> {
  const own = oneRun(text, { tool: 'h2load', starts: [START], result: FINISHED });
  if (own === null) {
    throw new UnreadableOutput(
      `This is not a whole output of h2load: no line “finished in …” is in it, and ${beginningOf(text)}. Give the text that h2load prints to standard output at its end.`,
    );
  }
  return outcomeOf(own);
}

function outcomeOf(text: string): GeneratorOutcome<'h2load'> {
  const [finished] = text.matchAll(FINISHED);
  const [, duration = '', unit = '', throughput] = finished ?? [];
  const [, , done, , failed] = REQUESTS.exec(text) ?? [];
  const columns = (COLUMNS.exec(text)?.[0] ?? '').trim().split(/[ \t]{2,}/);
  return {
    tool: 'h2load',
    ...present({
      requests: figure(done),
      failedRequests: figure(failed),
      durationSeconds: milliseconds(duration, unit) / 1000,
      throughput: figure(throughput),
      bytes: figure(TRAFFIC.exec(text)?.[1]),
      latencyMs: rowOf(text, REQUEST, columns),
      phasesMs: anyPresent(
        Object.fromEntries(Object.entries(PHASES).map(([name, pattern]) => [name, rowOf(text, pattern, columns)])),
      ) as GeneratorOutcome['phasesMs'],
      errors: errors(text),
    }),
  };
}

const COLUMN_KEYS: Record<string, keyof LatencyMs> = {
  min: 'min',
  max: 'max',
  mean: 'mean',
  sd: 'stdev',
  median: 'p50',
};

/** 0 stands where nothing was recorded. */
function rowOf(text: string, pattern: RegExp, columns: string[]): LatencyMs | undefined {
  const cells =
    pattern
      .exec(text)?.[1]
      ?.trim()
      .split(/[ \t]+/) ?? [];
  const found = cells.flatMap((cell, index) => {
    const [, decimal = '', unit = ''] = new RegExp(`^${TIME}$`).exec(cell) ?? [];
    const column = columns[index] ?? '';
    const key = COLUMN_KEYS[column] ?? (/^p\d/.test(column) ? percentileKey(column.slice(1)) : null);
    const ms = positive(milliseconds(decimal, unit));
    return key === null || ms === undefined ? [] : [[key, ms] as const];
  });
  return anyPresent(Object.fromEntries(found)) as LatencyMs | undefined;
}

function milliseconds(decimal: string, unit: string): number {
  return unit === 's' ? scaled(decimal, 1000) : unit === 'ms' ? scaled(decimal, 1) : scaled(decimal, 1, 1000);
}

/** A request that timed out is among those that are `errored`; a bad status is not. */
function errors(text: string): GeneratorErrors | undefined {
  const [, , , , , errored, timeout] = REQUESTS.exec(text) ?? [];
  const [, , , clientErrors, serverErrors] = STATUS_CODES.exec(text) ?? [];
  if (errored === undefined) return undefined;
  return anyPresent({
    read: Math.max(0, Number(errored) - Number(timeout)),
    timeout: Number(timeout),
    status: clientErrors === undefined ? undefined : Number(clientErrors) + Number(serverErrors),
  });
}
