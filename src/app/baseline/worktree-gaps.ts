import { isAbsolute, join } from 'node:path';
import type { Reason } from '../../core/record/run-record.ts';
import type { ResolvedSpec } from '../../core/spec/resolved.ts';
import type { BaselineAdapters } from './baseline-plan.ts';
import type { Checkout } from './candidate.ts';

const SHOWN = 4;

/**
 * What processes may miss in a clean worktree: git does not have what it ignores, and nothing is installed or built there
 * but by the services' own commands.
 */
export async function absentFromWorktree(
  { services }: ResolvedSpec,
  specDirectory: string,
  { repository }: Checkout,
  { files }: BaselineAdapters,
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
  const ignored = await repository.ignored(SHOWN + 1);
  if (ignored.length === 0) return [];
  const shown = `${ignored.slice(0, SHOWN).join(', ')}${ignored.length > SHOWN ? ', …' : ''}`;
  const message = `The baseline runs in a clean worktree, without what git ignores here (${shown}). Where a service needs that: ${hint}`;
  return [{ code: 'clean-worktree', message: message.replace('Let its command', 'let its command') }];
}
