import { UnreadableOutput } from '../definition.ts';
import { beginningOf } from '../excerpt.ts';
import { figure, scaled } from '../figures.ts';
import type { GeneratorOutcome } from '../outcome.ts';
import { type K6Metrics, outcomeOfMetrics } from './metrics.ts';

/*
 * The end-of-test text of k6: `name....: values`, a line for each metric. Only lines that are ended by a line break
 * count: a text cut off in the middle of a figure then lacks the figure, instead of holding a wrong one.
 */
const METRIC = /^[ \t]*(?:[✓✗] )?([a-z_][a-z0-9_]*)\.*: +([^ \t\r\n](?:[^\r\n]*[^ \t\r\n])?)[ \t]*\r?\n/gim;
/** k6 draws its progress once more when all is done: only that one has a tick or a cross. */
const FINISHED = /^running \(([\dhm.]+s)\),[^\n]*\n[^\n]*[✓✗] \[/m;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
const COLOUR = /\x1b\[[0-9;]*[A-Za-z]/g;
const EXPECTED = ['http_reqs', 'iterations', 'http_req_duration'];

/** Reads the text that k6 prints at its end. Throws `UnreadableOutput`, and nothing else. */
export function parseK6Text(coloured: string): GeneratorOutcome<'k6'> {
  const text = coloured.replaceAll(COLOUR, '');
  if (text.indexOf('TOTAL RESULTS') !== text.lastIndexOf('TOTAL RESULTS')) {
    throw new UnreadableOutput(
      'This holds more than one output of k6 (“TOTAL RESULTS” appears twice). Give one at a time.',
    );
  }
  const metrics: K6Metrics = new Map();
  for (const [, name = '', values = ''] of text.matchAll(METRIC)) {
    // With --summary-mode full the scenarios follow the totals, under the same names.
    if (!metrics.has(name)) metrics.set(name, valuesOf(values));
  }
  if (!EXPECTED.some((name) => metrics.has(name))) {
    throw new UnreadableOutput(
      `This is not a whole output of k6: no line “http_reqs....: …” is in it, and ${beginningOf(text)}. Give the summary that k6 prints to standard output at its end, or its JSON.`,
    );
  }
  const ms = durationMs(FINISHED.exec(text)?.[1] ?? '');
  return outcomeOfMetrics(metrics, ms === undefined || ms === 0 ? undefined : ms / 1000);
}

/**
 *     1001   500.124822/s                134 kB 67 kB/s              10   min=10   max=10
 *     0.00%  0 out of 1001               0.00%  ✓ 0    ✗ 1001        avg=373.68µs min=0s p(90)=445.51µs count=1001
 */
function valuesOf(text: string): Record<string, number | undefined> {
  const rate = /^[\d.]+% +(?:(\d+) out of (\d+)|[✓✗] (\d+) +[✓✗] (\d+))$/.exec(text);
  if (rate !== null) {
    const [, trues, all, ticks, crosses] = rate;
    if (trues !== undefined) return { trues: figure(trues), falses: figure(Number(all) - Number(trues)) };
    return { trues: figure(ticks), falses: figure(crosses) };
  }
  const counter = /^(\d+) +(\d+(?:\.\d+)?)\/s$/.exec(text);
  if (counter !== null) return { count: figure(counter[1]), rate: figure(counter[2]) };
  const data = /^(\d+(?:\.\d+)?) ([kMGTP]?B) +(\d+(?:\.\d+)?) ([kMGTP]?B)\/s$/.exec(text);
  if (data !== null) return { count: bytes(data[1]!, data[2]!), rate: bytes(data[3]!, data[4]!) };
  const named = Array.from(text.matchAll(/(?<![a-z])([a-z]+(?:\([\d.]+\))?)=(\S+)/g), ([, name = '', value = '']) => [
    name,
    durationMs(value) ?? figure(value),
  ]);
  return Object.fromEntries(named);
}

const POWERS: Record<string, number> = { B: 0, kB: 1, MB: 2, GB: 3, TB: 4, PB: 5 };

/** k6 prints amounts of data in steps of 1000. */
function bytes(decimal: string, unit: string): number {
  return Math.round(scaled(decimal, 1000 ** POWERS[unit]!));
}

const SMALL: Record<string, [numerator: number, denominator: number]> = {
  ns: [1, 1_000_000],
  µs: [1, 1000],
  μs: [1, 1000],
  us: [1, 1000],
  ms: [1, 1],
};

/** A duration as Go prints it (`5.92ms`, `1m2.5s`) in milliseconds; undefined where it is none. */
function durationMs(text: string): number | undefined {
  const small = /^(\d+(?:\.\d+)?)(ns|[µμu]s|ms)$/.exec(text);
  if (small !== null) {
    const [numerator, denominator] = SMALL[small[2]!]!;
    return scaled(small[1]!, numerator, denominator);
  }
  const large = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/.exec(text);
  if (large === null || text === '') return undefined;
  const [, hours = '0', minutes = '0', seconds = '0'] = large;
  return scaled(hours, 3_600_000) + scaled(minutes, 60_000) + scaled(seconds, 1000);
}
