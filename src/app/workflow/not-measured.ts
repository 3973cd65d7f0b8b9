import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { isUntouched, UNTOUCHED } from '../../core/posting/untouched.ts';

const QUEUED = 'Not measured: a merge queue holds what was measured in its pull requests.';

/** Why this job has nothing to measure, a sentence; null where it has. `changedFiles`: as of `RunTaskAdapters`. */
export async function notMeasured(
  { paths }: Pick<ActionInputs, 'paths'>,
  { event }: Pick<JobFacts, 'event'>,
  changedFiles: () => Promise<string[] | null>,
): Promise<string | null> {
  if (event === 'merge_group') return QUEUED;
  return paths.length > 0 && isUntouched(await changedFiles(), paths) ? UNTOUCHED : null;
}
