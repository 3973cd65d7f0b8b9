import { absentSentence, absentServices } from '../baseline/absent-services.ts';
import type { Reason, Variant } from '../measurement/names.ts';
import { metricsOf } from '../metrics/registry.ts';
import type { Comparing, RunRecord } from '../record/run-record.ts';
import { UserError } from '../user-error.ts';
import { ALL_BEYOND, isBeyondService } from '../validity/beyond-service.ts';
import { LATE_ANSWERS } from '../validity/rules.ts';
import { buildWarnings } from './build-warnings.ts';
import { type ComparedCase, comparedCases } from './compared-case.ts';
import { byCase, type ComparedMetric, heldBy } from './compared-metric.ts';
import { comparedMetricsOf } from './compared-metrics.ts';
import type { Acceptance, ComparedSide, Comparison } from './comparison.ts';
import { countsOfInvalid } from './counts-of-invalid.ts';
import { lessData, withDataRows } from './data-rows.ts';
import { type Decision, decisionsOn, FAMILY_ERROR_RATE } from './decision.ts';
import { ratiosErrorRate, serviceErrorRate } from './error-rates.ts';
import { type GatedCase, gateResult } from './gate.ts';
import { gatedCase } from './gated-case.ts';
import { endpointLoads } from './gating.ts';
import { growingMemory, heldToGrowth } from './growing-memory.ts';
import { layoutWarning } from './layout-warning.ts';
import { oneSidedFailures } from './one-sided-failures.ts';
import { gateHypotheses, hasRedEndpoint, leftOpenByRed, shownHypotheses } from './undecided.ts';
import { isUnit } from './unit-key.ts';
import { unjudgedServices } from './unjudged-services.ts';
import { unmeasuredLevels } from './unmeasured-levels.ts';
import { unusedLimits } from './unused-limits.ts';
import { varyingCounts } from './varying-counts.ts';
import { withFittingHint } from './worktree-hint.ts';

/** The record holds no baseline to compare with. */
export class NotCompared extends UserError {
  override name = 'NotCompared';
}

export interface ComparisonOptions {
  /** Beside those of the record. */
  accepted?: readonly Acceptance[];
  failOnInconclusive?: boolean;
}

/** The comparison of a record of `run --baseline`; the same record gives the same one again. Throws `NotCompared`. */
export function comparisonOf(record: RunRecord, options: ComparisonOptions = {}): Comparison {
  const { comparing } = record;
  if (comparing === undefined) {
    throw new NotCompared(`The run ${record.id} measured no baseline: there is nothing in it to compare with.`);
  }
  const all = comparedMetricsOf({ ...record, comparing });
  const decisions = decisionsFor(all, record);
  const comparedMetrics = withSettledServices(all, decisions);
  const own = byCase(comparedMetrics);
  const cases = comparedCases(record);
  const unmeasured = unmeasuredLevels(cases, comparing.gate, endpointLoads(record.cases), record.spec);
  const leftOpen = leftOpenByRed(all, decisions, comparing.accepted);
  const counts = countsOfInvalid(comparedMetrics);
  const gated = withLeftOut(
    cases.map((each) => gatedCase(each, own.get(each.key) ?? [], decisions, { unmeasured, leftOpen, counts })),
  );
  const units = unitsOf(comparedMetrics).map(({ level, of }) => ({
    level,
    ...gatedCase(of, own.get(of.key)!, decisions, { leftOpen }),
  }));
  const [endpoints, services] = ['endpoint', 'service'].map((level) => units.filter((unit) => unit.level === level));
  const held = [...comparedMetrics.map(heldBy), ...unmeasured, ...heldToGrowth(record.cases)];
  const warnings = [
    ...withFittingHint(withDataRows(comparing.warnings, record), record),
    ...absenceWarnings(record),
    ...buildWarnings(record.services),
    ...unusedLimits(comparing.gate, held, comparing.mode),
    ...unjudgedServices(comparing.gate, cases, held),
    ...varyingCounts(comparedMetrics),
  ];
  const accepted = [...comparing.accepted, ...(options.accepted ?? [])];
  const less = lessData(comparing.warnings, record, accepted);
  const comparison: Comparison = {
    schemaVersion: 1,
    mode: comparing.mode,
    baseline: sideOf(record, comparing, 'baseline'),
    candidate: sideOf(record, comparing, 'candidate'),
    familyErrorRate: FAMILY_ERROR_RATE,
    warnings,
    skipped: comparing.skipped,
    cases: gated.map(({ comparison }) => comparison),
    endpoints: endpoints!.map(({ comparison }) => comparison),
    services: services!.map(({ comparison }) => comparison),
    gate: gateResult([...services!, ...endpoints!, ...gated], {
      metrics: metricsOf(record.spec),
      accepted,
      failOnInconclusive: options.failOnInconclusive ?? false,
      whole: [
        ...wholeFailures(record, comparing.skipped),
        ...(less === null ? [] : [less]),
        ...oneSidedFailures(record),
        ...growingMemory(record.cases, comparing.gate),
      ],
    }),
  };
  const layout = layoutWarning(comparison);
  return layout === null ? comparison : { ...comparison, warnings: [...warnings, layout] };
}

/** What a service leaves open is waited for no longer once an endpoint of it is red, and so must not hold up the gate. */
function withSettledServices(
  comparedMetrics: readonly ComparedMetric[],
  decisions: ReadonlyMap<string, Decision>,
): ComparedMetric[] {
  return comparedMetrics.map((comparedMetric) =>
    comparedMetric.level === 'service' && hasRedEndpoint(comparedMetric, comparedMetrics, decisions)
      ? { ...comparedMetric, judgedBy: comparedMetric.case.key }
      : comparedMetric,
  );
}

/** One for each endpoint and service that is judged for its cases together, whatever its metrics are. */
function unitsOf(comparedMetrics: readonly ComparedMetric[]): { level: ComparedMetric['level']; of: ComparedCase }[] {
  const units = comparedMetrics.filter((comparedMetric) => isUnit(comparedMetric.case.key));
  return [...new Map(units.map(({ level, case: of }) => [of.key, { level, of }])).values()];
}

/** What is only shown is a family of its own: it must not make the gate stricter. */
function decisionsFor(comparedMetrics: readonly ComparedMetric[], record: RunRecord): Map<string, Decision> {
  const services = [...new Set(comparedMetrics.map((comparedMetric) => comparedMetric.case.service))];
  const decisions = services.flatMap((service) => {
    const own = comparedMetrics.filter((comparedMetric) => comparedMetric.case.service === service);
    const analysis = { rounds: lastRound(record, service), final: true };
    const errorRate = ratiosErrorRate(serviceErrorRate(record), own);
    return [gateHypotheses(own), shownHypotheses(own)].flatMap((family) => decisionsOn(family, analysis, errorRate));
  });
  return new Map(decisions.map((decision) => [decision.id, decision]));
}

function lastRound({ cases }: RunRecord, service: string): number {
  const rounds = cases
    .filter((each) => each.service === service)
    .flatMap(({ metrics }) => Object.values(metrics).flatMap(({ samples }) => samples.map(({ round }) => round)));
  return rounds.reduce((most, each) => Math.max(most, each), 0);
}

/** What makes the comparison as a whole invalid: a run that broke off, or one without a case, must not be green. */
export function wholeFailures({ interrupted, cases }: RunRecord, skipped: Comparison['skipped']): string[] {
  if (interrupted !== null)
    return [`The run ended early, and what it did not measure is unknown. ${interrupted.message}`];
  if (cases.length > 0 && cases.every(isBeyondService)) return [ALL_BEYOND];
  return cases.length === 0 && skipped === null ? ['No case was measured.'] : [];
}

/** Services that are not there, so that nobody takes them for compared. */
export function absenceWarnings(record: RunRecord): Reason[] {
  return absentServices(record).map((each) => ({ code: 'absent', message: absentSentence(each) }));
}

function sideOf({ id, services }: RunRecord, comparing: Comparing, variant: Variant): ComparedSide {
  const { recordId, sha, text } = comparing[variant];
  const own = services.filter((service) => service.variant === variant);
  const builds = own.flatMap(({ service, builds = [] }) =>
    builds.length > 1 ? [[service, builds.length] as const] : [],
  );
  return {
    id: recordId ?? id,
    sha,
    images: Object.fromEntries(own.map(({ service, artifact }) => [service, artifact])),
    ...(builds.length === 0 ? {} : { builds: Object.fromEntries(builds) }),
    origin: text,
  };
}

/**
 * What says more of the machine, or of a load that neither side can be given, than of a change. What a server answers is none of
 * it: a service whose answers are wrong on both sides must not pass.
 */
const OF_THE_LOAD: ReadonlySet<string> = new Set([
  'rate-not-held',
  'generator-bound',
  'connections-lost',
  'ports-exhausted',
  'keep-alive-not-on',
  'keep-alive-not-off',
  'no-latencies',
  LATE_ANSWERS,
]);

/**
 * A case that fails alike on both sides is left out, with its reason, where its endpoint has another one that can be judged: it is then
 * judged on the rest.
 */
function withLeftOut(cases: readonly GatedCase[]): GatedCase[] {
  const placeOf = ({ comparison: { service, endpoint } }: GatedCase) => `${service} ${endpoint}`;
  const judged = new Set(
    cases.flatMap((each) =>
      each.comparison.presence === 'both' && each.comparison.reasons.length === 0 ? [placeOf(each)] : [],
    ),
  );
  return cases.map((each) =>
    each.failsAlike !== null && OF_THE_LOAD.has(each.failsAlike) && judged.has(placeOf(each))
      ? { ...each, isLeftOut: true }
      : each,
  );
}
