import type { Variant } from '../plan/case.ts';
import type { Comparing, RunRecord } from '../record/run-record.ts';
import { Refusal } from '../refusal.ts';
import { buildWarnings } from './build-warnings.ts';
import { type ComparedCase, comparedCases } from './compared-case.ts';
import type { Acceptance, ComparedSide, Comparison } from './comparison.ts';
import { byCase, type Contrast, heldBy } from './contrast.ts';
import { contrastsOf } from './contrasts.ts';
import { type Decision, decisionsOn, FAMILY_ERROR_RATE } from './decision.ts';
import { gateResult } from './gate.ts';
import { gatedCase } from './gated-case.ts';
import { endpointLoads } from './gating.ts';
import { layoutCaution } from './layout-caution.ts';
import { withLeftOut } from './left-out.ts';
import { gateHypotheses, hasRedEndpoint, serviceErrorRate, shownHypotheses } from './undecided.ts';
import { isUnit } from './unit-key.ts';
import { unmeasuredLevels } from './unmeasured-levels.ts';
import { unusedLimits } from './unused-limits.ts';

/** The record holds no baseline to compare with. */
export class NotCompared extends Refusal {
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
  const all = contrastsOf({ ...record, comparing });
  const decisions = decisionsFor(all, record);
  const contrasts = withSettledServices(all, decisions);
  const own = byCase(contrasts);
  const cases = comparedCases(record);
  const unmeasured = unmeasuredLevels(cases, comparing.gate, endpointLoads(record.cases));
  const gated = withLeftOut(cases.map((each) => gatedCase(each, own.get(each.key) ?? [], decisions, unmeasured)));
  const units = unitsOf(contrasts).map(({ level, of }) => ({ level, ...gatedCase(of, own.get(of.key)!, decisions) }));
  const [endpoints, services] = ['endpoint', 'service'].map((level) => units.filter((unit) => unit.level === level));
  const cautions = [
    ...comparing.cautions,
    ...buildWarnings(record.services),
    ...unusedLimits(comparing.gate, [...contrasts.map(heldBy), ...unmeasured]),
  ];
  const comparison: Comparison = {
    schemaVersion: 1,
    mode: comparing.mode,
    baseline: sideOf(record, comparing, 'baseline'),
    candidate: sideOf(record, comparing, 'candidate'),
    familyErrorRate: FAMILY_ERROR_RATE,
    cautions,
    skipped: comparing.skipped,
    cases: gated.map(({ comparison }) => comparison),
    endpoints: endpoints!.map(({ comparison }) => comparison),
    services: services!.map(({ comparison }) => comparison),
    gate: gateResult([...services!, ...endpoints!, ...gated], {
      accepted: [...comparing.accepted, ...(options.accepted ?? [])],
      failOnInconclusive: options.failOnInconclusive ?? false,
      whole: troubles(record, comparing.skipped),
    }),
  };
  const layout = layoutCaution(comparison);
  return layout === null ? comparison : { ...comparison, cautions: [...cautions, layout] };
}

/** What a service leaves open is waited for no longer once an endpoint of it is red, and so must not hold up the gate. */
function withSettledServices(contrasts: readonly Contrast[], decisions: ReadonlyMap<string, Decision>): Contrast[] {
  return contrasts.map((contrast) =>
    contrast.level === 'service' && hasRedEndpoint(contrast, contrasts, decisions)
      ? { ...contrast, judgedBy: contrast.case.key }
      : contrast,
  );
}

/** One for each endpoint and service that is judged for its cases together, whatever its metrics are. */
function unitsOf(contrasts: readonly Contrast[]): { level: Contrast['level']; of: ComparedCase }[] {
  const units = contrasts.filter((contrast) => isUnit(contrast.case.key));
  return [...new Map(units.map(({ level, case: of }) => [of.key, { level, of }])).values()];
}

/** What is only shown is a family of its own: it must not make the gate stricter. */
function decisionsFor(contrasts: readonly Contrast[], record: RunRecord): Map<string, Decision> {
  const errorRate = serviceErrorRate(record);
  const services = [...new Set(contrasts.map((contrast) => contrast.case.service))];
  const decisions = services.flatMap((service) => {
    const own = contrasts.filter((contrast) => contrast.case.service === service);
    const look = { rounds: lastInstance(record, service), final: true };
    return [gateHypotheses(own), shownHypotheses(own)].flatMap((family) => decisionsOn(family, look, errorRate));
  });
  return new Map(decisions.map((decision) => [decision.id, decision]));
}

function lastInstance({ cases }: RunRecord, service: string): number {
  const instances = cases
    .filter((each) => each.service === service)
    .flatMap(({ metrics }) => Object.values(metrics).flatMap(({ samples }) => samples.map(({ instance }) => instance)));
  return instances.reduce((most, each) => Math.max(most, each), 0);
}

/** What makes the comparison as a whole invalid: a run that broke off, or one without a case, must not be green. */
export function troubles({ interrupted, cases }: RunRecord, skipped: Comparison['skipped']): string[] {
  if (interrupted !== null)
    return [`The run ended early, and what it did not measure is unknown. ${interrupted.message}`];
  return cases.length === 0 && skipped === null ? ['No case was measured.'] : [];
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
