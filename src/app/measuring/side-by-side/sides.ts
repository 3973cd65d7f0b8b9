import type { Case, Variant } from '../../../core/plan/case.ts';
import type { ResolvedSpec, Service } from '../../../core/spec/resolved.ts';
import type { PreparedService, Stage } from '../../ports/stage.ts';

export const VARIANTS = ['baseline', 'candidate'] as const;
export type OfEach<T> = Record<Variant, T>;

/** One variant of a service: its own spec, with the candidate's endpoints and load. */
export interface Side {
  spec: ResolvedSpec;
  specDirectory: string;
  service: Service;
  prepared: PreparedService;
}

/** The case as this side serves it: another image, environment or base path under the same key. */
export function caseOf(testCase: Case, { service }: Pick<Side, 'service'>): Case {
  return { ...testCase, service };
}

export type Stages = OfEach<Stage>;

export function both<T, R>(of: OfEach<T>, map: (value: T, variant: Variant) => R): OfEach<R> {
  return { baseline: map(of.baseline, 'baseline'), candidate: map(of.candidate, 'candidate') };
}
