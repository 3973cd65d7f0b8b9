import { git } from './git.ts';

/** The nearest tag in the history of a commit's parents; null where there is none, or the history is not here. */
export async function previousTag(directory: string, tag: string): Promise<string | null> {
  if (/^[-^]/.test(tag)) return null;
  const asked = ['describe', '--tags', '--abbrev=0', '--first-parent', `${tag}^{commit}^`];
  const { failure, stdout } = await git(directory, asked);
  return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
}
