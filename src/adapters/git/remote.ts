import { git } from './git.ts';

/** Of `origin`, as this checkout knows it; else its only branch; null where that is none, or one of several. */
export async function defaultBranchOf(directory: string): Promise<string | null> {
  const ofOrigin = await git(directory, ['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']);
  const branches = await git(directory, ['for-each-ref', '--format=%(refname:short)', 'refs/heads']);
  const names =
    ofOrigin.failure === null ? [ofOrigin.stdout.trim().replace(/^origin\//, '')] : linesOf(branches.stdout);
  const [name, another] = names;
  return name !== undefined && another === undefined && /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name) ? name : null;
}

/** As `origin` itself says, which is asked: a checkout need not know it. Null where there is none, or it does not answer. */
export async function remoteDefaultBranch(directory: string): Promise<string | null> {
  if ((await remoteOf(directory)) === null) return null;
  const { failure, stdout } = await git(directory, ['ls-remote', '--symref', 'origin', 'HEAD'], {
    timeoutSeconds: REMOTE_SECONDS,
  });
  return failure === null ? (/^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(stdout)?.[1] ?? null) : null;
}

/** As this user names the first branch of a repository, else the only branch that there is. */
export async function ownDefaultBranch(directory: string): Promise<string | null> {
  const branches = linesOf((await git(directory, ['for-each-ref', '--format=%(refname:short)', 'refs/heads'])).stdout);
  const { stdout } = await git(directory, ['config', '--get', 'init.defaultBranch']);
  const [only, another] = branches;
  if (branches.includes(stdout.trim())) return stdout.trim();
  return another === undefined ? (only ?? null) : null;
}

/** A checkout without a network is told so at once. */
const REMOTE_SECONDS = 10;

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Address of `origin`, as the repository's own configuration has it; null where there is none. */
export async function remoteOf(directory: string): Promise<string | null> {
  const { failure, stdout } = await git(directory, ['remote', 'get-url', 'origin']);
  return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
}

/** Of the checkout that a folder is in; null where it is in none. */
export async function topOf(directory: string): Promise<string | null> {
  const { failure, stdout } = await git(directory, ['rev-parse', '--show-toplevel']);
  return failure === null && stdout.trim() !== '' ? stdout.trim() : null;
}
