import type { GateRules, ResolvedSpec } from '../config/resolved.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metricsOf } from '../metrics/registry.ts';
import type { CaseRecord } from '../record/run-record.ts';
import type { ComparedCase } from './compared-case.ts';
import { type EndpointLoad, endpointOf, gatedOn } from './gating.ts';
import { limitsFor, limitsLevel } from './thresholds.ts';

/** A limit of a level that a case is to be held to, and a metric that it lacks. */
export interface UnmeasuredLevel {
  caseKey: string;
  service: string;
  names: readonly string[];
  metric: MetricDefinition;
  gates: true;
  message: string;
}

/**
 * Of valid candidates: what neither side has although another case of the run has it. Such a limit is neither kept nor
 * broken; where no case has the metric, the limit as a whole is unused.
 */
export function unmeasuredLevels(
  cases: readonly ComparedCase[],
  gate: GateRules,
  loads: ReadonlyMap<string, EndpointLoad>,
  spec: Pick<ResolvedSpec, 'dependencies'>,
): UnmeasuredLevel[] {
  const metrics = metricsOf(spec);
  const measured = new Set(
    cases.flatMap(({ baseline, candidate }) =>
      [baseline, candidate].flatMap((side) => (side === null ? [] : Object.keys(side.metrics))),
    ),
  );
  return cases.flatMap(({ key, service, limitNames: names, baseline, candidate }) => {
    if (candidate?.status !== 'valid') return [];
    const load = loads.get(endpointOf(candidate))!;
    return metrics.flatMap((metric): UnmeasuredLevel[] => {
      if (has(candidate, metric) || has(baseline, metric) || !measured.has(metric.name)) return [];
      const limit = limitsFor(gate, names, metric.name);
      if (!limitsLevel(limit) || gatedOn(metric, candidate, load) === null) return [];
      const message = `${metric.title}: it is limited, and was not measured here`;
      return [{ caseKey: key, service, names, metric, gates: true, message }];
    });
  });
}

function has(record: CaseRecord | null, { name }: MetricDefinition): boolean {
  return record !== null && Object.hasOwn(record.metrics, name);
}
