import { ERRORS_LET_PASS } from '../validity/rules.ts';
import type { ComparedCase } from './compared-case.ts';

/**
 * Whether throughput of a case's duets tells something else than CPU per request. A gateway takes its part of the CPU, which only
 * throughput shows; of requests that failed and were let pass only throughput knows nothing.
 */
export function tellsApart({ baseline, candidate }: Pick<ComparedCase, 'baseline' | 'candidate'>): boolean {
  return [baseline, candidate].some(
    (side) => side?.route === 'gateway' || side?.warnings.some(({ code }) => code === ERRORS_LET_PASS) === true,
  );
}
