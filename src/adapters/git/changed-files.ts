import { git } from './git.ts';

/**
 * Paths that a pull request changes, of what is checked out: of the forge's merge those that it changes of its first parent, of the
 * pull request's own head all since it left its base. Null where git cannot say, as in a checkout that is too shallow.
 */
export async function changedInPullRequest(
  directory: string,
  { headSha, baseSha }: { headSha: string; baseSha: string },
): Promise<string[] | null> {
  const second = await answerOf(directory, ['rev-parse', '--verify', '--quiet', 'HEAD^2']);
  const from =
    second === headSha ? 'HEAD^1' : await answerOf(directory, ['merge-base', '--end-of-options', baseSha, 'HEAD']);
  if (from === null) return null;
  const { failure, stdout } = await git(directory, [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--name-only',
    '--no-renames',
    '-z',
    from,
    'HEAD',
  ]);
  return failure === null ? stdout.split('\0').filter((path) => path !== '') : null;
}

async function answerOf(directory: string, asked: string[]): Promise<string | null> {
  const { failure, stdout } = await git(directory, asked);
  return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
}
