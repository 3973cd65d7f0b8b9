import type { Variant } from '../plan/case.ts';
import type { Comparing, RunRecord } from '../record/run-record.ts';
import { Refusal } from '../refusal.ts';
import { buildWarnings } from './build-warnings.ts';
import { type ComparedCase, comparedCases } from './compared-case.ts';
import type { Acceptance, ComparedSide, Comparison } from './comparison.ts';
import { byCase, type Contrast, heldBy } from './contrast.ts';
import { contrastsOf } from './contrasts.ts';
import { type Answer, answersTo, FAMILY_ERROR_RATE } from './decision.ts';
import { gateResult } from './gate.ts';
import { gatedCase } from './gated-case.ts';
import { endpointLoads } from './gating.ts';
import { isGated } from './metric-comparison.ts';
import { canBeJudged, gateQuestions, serviceErrorRate } from './undecided.ts';
import { unmeasuredLevels } from './unmeasured-levels.ts';
import { unusedLimits } from './unused-limits.ts';
import { isWholeService } from './whole-service-key.ts';

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
  const contrasts = contrastsOf({ ...record, comparing });
  const answers = answersFor(contrasts, record);
  const own = byCase(contrasts);
  const cases = comparedCases(record);
  const unmeasured = unmeasuredLevels(cases, comparing.gate, endpointLoads(record.cases));
  const gated = cases.map((each) => gatedCase(each, own.get(each.key) ?? [], answers, unmeasured));
  const services = wholeServicesOf(contrasts).map((each) => gatedCase(each, own.get(each.key)!, answers));
  const cautions = [
    ...comparing.cautions,
    ...buildWarnings(record.services),
    ...unusedLimits(comparing.gate, [...contrasts.map(heldBy), ...unmeasured]),
  ];
  return {
    schemaVersion: 1,
    mode: comparing.mode,
    baseline: sideOf(record, comparing, 'baseline'),
    candidate: sideOf(record, comparing, 'candidate'),
    familyErrorRate: FAMILY_ERROR_RATE,
    cautions,
    skipped: comparing.skipped,
    cases: gated.map(({ comparison }) => comparison),
    services: services.map(({ comparison }) => comparison),
    gate: gateResult([...services, ...gated], {
      accepted: [...comparing.accepted, ...(options.accepted ?? [])],
      failOnInconclusive: options.failOnInconclusive ?? false,
      whole: troubles(record, comparing.skipped),
    }),
  };
}

/** One for each service, whatever is asked of it. */
function wholeServicesOf(contrasts: readonly Contrast[]): ComparedCase[] {
  const whole = contrasts.filter((contrast) => isWholeService(contrast.case)).map((contrast) => contrast.case);
  return [...new Map(whole.map((each) => [each.key, each])).values()];
}

/** What is only shown is a family of its own: it must not make the gate's questions stricter. */
function answersFor(contrasts: readonly Contrast[], record: RunRecord): Map<string, Answer> {
  const errorRate = serviceErrorRate(record);
  const services = [...new Set(contrasts.map((contrast) => contrast.case.service))];
  const answers = services.flatMap((service) => {
    const own = contrasts.filter((contrast) => contrast.case.service === service);
    const look = { instances: lastInstance(record, service), final: true };
    const shown = own.flatMap((contrast) =>
      contrast.question !== null && !isGated(contrast) && canBeJudged(contrast) ? [contrast.question] : [],
    );
    return [...answersTo(gateQuestions(own), look, errorRate), ...answersTo(shown, look, errorRate)];
  });
  return new Map(answers.map((answer) => [answer.id, answer]));
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
