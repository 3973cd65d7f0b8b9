import { posix } from 'node:path';
import { readsRepository, VERSIONED_BY } from '../../core/baseline/repository-in-build.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { isRemoteContext } from '../../core/values/remote-context.ts';
import type { Worktree } from '../ports/repositories.ts';
import type { Checkout } from './candidate.ts';

/** Makes of a worktree what images are built from: without the repository, unless one of them reads it. */
export async function asBuildSource(
  worktree: Worktree,
  { sha, spec, checkout }: { sha: string; spec: ResolvedSpec; checkout: Checkout },
): Promise<void> {
  await worktree.withoutLink();
  for (const { context, dockerfile } of buildsOf(spec)) {
    // From the commit itself: in the worktree a link may stand at its place.
    const textAt = async (name: string) => {
      const path = posix.join(posix.dirname(checkout.specPath), context, name);
      return path.startsWith('../') ? '' : ((await checkout.repository.textAt(sha, path)) ?? '');
    };
    const settings: Record<string, string> = {};
    for (const name of VERSIONED_BY) settings[name] = await textAt(name);
    if (!readsRepository(await textAt(dockerfile), settings)) continue;
    await worktree.withRepository();
    return;
  }
}

function buildsOf({ services, database, dependencies = [] }: ResolvedSpec): { context: string; dockerfile: string }[] {
  const images = [...services, ...dependencies].map(({ image }) => image);
  return [...images.flatMap((image) => (image?.kind === 'build' ? [image] : [])), database?.build ?? []]
    .flat()
    .filter(({ context }) => !isRemoteContext(context));
}
