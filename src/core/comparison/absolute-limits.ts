import type { GateRules, MetricLimit } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metricsOf } from '../metrics/registry.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { acceptanceFor } from './acceptance.ts';
import { casesSideBySide } from './compared-case.ts';
import type { Acceptance, AcceptedEntry, GateEntry, MetricComparison } from './comparison.ts';
import { endpointLoads, endpointOf, gatedOn } from './gating.ts';
import { publishedRequests } from './observations.ts';
import { absoluteSentence } from './sentences.ts';
import { limitsFor, limitsLevel } from './thresholds.ts';
import { unmeasuredLevels } from './unmeasured-levels.ts';
import { type HeldMetric, unusedLimits } from './unused-limits.ts';

/** What the limits that need no baseline come to in a run without one. */
export interface LevelLimits {
  /** Fails the gate. */
  broken: GateEntry[];
  /** Broken as well, and somebody accepts it: no failure. */
  accepted: AcceptedEntry[];
  /** Inconclusive. */
  unjudged: GateEntry[];
  /** Limits that no case can be held to. */
  warnings: Reason[];
}

/** Of a run that was compared: its comparison holds them. */
export const noLimits: LevelLimits = { broken: [], accepted: [], unjudged: [], warnings: [] };

interface LimitOptions {
  gate?: GateRules;
  accepted?: readonly Acceptance[];
}

/**
 * Limits that need no baseline, held against the published figures of a record's valid candidates on the cases that gate
 * each metric; reference services are not gated. Gate and acceptances are the record's own where none are given.
 */
export function absoluteLimits(record: RunRecord, options: LimitOptions = {}): LevelLimits {
  const { gate = record.comparing?.gate ?? record.spec.gate } = options;
  const { accepted = (record.comparing ?? record.unpaired)?.accepted ?? [] } = options;
  const loads = endpointLoads(record.cases);
  const candidates = record.cases.filter(({ variant, status }) => variant === 'candidate' && status === 'valid');
  const cases = casesSideBySide([], candidates, record.spec, record.comparing?.baselinePaths);
  const unmeasured = unmeasuredLevels(cases, gate, loads, record.spec);
  const broken: GateEntry[] = [];
  const tolerated: AcceptedEntry[] = [];
  const unjudged: GateEntry[] = [];
  const held: HeldMetric[] = [];
  for (const { key, service, names, limitNames, candidate } of cases) {
    for (const metric of metricsOf(record.spec)) {
      const entry = { caseKey: key, metric: metric.name };
      const lacking = unmeasured.find((each) => each.caseKey === key && each.metric === metric);
      if (lacking !== undefined) unjudged.push({ ...entry, message: lacking.message });
      const found = Object.hasOwn(candidate!.metrics, metric.name) ? candidate!.metrics[metric.name]! : null;
      const gates = gatedOn(metric, candidate!, loads.get(endpointOf(candidate!))!) !== null;
      if (found !== null || lacking !== undefined) held.push({ metric, service, names: limitNames, gates });
      const limit = limitsFor(gate, limitNames, metric.name);
      if (found === null || !gates || !limitsLevel(limit)) continue;
      const hit = brokenLimit(limit, found.value);
      const note = tailNote(metric, candidate!);
      if (note !== null) unjudged.push({ ...entry, message: unjudgedSentence(metric, note) });
      else if (hit !== null) {
        const message = absoluteSentence(metric, found.value, hit);
        const acceptance = acceptanceFor(accepted, names, metric.name);
        if (acceptance === undefined) broken.push({ ...entry, message });
        else tolerated.push({ ...entry, message, reason: acceptance.reason });
      }
    }
  }
  return { broken, accepted: tolerated, unjudged, warnings: unusedLimits(gate, held, null) };
}

/** Whether a run without a baseline passes by its limits. */
export function keepsLimits(
  { broken, unjudged }: Pick<LevelLimits, 'broken' | 'unjudged'>,
  failOnInconclusive: boolean,
): boolean {
  return broken.length === 0 && (unjudged.length === 0 || !failOnInconclusive);
}

/** Whether the gate limits anything that needs no baseline. */
export function hasLevelLimits({ metrics: forAll, cases }: Pick<GateRules, 'metrics' | 'cases'>): boolean {
  return [forAll, ...Object.values(cases)].some((limits) => Object.values(limits).some(limitsLevel));
}

export function brokenLimit({ max, min }: MetricLimit, value: number): MetricComparison['brokenLimit'] {
  if (max !== undefined && value > max) return { kind: 'max', value: max };
  return min !== undefined && value < min ? { kind: 'min', value: min } : null;
}

/** `Latency, p99: 5,000 requests are too few for a limit on it: …` */
export function unjudgedSentence({ title }: Pick<MetricDefinition, 'title'>, note: string): string {
  return `${title}: ${note}`;
}

/** Nothing tells how far a single figure may be off by chance: it rests on so many times the requests that one of several rounds does. */
const TIMES_A_ROUND = 20;

/** Why a case's published figure of a tail is not held against a limit; null where it is. */
export function tailNote(metric: MetricDefinition, record: CaseRecord): string | null {
  if (metric.tailRequests === null) return null;
  const needed = TIMES_A_ROUND * metric.tailRequests;
  const requests = publishedRequests(record.metrics.throughput);
  // Rates are held to a hundredth.
  if (requests >= needed * 0.99) return null;
  const count = (number: number) => Math.round(number).toLocaleString('en-US');
  return `${count(requests)} requests are too few for a limit on it: ${count(needed)} are needed, by a longer duration or a higher rate`;
}
