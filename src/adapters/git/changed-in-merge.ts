import { git } from './git.ts';

/** Paths that a merge commit changes of its first parent: what a pull request does. Null where git cannot say. */
export async function changedInMerge(directory: string): Promise<string[] | null> {
  const asked = ['diff', '--name-only', '--no-ext-diff', '--no-textconv', '--no-renames', '-z', 'HEAD^1', 'HEAD'];
  const { failure, stdout } = await git(directory, asked);
  return failure === null ? stdout.split('\0').filter((path) => path !== '') : null;
}
