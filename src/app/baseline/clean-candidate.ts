import { dirname, join } from 'node:path';
import type { Checkout, Context } from './candidate.ts';
import { worktreeOf } from './worktree.ts';

export interface CleanCandidate {
  /** Folder of its spec file. */
  directory: string;
  release(): Promise<void>;
}

/**
 * The candidate's own commit, checked out as the baseline is: images are then built from the same files on both sides,
 * without the repository and without what git ignores. Null where the checkout is more than its commit (or git cannot
 * have that whole), and for processes, which run where they are.
 */
export async function cleanCandidate(context: Context, checkout: Checkout): Promise<CleanCandidate | null> {
  const { request, signal } = context;
  const isBuilt = request.spec.services.some(({ image }) => image?.kind === 'build');
  if (request.runtime !== 'docker' || !isBuilt || checkout.tree === null) return null;
  const worktree = await worktreeOf(checkout, checkout.facts.head!, signal);
  if (!('directory' in worktree)) return null;
  if (worktree.warnings.length > 0) {
    await worktree.release();
    return null;
  }
  await worktree.withoutLink();
  return { directory: dirname(join(worktree.directory, checkout.specPath)), release: () => worktree.release() };
}
