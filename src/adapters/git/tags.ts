import { git } from './git.ts';

/** The nearest tag in the history of a commit's parents; null where there is none, or the history is not here. */
export async function previousTag(directory: string, tag: string): Promise<string | null> {
  if (/^[-^]/.test(tag)) return null;
  const asked = ['describe', '--tags', '--abbrev=0', '--first-parent', `${tag}^{commit}^`];
  const { failure, stdout } = await git(directory, asked);
  return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
}

/** The tag of a commit, of several the highest version; null where it has none, or the commit is not here. */
export async function tagOf(directory: string, sha: string): Promise<string | null> {
  if (!/^[0-9a-f]{40,64}$/.test(sha)) return null;
  const { failure, stdout } = await git(directory, ['tag', '--points-at', sha, '--sort=-version:refname']);
  const [tag = ''] = failure === null ? stdout.trim().split('\n') : [];
  return tag === '' ? null : tag;
}
