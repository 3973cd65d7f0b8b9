import { casesOf } from '../config/case.ts';
import type { ResolvedSpec, Service } from '../config/resolved.ts';
import { plannedRound } from './duets.ts';
import { serviceEstimate } from './estimate.ts';

/** How long one start of a service is meant to stand, in seconds: for all of its cases, or `isBrief` for one round of a comparison. */
export function standingSeconds(spec: ResolvedSpec, service: Service, isBrief: boolean): number {
  const cases = casesOf({ ...spec, services: [service] });
  return isBrief ? plannedRound(cases, spec, 'interleaved').seconds : serviceEstimate(spec, { cases }).wallSeconds;
}
