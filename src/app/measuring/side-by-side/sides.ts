import type { Case } from '../../../core/config/case.ts';
import type { ResolvedSpec, Service } from '../../../core/config/resolved.ts';
import type { Reason, Variant } from '../../../core/measurement/names.ts';
import type { PreparedService, Testbed } from '../../ports/testbed.ts';

export const VARIANTS = ['baseline', 'candidate'] as const;
export type OfEach<T> = Record<Variant, T>;

/** One variant of a service: its own spec, with the candidate's load, and the endpoints that both have. */
export interface Side {
  spec: ResolvedSpec;
  specDirectory: string;
  service: Service;
  prepared: PreparedService;
}

/** The case as this side serves it: another image, environment, base path or expected answer under the same key. */
export function caseOf(testCase: Case, { service, spec }: Pick<Side, 'service' | 'spec'>): Case {
  const endpoint = spec.endpoints.find(({ name }) => name === testCase.endpoint.name) ?? testCase.endpoint;
  return { ...testCase, service, endpoint };
}

/** A side that is no longer what was started, and what became of it. */
export interface Fallen {
  variant: Variant;
  reason: Reason;
}

export type Testbeds = OfEach<Testbed>;

export function both<T, R>(of: OfEach<T>, map: (value: T, variant: Variant) => R): OfEach<R> {
  return { baseline: map(of.baseline, 'baseline'), candidate: map(of.candidate, 'candidate') };
}
