import type { Reason } from '../../core/measurement/names.ts';
import { git } from './git.ts';

const POINTER = '^version https://git-lfs\\.github\\.com/spec/';

/** Says which files of a checkout hold only a pointer to what git-lfs keeps elsewhere. */
export async function lfsPointers(directory: string): Promise<Reason[]> {
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
