import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { CheckoutFacts } from '../../core/baseline/commit.ts';
import { RESULTS_FOLDER } from '../../core/config/paths.ts';
import { git } from './git.ts';

/** Where runs are left unless told otherwise: no change of the author's. */
const RESULT_FOLDERS = [RESULTS_FOLDER, 'wrkbench-demo'];
/** What is in a submodule is part of what is measured, whatever `.gitmodules` says of looking there. */
const WITH_SUBMODULES = '--ignore-submodules=none';
const CALL = { timeoutSeconds: 120 };

/** How many files differ from HEAD; submodules that stand elsewhere or are changed count. */
export async function checkoutChanges(root: string, ownFolders: string[]): Promise<CheckoutFacts['changes']> {
  const asked = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', WITH_SUBMODULES];
  const { stdout, failure } = await git(root, [...asked, ...(await authorsFiles(root, ownFolders))], CALL);
  if (failure !== null) return { tracked: 0, untracked: 0, unknown: true };
  const entries = stdout.split('\0').filter((entry) => entry !== '');
  const untracked = entries.filter((entry) => entry.startsWith('??')).length;
  return { tracked: entries.length - untracked, untracked };
}

/** Some of what git is told to ignore, without what runs leave. */
export async function ignoredFiles(root: string, ownFolders: string[], most: number): Promise<string[]> {
  const asked = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const { stdout } = await git(root, asked, CALL);
  const own = await insideAll(root, ownFolders);
  const isOurs = (path: string) =>
    own.some((folder) => path === folder || path.startsWith(`${folder}${sep}`)) ||
    path.split('/').some((part) => RESULT_FOLDERS.includes(part));
  return stdout
    .split('\0')
    .filter((path) => path !== '' && !isOurs(path.replace(/\/$/, '')))
    .slice(0, most);
}

/** Tells one state of a checkout from another; null where git cannot say. Files that it ignores are not looked at. */
export async function checkoutFingerprint(root: string, ownFolders: string[]): Promise<string | null> {
  const files = await authorsFiles(root, ownFolders);
  const untracked = await git(root, ['ls-files', '--others', '--exclude-standard', '-z', ...files], CALL);
  const [head, tracked, contents] = await Promise.all([
    git(root, ['rev-parse', '--verify', 'HEAD^{tree}']),
    git(root, ['diff', 'HEAD', '--binary', '--no-ext-diff', '--no-textconv', WITH_SUBMODULES, ...files], CALL),
    untracked.stdout === ''
      ? { stdout: '', failure: null }
      : git(root, ['hash-object', '--no-filters', '--', ...untracked.stdout.split('\0').filter(Boolean)], CALL),
  ]);
  if ([untracked, head, tracked, contents].some(({ failure }) => failure !== null)) return null;
  const parts = [head.stdout, tracked.stdout, untracked.stdout, contents.stdout];
  return createHash('sha256').update(parts.join('\0')).digest('hex');
}

/** Pathspec of all that the author may have changed. */
async function authorsFiles(root: string, ownFolders: string[]): Promise<string[]> {
  const usual = RESULT_FOLDERS.map((name) => `:(top,exclude,glob)**/${name}/**`);
  const own = (await insideAll(root, ownFolders)).map((path) => `:(top,exclude,literal)${path}`);
  return ['--', ':(top)', ...usual, ...own];
}

async function insideAll(root: string, folders: string[]): Promise<string[]> {
  return (await Promise.all(folders.map((folder) => insideOf(root, folder)))).filter((path) => path !== null);
}

/** A path from the top; null where it is the top itself or lies elsewhere. What is not there yet has its folder's path. */
export async function insideOf(root: string, path: string): Promise<string | null> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const inside = relative(root, join(folder, basename(path)));
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? null : inside;
}
