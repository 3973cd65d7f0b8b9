import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { isUntouched, relevantPaths, UNTOUCHED } from '../../core/posting/untouched.ts';
import { UsageError } from '../failures.ts';
import type { CheckoutFiles } from '../ports/checkout-files.ts';
import { specsIn } from './specs.ts';

const QUEUED = 'Not measured: a merge queue holds what was measured in its pull requests.';

export interface NotMeasuredAdapters {
  files: CheckoutFiles;
  /** Paths that the pull request changes; null outside of one, and where git cannot say. */
  changedFiles(): Promise<string[] | null>;
}

/** Why this job has nothing to measure, a sentence; null where it has. */
export async function notMeasured(
  { paths, specs }: Pick<ActionInputs, 'paths' | 'specs'>,
  { event }: Pick<JobFacts, 'event'>,
  { files, changedFiles }: NotMeasuredAdapters,
): Promise<string | null> {
  if (event === 'merge_group') return QUEUED;
  if (paths.length === 0) return null;
  const changed = await changedFiles();
  if (changed === null || !isUntouched(changed, paths, relevantPaths(specs, []))) return null;
  const found = await specsIn(specs, files).catch((error: unknown) => {
    if (error instanceof UsageError) return null;
    throw error;
  });
  // Where a spec cannot be read, what it names is not known: measuring says why.
  if (found === null || found.errors.length > 0 || found.diagnostics.length > 0) return null;
  return isUntouched(changed, paths, relevantPaths(specs, found.specs)) ? UNTOUCHED : null;
}
