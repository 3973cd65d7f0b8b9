import { git } from './git.ts';

/** Of `origin`, as this checkout knows it; null where it does not. */
export async function defaultBranchOf(directory: string): Promise<string | null> {
  const { failure, stdout } = await git(directory, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']);
  const name = stdout.trim().replace(/^origin\//, '');
  return failure === null && /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name) ? name : null;
}

/** Address of `origin`, as the repository's own configuration has it; null where there is none. */
export async function remoteOf(directory: string): Promise<string | null> {
  const { failure, stdout } = await git(directory, ['remote', 'get-url', 'origin']);
  return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
}
