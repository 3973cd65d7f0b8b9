import { isAbsolute, join, relative, resolve } from 'node:path';
import { CLEAN_WORKTREE } from '../../core/comparison/worktree-hint.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { isRemoteContext } from '../../core/values/remote-context.ts';
import type { Checkout, Context } from './candidate.ts';

const SHOWN = 4;

/**
 * What processes may miss in a clean worktree: git does not have what it ignores, and nothing is installed or built there
 * but by the services' own commands.
 */
export async function absentFromWorktree(
  { services }: ResolvedSpec,
  specDirectory: string,
  { repository }: Checkout,
  { request, adapters: { files } }: Context,
): Promise<Reason[]> {
  const hint =
    'Let its command make what it needs (sh -c "npm ci && node server.js"), run with --runtime docker, or compare with ' +
    'an earlier run (--baseline record:PATH).';
  const lacking: Reason[] = [];
  for (const { name, command, workingDirectory } of services) {
    const [program = ''] = command ?? [];
    if (!program.includes('/') || program.includes('${') || isAbsolute(program)) continue;
    if (await files.exists(join(specDirectory, workingDirectory, program))) continue;
    const message = `The program ${program} of service ${name} is not in the clean worktree of the baseline. ${hint}`;
    lacking.push({ code: 'program-not-in-worktree', message });
  }
  if (lacking.length > 0) return lacking;
  const ignored = await repository.ignored(SHOWN + 1, request.ownFolders);
  if (ignored.length === 0) return [];
  const message = `The baseline runs in a clean worktree, without what git ignores here (${shown(ignored)}). Where a service needs that: ${hint}`;
  return [{ code: CLEAN_WORKTREE, message: message.replace('Let its command', 'let its command') }];
}

/** Looked through for what lies in a build's folder. */
const MOST_IGNORED = 1000;

/** What only the candidate's images are built with. An author who has a `.dockerignore` has thought of it. */
export async function ignoredInContext({ request, adapters }: Context, { repository }: Checkout): Promise<Reason[]> {
  const warnings: Reason[] = [];
  for (const { name, image } of request.spec.services) {
    if (image?.kind !== 'build' || isRemoteContext(image.context)) continue;
    const folder = resolve(request.specFile, '..', image.context);
    if (await adapters.files.exists(join(folder, '.dockerignore'))) continue;
    const inside = relative(repository.root, folder);
    if (inside.startsWith('..')) continue;
    const all = await repository.ignored(MOST_IGNORED, request.ownFolders);
    const ignored = all.filter((path) => inside === '' || path.startsWith(`${inside}/`));
    if (ignored.length === 0) continue;
    const message =
      `The candidate's image of ${name} is built with what git ignores (${shown(ignored)}), the baseline's without: it ` +
      'comes from a clean checkout. Name in .dockerignore what no image needs, or commit your changes before the run.';
    warnings.push({ code: 'ignored-in-context', message });
  }
  return warnings;
}

function shown(ignored: readonly string[]): string {
  return `${ignored.slice(0, SHOWN).join(', ')}${ignored.length > SHOWN ? ', …' : ''}`;
}
