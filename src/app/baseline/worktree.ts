import type { Reason } from '../../core/measurement/names.ts';
import { type Worktree, WorktreeFailure } from '../ports/repositories.ts';
import type { Checkout } from './candidate.ts';

/** A clean checkout of the commit; a reason where it cannot be had. */
export async function worktreeOf(
  { repository }: Checkout,
  sha: string,
  signal: AbortSignal,
): Promise<Worktree | Reason> {
  try {
    return await repository.worktree(sha, signal);
  } catch (error) {
    if (error instanceof WorktreeFailure) return { code: 'worktree-failed', message: error.message };
    throw error;
  }
}
