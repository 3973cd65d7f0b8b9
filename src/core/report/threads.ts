import { casesOf } from '../config/cases.ts';
import type { ResolvedSpec } from '../config/resolved.ts';

/** Connections → threads that wrk drove them with, as the plan has it. */
export function wrkThreads(spec: ResolvedSpec): Map<number, number> {
  // The threads are the same for every service and endpoint; a record may hold more of these than one wants to unfold.
  const one = { ...spec, services: spec.services.slice(0, 1), endpoints: spec.endpoints.slice(0, 1), gateway: null };
  return new Map(
    casesOf(one).flatMap(({ connections, load }): [number, number][] =>
      load.generator === 'wrk' ? [[connections, load.threads]] : [],
    ),
  );
}
