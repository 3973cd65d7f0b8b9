import { git } from './git.ts';

const MOST_BYTES = 32 * 1024 * 1024;

/** Paths of all that a commit of a folder would hold, relative to it; null where it is in no repository, or ignored by it. */
export async function checkoutPaths(folder: string): Promise<string[] | null> {
  const { failure, stdout } = await git(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    timeoutSeconds: 20,
    maxOutputBytes: MOST_BYTES,
  });
  const paths = stdout.split('\0').filter((path) => path !== '');
  return failure === null && paths.length > 0 ? paths : null;
}
