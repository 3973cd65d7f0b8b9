import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Worktree, WorktreeFailure } from '../../app/ports/repositories.ts';
import { shortSha } from '../../core/baseline/commit.ts';
import { ended } from '../../core/format/sentence.ts';
import type { Reason } from '../../core/measurement/names.ts';
import { watchFolder } from '../process/guard.ts';
import { isProvenDead } from '../process/owner.ts';
import { makeTemporaryFolder, OWNER_FILE } from '../process/temporary-folder.ts';
import { type GitCall, git } from './git.ts';
import { updateSubmodules } from './submodules.ts';
import { trustOf } from './trust.ts';

/** Every folder of ours begins so; in it lie the checkout, who owns it, and git's settings for it. */
const FOLDER_PREFIX = 'wrkbench-worktree-';
const CHECKOUT = 'wrkbench-baseline';
const CHECKOUT_SECONDS = 600;

/** A clean checkout of `sha` beside the one at `root`, in a temporary folder. Rejects with `WorktreeFailure`. */
export async function addWorktree(root: string, sha: string, signal: AbortSignal): Promise<Worktree> {
  await sweepWorktrees(root);
  const folder = await realpath(await makeTemporaryFolder('worktree'));
  watchFolder(folder);
  const directory = join(folder, CHECKOUT);
  const release = () => removeWorktree(root, directory);
  try {
    const settings = await writeSettings(folder);
    const env = { GIT_CONFIG_GLOBAL: settings };
    const call = { signal, timeoutSeconds: CHECKOUT_SECONDS, env };
    const { failure, said } = await git(
      root,
      ['worktree', 'add', '--quiet', '--force', '--detach', directory, sha],
      call,
    );
    if (failure !== null) throw new WorktreeFailure(ended(`${shortSha(sha)} cannot be checked out: ${said}`));
    const trustAlso = (repository: string) => appendFile(settings, trusting(repository));
    await updateSubmodules({ directory, source: root, trustAlso }, call);
    return {
      directory,
      warnings: [...(await filtersOff(root, directory)), ...(await lfsPointers(directory))],
      withoutLink: () => takeLinks(directory),
      withRepository: async () => {
        await trustAlso(root);
        await makeRepository(directory, { root, sha }, call);
      },
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Submodules and the git commands that git itself starts get no `-c` of ours, so that it stands in a file: no hook runs.
 * What the user has set for all repositories stays.
 */
async function writeSettings(folder: string): Promise<string> {
  const path = join(folder, 'gitconfig');
  const shared = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  const included = [join(shared, 'git/config'), join(homedir(), '.gitconfig')];
  const includes = included.map((file) => `[include]\n\tpath = ${JSON.stringify(file)}\n`);
  const own = '[core]\n\thooksPath = /dev/null\n\tfsmonitor = false\n';
  await writeFile(path, includes.join('') + own);
  return path;
}

/** That git may copy a repository of the checkout whoever it belongs to. Before 2.46 it knows it there by `.` alone. */
function trusting(repository: string): string {
  return `[safe]\n\tdirectory = ${JSON.stringify(repository)}\n\tdirectory = .\n`;
}

/**
 * As a workflow checks a commit out, one commit deep. The files are there: only what git knows of them is fetched. Nothing of it was
 * configured by the user, so that no credential lies in what is sent to a build.
 */
async function makeRepository(
  directory: string,
  { root, sha }: { root: string; sha: string },
  call: GitCall,
): Promise<void> {
  const steps = [
    ['init', '--quiet', '--template=', '--initial-branch=main'],
    ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-write-fetch-head', root, sha],
    ['update-ref', 'HEAD', sha],
    ['reset', '--quiet'],
  ];
  for (const step of steps) {
    const { failure } = await git(directory, step, call);
    if (failure === null) continue;
    await rm(join(directory, '.git'), { recursive: true, force: true });
    return;
  }
}

/** Where the checkout's own link stands meanwhile: git removes no worktree without it. */
const LINK = 'link-to-repository';

/** Takes away the `.git` of the checkout and of each of its submodules. */
async function takeLinks(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const links = entries.filter((entry) => entry.name === '.git' && entry.isFile());
  for (const link of links) {
    const path = join(link.parentPath, link.name);
    if (link.parentPath === directory) await rename(path, join(dirname(directory), LINK));
    else await rm(path);
  }
}

/** The folder, and what the repository keeps of it. */
async function removeWorktree(root: string, directory: string): Promise<void> {
  const link = join(dirname(directory), LINK);
  // A repository of its own may stand at its place.
  if (existsSync(link)) await rm(join(directory, '.git'), { recursive: true, force: true }).catch(() => undefined);
  await rename(link, join(directory, '.git')).catch(() => undefined);
  // Twice forced: it may hold changes of a build, and be locked.
  await git(root, ['worktree', 'remove', '--force', '--force', directory]).catch(() => undefined);
  await rm(dirname(directory), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/**
 * Removes the worktrees that killed runs have left. Only ours, one by one: `git worktree prune` would also forget those of
 * the user that lie on a disk which is not there at the moment. Resolves to a sentence for each.
 */
export async function sweepWorktrees(root: string): Promise<string[]> {
  const { stdout } = await git(root, ['worktree', 'list', '--porcelain']);
  const sentences: string[] = [];
  for (const line of stdout.split('\n')) {
    const directory = line.startsWith('worktree ') ? line.slice('worktree '.length) : '';
    const folder = dirname(directory);
    if (basename(directory) !== CHECKOUT || !basename(folder).startsWith(FOLDER_PREFIX)) continue;
    if (!(await isAbandoned(folder))) continue;
    await removeWorktree(root, directory);
    sentences.push(`Removed the worktree ${directory}, left behind by a run that has ended.`);
  }
  return sentences;
}

async function isAbandoned(folder: string): Promise<boolean> {
  try {
    return isProvenDead(await readFile(join(folder, OWNER_FILE), 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** Says which filters were left out, where the repository is another user's and the commit wants them. */
async function filtersOff(root: string, directory: string): Promise<Reason[]> {
  const wanted: string[] = [];
  for (const filter of (await trustOf(root)).filtersOff) {
    const asked = [
      'grep',
      '--quiet',
      '-F',
      '-e',
      `filter=${filter}`,
      '--',
      '.gitattributes',
      ':(glob)**/.gitattributes',
    ];
    if ((await git(directory, asked)).exitCode === 0) wanted.push(filter);
  }
  if (wanted.length === 0) return [];
  const message =
    `The repository ${root} belongs to another user, so that no program of its configuration is started: what the ` +
    `${wanted.length === 1 ? 'filter' : 'filters'} ${wanted.join(', ')} would make of files is missing on the baseline's side, where ` +
    `they are as they were committed. Run as its owner, or make it yours: sudo chown -R "$USER" ${root}`;
  return [{ code: 'filters-off', message }];
}

const POINTER = '^version https://git-lfs\\.github\\.com/spec/';

/** Says which files of a checkout hold only a pointer to what git-lfs keeps elsewhere. */
async function lfsPointers(directory: string): Promise<Reason[]> {
  // Looking through every file takes its time, so only where the repository uses it at all.
  const attributes = ['grep', '--quiet', '-e', 'filter=lfs', '--', '.gitattributes', ':(glob)**/.gitattributes'];
  if ((await git(directory, attributes)).exitCode !== 0) return [];
  const { stdout } = await git(directory, ['grep', '-l', '-z', '-I', '-e', POINTER], { timeoutSeconds: 60 });
  const files = stdout.split('\0').filter((file) => file !== '');
  if (files.length === 0) return [];
  const message =
    `${files.length === 1 ? `${files[0]} is a pointer` : `${files.length} files, ${files[0]} among them, are pointers`} of Git LFS ` +
    "on the baseline's side, not the content. Install git-lfs (git lfs install) and fetch it (git lfs fetch --all) before the run.";
  return [{ code: 'lfs-pointers', message }];
}
