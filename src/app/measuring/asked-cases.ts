import type { Case } from '../../core/config/case.ts';
import { filledRequest, RequestValueError } from '../../core/config/request-values.ts';
import type { Endpoint, ResolvedSpec } from '../../core/config/resolved.ts';
import type { Testbed } from '../ports/testbed.ts';

/**
 * Requests as a testbed is asked: with what its login has taken, and the caller's variables. Those of another start are others, so that
 * plans, journals and records have the written ones, and only what is asked is filled in. One that cannot be filled in is asked as it is
 * written, which `withLogin` has warned of.
 */
function askedEndpoint(endpoint: Endpoint, { values }: Pick<Testbed, 'values'>): Endpoint {
  const [first] = values ?? [];
  if (first === undefined) return endpoint;
  try {
    return filledRequest(endpoint, first);
  } catch (error) {
    if (!(error instanceof RequestValueError)) throw error;
    // Its own cases are lost with it, and no others.
    return endpoint;
  }
}

/** The same of a case. */
export function askedCase(testCase: Case, testbed: Pick<Testbed, 'values'>): Case {
  if (testbed.values === undefined) return testCase;
  return { ...testCase, endpoint: askedEndpoint(testCase.endpoint, testbed) };
}

/** The same of all endpoints of a spec. */
export function askedSpec(spec: ResolvedSpec, testbed: Pick<Testbed, 'values'>): ResolvedSpec {
  if (testbed.values === undefined) return spec;
  return { ...spec, endpoints: spec.endpoints.map((endpoint) => askedEndpoint(endpoint, testbed)) };
}
