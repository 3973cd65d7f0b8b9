import { UnreadableOutput } from '../definition.ts';
import { beginningOf } from '../excerpt.ts';
import { figure, present } from '../figures.ts';
import { severalRuns } from '../one-run.ts';
import type { GeneratorOutcome } from '../outcome.ts';
import { metricsOfLoad } from './lead-in.ts';
import { type K6Metrics, outcomeOfMetrics } from './metrics.ts';

type Json = Record<string, unknown>;

/** The first line of what `--out json` writes; the names come in either order. */
const SAMPLES = /^\s*\{(?:"type":"(?:Metric|Point)",|"metric":"[^"]*",\s*"type":"(?:Metric|Point)",)/;
/** k6 puts the first brace of a document on a line of its own, or the whole document on one. */
const BEGINNING = /^\{/gm;
const NO_SUMMARY =
  'These are the single samples that k6 writes with --out json, one on each line, and not a summary. Give what k6 writes with --summary-export=FILE or in handleSummary, or the text that it prints at its end.';

/**
 * Reads a summary of k6 as JSON, in any of the forms that k6 1.x writes:
 *
 *     handleSummary(data)              {metrics: {NAME: {type, contains, values: {…}}}, state: {testRunDurationMs}}
 *     --summary-export                 {metrics: {NAME: {avg, …}}, root_group}
 *     --new-machine-readable-summary   {results: {metrics: [{name, type, values}]}, config: {duration}, metadata}
 *
 * Throws `UnreadableOutput`, and nothing else.
 */
export function parseK6Summary(json: string): GeneratorOutcome<'k6'> {
  const { summary, metrics } = readK6Summary(json);
  const load = metricsOfLoad(metrics);
  const loadSeconds = figure(record(summary.wrkbench).loadSeconds);
  if (load !== null && loadSeconds !== undefined) {
    return { ...outcomeOfMetrics(load.metrics, loadSeconds), leadInRequests: load.leadInRequests };
  }
  const ms = figure(record(summary.state).testRunDurationMs);
  const seconds = ms === undefined ? figure(record(summary.config).duration) : ms / 1000;
  const version = record(summary.metadata).k6_version;
  return {
    ...outcomeOfMetrics(metrics, seconds === 0 ? undefined : seconds),
    ...present({ version: typeof version === 'string' ? version : undefined }),
  };
}

/** A summary and its metrics, of which there is at least one. Throws `UnreadableOutput`, and nothing else. */
export function readK6Summary(json: string): { summary: Json; metrics: K6Metrics } {
  if (SAMPLES.test(json)) throw new UnreadableOutput(NO_SUMMARY);
  const beginnings = json.match(BEGINNING)?.length ?? 0;
  if (beginnings > 1) throw severalRuns('k6', beginnings);
  const summary = objectOf(json);
  const results = record(summary.results);
  const metrics = Array.isArray(results.metrics)
    ? metricsOfList([...results.metrics, ...listOf(record(results.checks).metrics)])
    : metricsOfMap(record(summary.metrics));
  if (metrics.size === 0) {
    throw new UnreadableOutput(
      `This JSON is not a summary of k6: neither “metrics” nor “results.metrics” holds a metric, and ${beginningOf(json)}. Give what handleSummary, --summary-export or the end-of-test text holds.`,
    );
  }
  return { summary, metrics };
}

function metricsOfMap(map: Json): K6Metrics {
  return new Map(
    Object.entries(map).map(([name, metric]) => {
      const { values } = record(metric);
      return [name, valuesOf(values === undefined ? record(metric) : record(values))];
    }),
  );
}

function metricsOfList(list: unknown[]): K6Metrics {
  return new Map(list.map(record).map(({ name, values }) => [String(name), valuesOf(record(values))]));
}

/** Of a rate, k6 calls the samples that were true `passes` (also those of `http_req_failed`) or `matches`. */
function valuesOf(values: Json): Record<string, number | undefined> {
  const { passes, fails, matches, total } = values;
  const figures = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, figure(value)]));
  if (passes !== undefined) return { ...figures, trues: figure(passes), falses: figure(fails) };
  if (matches === undefined) return figures;
  return { ...figures, trues: figure(matches), falses: figure(Number(total) - Number(matches)) };
}

function objectOf(json: string): Json {
  try {
    return record(JSON.parse(json));
  } catch {
    throw new UnreadableOutput(
      `This begins like the JSON summary of k6 and is not whole: ${beginningOf(json)}. k6 was stopped while it wrote, or the disk is full.`,
    );
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
