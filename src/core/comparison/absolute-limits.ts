import type { MetricDefinition } from '../metrics/definition.ts';
import { metrics } from '../metrics/registry.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import type { GateRules, MetricLimit } from '../spec/resolved.ts';
import { casesSideBySide } from './compared-case.ts';
import type { GateEntry, MetricComparison } from './comparison.ts';
import { endpointLoads, endpointOf, gatedOn, isTail } from './gating.ts';
import { LEAST_TAIL_REQUESTS, requestsIn } from './observations.ts';
import { absoluteSentence } from './sentences.ts';
import { limitsFor } from './thresholds.ts';

/**
 * Limits that need no baseline, held against the published figures of a record's valid candidates on the cases that gate
 * each metric; reference services are not gated. `broken` fails the gate, `unjudged` is inconclusive.
 */
export function absoluteLimits(
  record: RunRecord,
  gate: GateRules = record.comparing?.gate ?? record.spec.gate,
): { broken: GateEntry[]; unjudged: GateEntry[] } {
  const loads = endpointLoads(record.cases);
  const candidates = record.cases.filter(({ variant, status }) => variant === 'candidate' && status === 'valid');
  const broken: GateEntry[] = [];
  const unjudged: GateEntry[] = [];
  for (const { key, names, candidate } of casesSideBySide([], candidates, record.spec)) {
    for (const metric of metrics) {
      const found = Object.hasOwn(candidate!.metrics, metric.name) ? candidate!.metrics[metric.name]! : null;
      const limit = limitsFor(gate, names, metric.name);
      if (found === null || !limitsLevel(limit)) continue;
      if (gatedOn(metric, candidate!, loads.get(endpointOf(candidate!))!) === null) continue;
      const entry = { caseKey: key, metric: metric.name };
      const hit = brokenLimit(limit, found.value);
      const note = tailNote(metric, candidate!);
      if (note !== null) unjudged.push({ ...entry, message: `${metric.title}: ${note}` });
      else if (hit !== null) broken.push({ ...entry, message: absoluteSentence(metric, found.value, hit) });
    }
  }
  return { broken, unjudged };
}

export function limitsLevel({ max, min }: MetricLimit): boolean {
  return max !== undefined || min !== undefined;
}

export function brokenLimit({ max, min }: MetricLimit, value: number): MetricComparison['brokenLimit'] {
  if (max !== undefined && value > max) return { kind: 'max', value: max };
  return min !== undefined && value < min ? { kind: 'min', value: min } : null;
}

/** Why a case's published figure of a tail is not held against a limit; null where it is. */
export function tailNote(metric: MetricDefinition, record: CaseRecord): string | null {
  if (!isTail(metric)) return null;
  const samples = record.metrics.throughput?.samples ?? [];
  const alone = samples.filter(({ mode }) => mode === 'alone');
  const requests = alone.reduce((sum, sample) => sum + requestsIn(sample), 0);
  // Rates are held to a hundredth.
  if (requests >= LEAST_TAIL_REQUESTS * 0.99) return null;
  const count = (number: number) => Math.round(number).toLocaleString('en-US');
  return `${count(requests)} requests are too few for a limit on it: ${count(LEAST_TAIL_REQUESTS)} are needed, by a longer duration or a higher rate`;
}
