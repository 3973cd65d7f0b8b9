import { UnreadableOutput } from '../definition.ts';
import { severalRuns } from '../one-run.ts';
import type { K6Metrics } from './metrics.ts';
import { MARK, valuesOf } from './values.ts';

/*
 * The end-of-test text of k6: `name....: values`, a line for each metric. Only lines that are ended by a line break
 * count: a text cut off in the middle of a figure then lacks the figure, instead of holding a wrong one.
 */
const METRIC = String.raw`^[ \t]*(?:${MARK} )?(?<name>[a-z_][a-z0-9_]*)\.*: +(?<values>[^ \t\r\n](?:[^\r\n]*[^ \t\r\n])?)[ \t]*\r?\n`;
const LINES = new RegExp(
  String.raw`(?<start>^[ \t]*execution: (?:local|cloud))|(?<totals>TOTAL RESULTS)|${METRIC}`,
  'gim',
);
/** As k6 before 1.0 printed a rate, which had no heading of its totals. */
const TICKS = new RegExp(String.raw`% +${MARK} \d+ +${MARK} \d+$`);
const EXPECTED = ['http_reqs', 'iterations', 'http_req_duration'];
/** They come behind the latencies: a run that has neither was cut off, unless nothing else is there. */
const LATE = ['http_reqs', 'iterations'];

export interface K6Run {
  /** What it printed, beside its metrics. */
  text: string;
  metrics: K6Metrics;
}

interface FoundRun {
  from: number;
  /** Its totals have a heading: what stands below them under the same names is that of its scenarios (--summary-mode full). */
  hasHeading: boolean;
  metrics: K6Metrics;
}

/** The one run that a text holds; null where no metric of a run is in it. Throws `UnreadableOutput` where there are several. */
export function oneRunOf(text: string): K6Run | null {
  const all = runsIn(text);
  const has = (names: readonly string[]) => all.filter(({ metrics }) => names.some((name) => metrics.has(name)));
  const [whole, another] = has(LATE);
  if (another !== undefined) throw severalRuns('k6', has(LATE).length);
  const begun = has(EXPECTED);
  if (whole === undefined && begun.length > 1) {
    throw new UnreadableOutput(
      `This holds ${begun.length} outputs of k6, and none of them is whole. Give the summary that k6 prints to standard output at its end.`,
    );
  }
  const run = whole ?? begun[0];
  if (run === undefined) return null;
  return { text: text.slice(run.from, all[all.indexOf(run) + 1]?.from), metrics: run.metrics };
}

function runsIn(text: string): FoundRun[] {
  const runs: FoundRun[] = [];
  let end = 0;
  const begin = (from: number, hasHeading: boolean): FoundRun => {
    const run: FoundRun = { from, hasHeading, metrics: new Map() };
    runs.push(run);
    return run;
  };
  let run = begin(0, false);
  for (const { groups = {}, index, 0: line } of text.matchAll(LINES)) {
    const { start, totals, name, values = '' } = groups;
    const isEmpty = run.metrics.size === 0 && !run.hasHeading;
    if (start !== undefined) {
      if (!isEmpty) run = begin(index, false);
    } else if (totals !== undefined) {
      if (!isEmpty) run = begin(index, true);
      run.hasHeading = true;
    } else if (name !== undefined) {
      const isNext = run.hasHeading ? TICKS.test(values) : run.metrics.has(name);
      // Its progress stands between the two.
      if (isNext) run = begin(end, false);
      if (!run.metrics.has(name)) run.metrics.set(name, valuesOf(values));
      end = index + line.length;
    }
  }
  return runs;
}
