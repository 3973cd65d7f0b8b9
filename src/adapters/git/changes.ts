import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { CheckoutFacts } from '../../core/baseline/commit.ts';
import { git } from './git.ts';

/** Where runs are left unless told otherwise: no change of the author's. */
const RESULT_FOLDERS = ['wrkbench-results', 'wrkbench-demo'];

/** How many files differ from HEAD; submodules that stand elsewhere or are changed count. */
export async function checkoutChanges(root: string, ownFolders: string[]): Promise<CheckoutFacts['changes']> {
  const usual = RESULT_FOLDERS.map((name) => `:(top,exclude,glob)**/${name}/**`);
  const own = (await Promise.all(ownFolders.map((folder) => insideOf(root, folder)))).filter((path) => path !== null);
  const { stdout } = await git(
    root,
    [
      ...['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--', ':(top)'],
      ...usual,
      ...own.map((path) => `:(top,exclude,literal)${path}`),
    ],
    { timeoutSeconds: 120 },
  );
  const entries = stdout.split('\0').filter((entry) => entry !== '');
  const untracked = entries.filter((entry) => entry.startsWith('??')).length;
  return { tracked: entries.length - untracked, untracked };
}

/** A path from the top; null where it is the top itself or lies elsewhere. What is not there yet has its folder's path. */
export async function insideOf(root: string, path: string): Promise<string | null> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const inside = relative(root, join(folder, basename(path)));
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) ? null : inside;
}
