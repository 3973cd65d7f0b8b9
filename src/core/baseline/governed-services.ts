import type { Gateway, ResolvedSpec, Service } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import type { CaseRecord, RunRecord } from '../record/run-record.ts';
import { CLOSES_CONNECTIONS, ERRORS_LET_PASS } from '../validity/rules.ts';
import { canonicalText } from './canonical.ts';

/** What of a service says how it is measured and what is let pass: a change cannot soften these for itself. */
const GOVERNED = { keepAlive: 'keep-alive', errors: 'errors', cpus: 'cpus', durationSeconds: 'duration' } as const;
type Governed = keyof typeof GOVERNED;
const governedKeys = Object.keys(GOVERNED) as Governed[];

/**
 * The candidate's services, with what the baseline's spec says of how each of those that it gates is measured. What a service is
 * (image, command, environment, network) stays its own.
 */
export function governedServices(candidate: ResolvedSpec, baseline: ResolvedSpec): Service[] {
  return candidate.services.map((service) => {
    const before = gatedService(baseline, service.name);
    if (before === undefined) return service;
    const theirs = governedKeys.flatMap((key) => (before[key] === undefined ? [] : [[key, before[key]]]));
    return { ...ownPart(service), ...Object.fromEntries(theirs) };
  });
}

/** All of a service that is its own in a comparison. */
function ownPart(service: Service): Service {
  const own = Object.entries(service).filter(([key]) => !governedKeys.includes(key as Governed));
  return Object.fromEntries(own) as unknown as Service;
}

/** The candidate's gateway, configured by the file of the baseline's, or by ours where that names none. Which endpoints it has is its own. */
export function governedGateway(candidate: Gateway | null, baseline: Gateway | null): Gateway | null {
  if (candidate === null || baseline === null) return candidate;
  const own = unconfigured(candidate);
  return baseline.config === undefined ? own : { ...own, config: baseline.config };
}

function unconfigured({ config: _, ...own }: Gateway): Gateway {
  return own;
}

/** The spec without what a baseline's may say in its place, but for the load: of requests their names alone. */
export function withoutGoverned({ services, endpoints, gateway, login: _, ...spec }: ResolvedSpec): unknown {
  return {
    ...spec,
    services: services.map((service) => ({ ...ownPart(service), basePath: null })),
    endpoints: endpoints.map(({ name }) => name),
    gateway: gateway === null ? null : unconfigured(gateway),
  };
}

function gatewayWarnings({ gateway }: ResolvedSpec, { gateway: before }: ResolvedSpec): Reason[] {
  if (gateway === null || before === null || gateway.config === before.config) return [];
  const message = "Both specs differ in `gateway.config`: the baseline's spec counts for both sides.";
  return [{ code: 'gateway-differs', message }];
}

/** Which of these the specs disagree on, and that the baseline's hold. */
export function governedWarnings(candidate: ResolvedSpec, baseline: ResolvedSpec): Reason[] {
  return [...serviceWarnings(candidate, baseline), ...gatewayWarnings(candidate, baseline)];
}

function serviceWarnings(candidate: ResolvedSpec, baseline: ResolvedSpec): Reason[] {
  return candidate.services.flatMap((service) => {
    const before = gatedService(baseline, service.name);
    const differing = governedKeys.filter(
      (key) => before !== undefined && canonicalText(service[key] ?? null) !== canonicalText(before[key] ?? null),
    );
    if (differing.length === 0) return [];
    const keys = differing.map((key) => `\`${GOVERNED[key]}\``).join(', ');
    const message = `Both specs differ in ${keys} of ${service.name}: the baseline's spec counts.`;
    return [{ code: 'service-load-differs', message }];
  });
}

/** The record with its cases held to what the baseline's spec lets pass: what is marked for the record's own spec alone is invalid. */
export function heldToBaseline(record: RunRecord, baseline: ResolvedSpec): RunRecord {
  const cases = record.cases.map((each) => held(each, gatedService(baseline, each.service)));
  return cases.every((each, index) => each === record.cases[index]) ? record : { ...record, cases };
}

function held(each: CaseRecord, before: Service | undefined): CaseRecord {
  if (before === undefined || each.variant !== 'candidate') return each;
  const broken = each.warnings.flatMap(({ code, message }): Reason[] => {
    if (code === CLOSES_CONNECTIONS && before.keepAlive !== 'closes') {
      return [{ code: 'keep-alive-not-on', message: `${message}. The baseline's spec expects it to keep them.` }];
    }
    const errors = each.metrics.errors?.value ?? Number.POSITIVE_INFINITY;
    if (code === ERRORS_LET_PASS && errors > (before.errors?.max ?? 0)) {
      return [{ code: 'errors', message: `${message}. The baseline's spec does not let so many pass.` }];
    }
    return [];
  });
  return broken.length === 0 ? each : { ...each, status: 'invalid', reasons: [...each.reasons, ...broken] };
}

/** A reference of the baseline's gates nothing, and governs nothing. */
function gatedService({ services }: ResolvedSpec, wanted: string): Service | undefined {
  return services.find(({ name, role }) => name === wanted && role === 'subject');
}
