import { type Case, endpointsOf } from '../../core/config/case.ts';
import type { ResolvedSpec, Service } from '../../core/config/resolved.ts';

/** The baseline's services that the candidate has as well; a reference only calibrates, and is measured on its own. */
export function comparedServices(candidate: readonly Service[], baseline: ResolvedSpec): Service[] {
  return candidate
    .filter(({ role }) => role === 'subject')
    .flatMap(({ name }) => baseline.services.filter((service) => service.name === name));
}

/** Of the cases of a service that both have, those whose endpoint and route the baseline has too; the others are new. */
export function comparedCases(cases: readonly Case[], baseline: ResolvedSpec): Case[] {
  return cases.filter(({ service, endpoint, route }) => {
    const own = baseline.services.find(({ name }) => name === service.name);
    const known = own === undefined ? [] : endpointsOf(baseline, own);
    return known.some(({ name }) => name === endpoint.name) && (route === 'direct' || baseline.gateway !== null);
  });
}
