import type { Reason } from '../measurement/names.ts';
import type { RunRecord } from '../record/run-record.ts';

/** Code of the hint that a clean worktree lacks what git ignores. */
export const CLEAN_WORKTREE = 'clean-worktree';

/** What a missing file may come to; other failures name their own cause. */
const OF_MISSING_FILES: ReadonlySet<string> = new Set(['exited', 'not-ready', 'nothing-listens', 'start-failed']);

/**
 * The warnings without the hint at files that the baseline may miss, where services failed and none in a way that this explains: a
 * port that was in use, or the candidate, which runs where its files are.
 */
export function withFittingHint(warnings: readonly Reason[], { services }: Pick<RunRecord, 'services'>): Reason[] {
  const failed = services.filter(({ failure }) => failure !== null);
  const fits = failed.some(({ variant, failure }) => variant === 'baseline' && OF_MISSING_FILES.has(failure!.code));
  return warnings.filter(({ code }) => code !== CLEAN_WORKTREE || failed.length === 0 || fits);
}
