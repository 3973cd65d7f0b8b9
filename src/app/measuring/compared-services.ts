import type { ResolvedSpec, Service } from '../../core/spec/resolved.ts';

/** The baseline's services that the candidate has as well; a reference only calibrates, and is measured on its own. */
export function comparedServices(candidate: readonly Service[], baseline: ResolvedSpec): Service[] {
  return candidate
    .filter(({ role }) => role === 'subject')
    .flatMap(({ name }) => baseline.services.filter((service) => service.name === name));
}
