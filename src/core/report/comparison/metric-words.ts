import { candidateFigure } from '../../comparison/candidate-figure.ts';
import type { MetricComparison } from '../../comparison/comparison.ts';
import { metrics } from '../../metrics/registry.ts';
import { changeFigure, metricFigure, percent } from './change-figures.ts';

/** The metric's title, as every report has it; its name where this wrkbench does not know it. */
export function metricTitle(metric: string): string {
  return metrics.find(({ name }) => name === metric)?.title ?? metric;
}

/** Names in the order that reports show metrics, those that are not known at the end. */
export function inReportOrder(names: Iterable<string>): string[] {
  const place = (name: string) => {
    const index = metrics.findIndex((metric) => metric.name === name);
    return index === -1 ? metrics.length : index;
  };
  return [...new Set(names)].sort((one, other) => place(one) - place(other));
}

/** Within a line of figures: `1.4 % CPU`. */
export function shortName(metric: string): string {
  return words.get(metric)?.short ?? metric;
}

/** What a case does with a metric that changed: `costs 6.1 % more CPU per request`. */
export function changePhrase(metric: string, compared: MetricComparison): string {
  const { brokenLimit, change, baseline, candidate, verdict } = compared;
  if (brokenLimit !== null && verdict !== 'regression') {
    const [is, limit] = [candidate, brokenLimit.value].map((value) => metricFigure(metric, compared, value));
    const side = brokenLimit.kind === 'max' ? 'over' : 'under';
    return `has ${shortName(metric)} at ${is}, ${side} its limit of ${limit}`;
  }
  const sides = [baseline, candidateFigure(compared)];
  const figures = sides.map((value) => metricFigure(metric, compared, value)) as [string, string];
  const known = words.get(metric);
  if (known?.counts !== undefined) return known.counts(...figures);
  if (change === null || known === undefined) {
    return `has ${shortName(metric)} ${figures[1]} instead of ${figures[0]} (${changeFigure(metric, compared)})`;
  }
  return (change > 0 ? known.up : known.down).replace('%', percent(change));
}

interface MetricWords {
  short: string;
  /** `%` stands for the figure. */
  up: string;
  down: string;
  /** Where the figures themselves say more than a percentage. */
  counts?: (baseline: string, candidate: string) => string;
}

const more = (short: string, verb: string, what: string): MetricWords => ({
  short,
  up: `${verb} % more ${what}`,
  down: `${verb} % less ${what}`,
});

const slower = (short: string, where: string): MetricWords => ({
  short,
  up: `takes % longer ${where}`,
  down: `takes % less time ${where}`,
});

const counted = (short: string, verb: string, what: string): MetricWords => ({
  ...more(short, verb, what),
  counts: (baseline, candidate) => `${verb} ${candidate} ${what} instead of ${baseline}`,
});

const words = new Map<string, MetricWords>(
  Object.entries({
    throughput: {
      short: 'throughput',
      up: 'answers % more requests per second',
      down: 'answers % fewer requests per second',
    },
    'latency-mean': slower('mean latency', 'on average'),
    'latency-p50': slower('p50', 'at p50'),
    'latency-p75': slower('p75', 'at p75'),
    'latency-p90': slower('p90', 'at p90'),
    'latency-p99': slower('p99', 'at p99'),
    'latency-max': slower('max latency', 'at most'),
    errors: counted('errors', 'fails', 'of its requests'),
    'cpu-per-request': more('CPU', 'costs', 'CPU per request'),
    'database-cpu-per-request': more('database CPU', 'costs', 'CPU per request in the database'),
    'memory-idle': more('idle memory', 'needs', 'memory before the load'),
    'memory-peak': more('peak memory', 'needs', 'memory at its peak'),
    'memory-settled': more('settled memory', 'keeps', 'memory after the load'),
    'queries-per-request': counted('queries', 'sends', 'queries per request'),
    'rows-per-request': counted('rows', 'reads', 'rows per request'),
    'bytes-per-response': {
      ...more('bytes', 'answers with', 'bytes'),
      counts: (baseline, candidate) => `answers with ${candidate} instead of ${baseline}`,
    },
  }),
);
