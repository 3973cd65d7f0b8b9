import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { WorktreeFailure } from '../../app/ports/repositories.ts';
import { type GitCall, git } from './git.ts';

interface Checkout {
  /** The new one. */
  directory: string;
  /** The user's, of the same repository: what its submodules have need not be fetched again. */
  source: string;
  /** Lets git read a repository of `source`, whoever it belongs to. */
  trustAlso(repository: string): Promise<void>;
}

interface Submodule {
  name: string;
  path: string;
  sha: string;
  url: string;
}

/**
 * Checks out the submodules of a worktree, and theirs. From the user's own checkout where that has the commit, else from
 * their addresses. `git submodule init` would write into the configuration that all worktrees share; the same settings are
 * given for each command instead. Rejects with `WorktreeFailure`.
 */
export async function updateSubmodules({ directory, source, trustAlso }: Checkout, call: GitCall): Promise<void> {
  const submodules = await submodulesOf(directory);
  if (submodules.length === 0) return;
  const remote = (await git(source, ['config', '--get', 'remote.origin.url'])).stdout.trim() || source;
  for (const submodule of submodules) {
    const { name, path, sha } = submodule;
    const address = await ownAddress(source, submodule, remote);
    const kept = await keptRepository(source, submodule);
    if (kept !== null) await trustAlso(kept);
    const config = [
      `submodule.${name}.url=${kept ?? address}`,
      `submodule.${name}.active=true`,
      `submodule.${name}.update=checkout`,
      // Of this machine, and known to be the user's own.
      ...(kept === null ? [] : ['protocol.file.allow=always']),
    ];
    const { failure, said } = await git(directory, ['submodule', '--quiet', 'update', '--', path], { ...call, config });
    if (failure !== null) {
      throw new WorktreeFailure(
        `Submodule ${path} (${sha.slice(0, 7)}) cannot be checked out: ${said}. Have it in your checkout: \`submodules: recursive\` for ` +
          'actions/checkout, or by hand: git submodule update --init --recursive',
      );
    }
    const inner = join(directory, path);
    if (kept !== null) await git(inner, ['config', 'remote.origin.url', address]);
    await updateSubmodules({ directory: inner, source: kept ?? inner, trustAlso }, call);
  }
}

/** Those that the commit has: an entry of `.gitmodules` and a commit at its path. */
async function submodulesOf(directory: string): Promise<Submodule[]> {
  const { stdout } = await git(directory, ['config', '--file', '.gitmodules', '--null', '--list']);
  const settings = new Map<string, { path?: string; url?: string }>();
  for (const entry of stdout.split('\0')) {
    const match = /^submodule\.(.+)\.(path|url)\n([\s\S]*)$/.exec(entry);
    if (match === null) continue;
    const [, name = '', key = '', value = ''] = match;
    settings.set(name, { ...settings.get(name), [key]: value });
  }
  const found: Submodule[] = [];
  for (const [name, { path, url }] of settings) {
    // Git refuses such names itself; they never reach a command line here.
    if (path === undefined || url === undefined || /(^|\/)\.\.(\/|$)|[=\n]/.test(name) || url.startsWith('-')) continue;
    const index = await git(directory, ['ls-files', '--stage', '-z', '--', `:(top,literal)${path}`]);
    const sha = /^160000 ([0-9a-f]+) /.exec(index.stdout)?.[1];
    if (sha !== undefined) found.push({ name, path, sha, url });
  }
  return found;
}

/** The repository that the user's checkout keeps for a submodule, where it has the commit. */
async function keptRepository(source: string, { name, sha }: Submodule): Promise<string | null> {
  const { stdout } = await git(source, ['rev-parse', '--git-common-dir']);
  const repository = resolve(source, stdout.trim(), 'modules', name);
  const isThere = await access(repository).then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  const { failure } = await git(repository, ['cat-file', '-e', `${sha}^{commit}`]);
  return failure === null ? repository : null;
}

/** As the user's own configuration has it, else as `.gitmodules` has it. */
async function ownAddress(source: string, { name, url }: Submodule, remote: string): Promise<string> {
  const { stdout } = await git(source, ['config', '--get', `submodule.${name}.url`]);
  return stdout.trim() || absoluteUrl(url, remote);
}

/**
 * The address of a submodule, where `.gitmodules` gives it relative to that of the repository (`../other.git`), by the
 * rules of git-submodule(1): each `../` takes the last part away, back to a host's colon.
 */
export function absoluteUrl(url: string, remote: string): string {
  if (!/^\.\.?\//.test(url)) return url;
  let base = remote.replace(/\/+$/, '');
  let rest = url;
  while (/^\.\.?\//.test(rest)) {
    if (rest.startsWith('../')) {
      const border = Math.max(base.lastIndexOf('/'), base.lastIndexOf(':'));
      base = border < 0 ? '.' : base.slice(0, base[border] === ':' ? border + 1 : border);
      rest = rest.slice(3);
    } else rest = rest.slice(2);
  }
  return `${base}${base.endsWith(':') ? '' : '/'}${rest.replace(/\/+$/, '')}`;
}
