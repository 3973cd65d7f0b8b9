import type { GeneratorOutcome } from './outcome.ts';
import { type GeneratorName, generators } from './registry.ts';

/**
 * What a load came to at a service that closes each connection by design. One that does so without `Connection: close` (uWSGI) leaves the
 * generator to find the end when it has written the next request, which nobody reads: it counts a failed read and asks again over
 * a new connection. No request fails by it, and none is answered twice.
 */
export function withoutEndings<Tool extends string>(
  outcome: GeneratorOutcome<Tool>,
  generator: GeneratorName,
): GeneratorOutcome<Tool> {
  const { requests = 0, sentRequests, errors } = outcome;
  const endings = Math.min(errors?.read ?? 0, requests);
  if (generators[generator].readsUntilClosed || endings === 0) return outcome;
  return {
    ...outcome,
    // Whether the next request had been written by then depends on who was faster.
    ...(sentRequests === undefined ? {} : { sentRequests: Math.max(requests, sentRequests - endings) }),
    errors: { ...errors, read: errors!.read! - endings },
  };
}
