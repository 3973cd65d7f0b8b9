import type { ResolvedSpec } from '../config/resolved.ts';
import { subjectsOf } from './detectability.ts';
import { duetSeconds, endpointKey, roundSetUpSeconds, SHORT_SOLO_SECONDS } from './duets.ts';
import type { Plan } from './plan.ts';

/** What a job takes besides: the action's start, its tools, its reports. */
const JOB_SECONDS = 30;
/** Of each endpoint, before the first round: answers and counts of both sides, and the longer warm-up that is learnt from. */
const FIRST_ROUND_SECONDS = 7;

/** Seconds that a pull request waits for its comment, images being built: short solo trials, the comparison, reports. */
export function pullRequestSeconds(
  spec: ResolvedSpec,
  { services }: Pick<Plan, 'services'>,
  budgetSeconds: number,
): number {
  const solo = subjectsOf(services).reduce((sum, { cases }) => {
    const endpoints = new Set(cases.map(endpointKey)).size;
    const trials = cases.reduce((seconds, each) => seconds + 2 * duetSeconds(each, SHORT_SOLO_SECONDS), 0);
    return (
      sum +
      trials +
      endpoints * FIRST_ROUND_SECONDS +
      roundSetUpSeconds(cases, spec.database !== null, spec.load.warmUp)
    );
  }, 0);
  return JOB_SECONDS + solo + budgetSeconds;
}
