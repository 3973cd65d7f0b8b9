import { git } from './git.ts';

/** Address of `origin`, as the repository's own configuration has it; null where there is none. */
export async function remoteOf(directory: string): Promise<string | null> {
  const { failure, stdout } = await git(directory, ['remote', 'get-url', 'origin']);
  return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
}
