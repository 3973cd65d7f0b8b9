import { posix } from 'node:path';
import type { Repositories, Repository } from '../../app/ports/repositories.ts';
import type { CheckoutFacts } from '../../core/baseline/commit.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { checkoutChanges, checkoutFingerprint, ignoredFiles, insideOf } from './changes.ts';
import { git } from './git.ts';
import { ownDefaultBranch, remoteDefaultBranch } from './remote.ts';
import { addWorktree } from './worktree.ts';

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Repositories of this machine, through the `git` command. */
export function gitRepositories(): Repositories {
  return { at: openRepository };
}

async function openRepository(directory: string): Promise<Repository | Reason> {
  const { failure, stdout, found, said } = await git(directory, ['rev-parse', '--show-toplevel']);
  if (!found) return { code: 'no-git', message: 'git was not found on the PATH, so no commit is available.' };
  const root = stdout.replace(/\n$/, '');
  if (failure === null && root !== '') return repositoryAt(root);
  return /not a git repository/.test(said) || failure === null
    ? { code: 'no-repository', message: `${directory} is not in a git repository.` }
    : { code: 'no-repository', message: `git cannot read the repository of ${directory} (${said}).` };
}

function repositoryAt(root: string): Repository {
  const answer = async (...args: string[]): Promise<string | null> => {
    const { failure, stdout } = await git(root, args);
    return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
  };
  const commitOf = async (name: string): Promise<string | null> => {
    // `^name` is a negation, and what begins with a dash an option.
    if (/^[-^]/.test(name)) return null;
    const sha = await answer('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
    return sha !== null && SHA.test(sha) ? sha : null;
  };
  return {
    root,
    pathOf: (file) => insideOf(root, file),
    async commitOf(name) {
      return (await commitOf(name)) ?? (await commitOf(`refs/remotes/origin/${name}`));
    },
    async facts(baseBranch, ownFolders) {
      const [head, branch, shallow, changes] = await Promise.all([
        commitOf('HEAD'),
        answer('symbolic-ref', '--quiet', '--short', 'HEAD'),
        answer('rev-parse', '--is-shallow-repository'),
        checkoutChanges(root, ownFolders),
      ]);
      return {
        head,
        branch,
        parents: head === null ? [] : await parentsOf(root, head, commitOf),
        shallow: shallow === 'true',
        changes,
        base: head === null ? null : await baseOf(root, baseBranch, commitOf),
      };
    },
    async firstParents(sha, most) {
      if (!SHA.test(sha)) return [];
      return (await answer('rev-list', '--first-parent', `--max-count=${most}`, sha))?.split('\n') ?? [];
    },
    textAt: async (sha, path) => (SHA.test(sha) ? textAt(root, sha, path) : null),
    treeOf: async (sha) => (SHA.test(sha) ? answer('rev-parse', '--verify', '--quiet', `${sha}^{tree}`) : null),
    ignored: (most, ownFolders) => ignoredFiles(root, ownFolders, most),
    fingerprint: (ownFolders) => checkoutFingerprint(root, ownFolders),
    worktree: (sha, signal) => addWorktree(root, sha, signal),
  };
}

const MOST_LINKS = 5;

/** Follows symbolic links inside of the commit, as a checkout would. */
async function textAt(root: string, sha: string, path: string): Promise<string | null> {
  let at = path;
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    const { failure, stdout } = await git(root, ['cat-file', 'blob', `${sha}:${at}`]);
    if (failure !== null) return null;
    const { stdout: entry } = await git(root, ['ls-tree', '-z', sha, '--', at]);
    if (!entry.startsWith('120000 ')) return stdout;
    if (posix.isAbsolute(stdout)) return null;
    at = posix.normalize(posix.join(posix.dirname(at), stdout));
  }
  return null;
}

/** As the commit itself names them: a shallow history leaves them out. */
async function parentsOf(
  root: string,
  head: string,
  commitOf: (name: string) => Promise<string | null>,
): Promise<CheckoutFacts['parents']> {
  const { stdout } = await git(root, ['cat-file', 'commit', head]);
  const [headers = ''] = stdout.split('\n\n');
  const shas = [...headers.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, sha]) => sha!);
  return Promise.all(shas.map(async (sha) => ({ sha, here: (await commitOf(sha)) !== null })));
}

async function baseOf(
  root: string,
  branch: string | null,
  commitOf: (name: string) => Promise<string | null>,
): Promise<CheckoutFacts['base']> {
  const refsOf = (name: string | null) => (name === null ? [] : [`refs/remotes/origin/${name}`, `refs/heads/${name}`]);
  const usual = ['refs/remotes/origin/main', 'refs/remotes/origin/master', 'refs/heads/main', 'refs/heads/master'];
  const firstHere = async (refs: readonly string[]) => {
    for (const ref of refs) if ((await commitOf(ref)) !== null) return ref;
    return null;
  };
  const ref =
    (await firstHere([...refsOf(branch), 'refs/remotes/origin/HEAD', ...usual])) ??
    (await firstHere(refsOf(await remoteDefaultBranch(root)))) ??
    (await firstHere(refsOf(await ownDefaultBranch(root))));
  if (ref === null) return null;
  const full = await git(root, ['rev-parse', '--symbolic-full-name', ref]);
  const name = (full.stdout.trim() || ref).replace(/^refs\/(heads|remotes)\//, '');
  const met = await git(root, ['merge-base', 'HEAD', ref]);
  return { name, mergeBase: met.failure === null ? met.stdout.trim().split('\n')[0] || null : null };
}
