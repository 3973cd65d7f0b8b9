import type { GeneratorOutcome, LatencyMs } from '../generators/outcome.ts';
import type { TrialMeasurement } from '../measurement/measurement.ts';
import { metricNamed } from '../metrics/registry.ts';
import { median } from '../statistics/quantile.ts';
import { published } from './published.ts';
import type { CaseRecord, ReportedFigures } from './run-record.ts';

/** What generators printed beside the metrics, of the trials that published figures are of; nothing where that is nothing. */
export function reportedFigures(trials: readonly TrialMeasurement[]): Pick<CaseRecord, 'reported'> {
  const outcomes = published(trials).flatMap(({ outcome }) => outcome ?? []);
  const reported: ReportedFigures = {
    ...named('latencyMs', medians(outcomes.map(beyondMetrics))),
    ...named('phasesMs', phases(outcomes)),
    ...speed(outcomes),
    ...errorsOf(outcomes),
  };
  return Object.keys(reported).length === 0 ? {} : { reported };
}

function named<K extends string, V extends object>(name: K, value: V): { [N in K]?: V } {
  return Object.keys(value).length === 0 ? {} : ({ [name]: value } as { [N in K]?: V });
}

function beyondMetrics({ latencyMs = {} }: GeneratorOutcome): LatencyMs {
  return Object.fromEntries(Object.entries(latencyMs).filter(([name]) => metricNamed(`latency-${name}`) === undefined));
}

/** Of each figure that any of them has. */
function medians(all: readonly LatencyMs[]): Record<string, number> {
  const names = [...new Set(all.flatMap((each) => Object.keys(each)))];
  return Object.fromEntries(
    names.map((name) => [
      name,
      median(all.flatMap((each) => Object.entries(each).flatMap(([own, value]) => (own === name ? [value!] : [])))),
    ]),
  );
}

function phases(outcomes: readonly GeneratorOutcome[]): Record<string, Record<string, number>> {
  const names = [...new Set(outcomes.flatMap(({ phasesMs = {} }) => Object.keys(phasesMs)))];
  return Object.fromEntries(
    names.map((name) => [name, medians(outcomes.flatMap(({ phasesMs = {} }) => phasesMs[name] ?? []))]),
  );
}

function speed(outcomes: readonly GeneratorOutcome[]): Pick<ReportedFigures, 'bytesPerSecond'> {
  const values = outcomes.flatMap(({ bytesPerSecond }) => bytesPerSecond ?? []);
  return values.length === 0 ? {} : { bytesPerSecond: median(values) };
}

function errorsOf(outcomes: readonly GeneratorOutcome[]): Pick<ReportedFigures, 'requests' | 'errors'> {
  const counts: [string, number][] = outcomes.flatMap(({ errors = {} }) =>
    Object.entries(errors).flatMap(([kind, count]): [string, number][] =>
      count === undefined || count === 0 ? [] : [[kind, count]],
    ),
  );
  if (counts.length === 0) return {};
  const kinds = [...new Set(counts.map(([kind]) => kind))];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const requests = outcomes.flatMap((outcome) => outcome.requests ?? []);
  return {
    ...(requests.length === 0 ? {} : { requests: sum(requests) }),
    errors: Object.fromEntries(
      kinds.map((kind) => [kind, sum(counts.flatMap(([own, count]) => (own === kind ? [count] : [])))]),
    ),
  };
}
