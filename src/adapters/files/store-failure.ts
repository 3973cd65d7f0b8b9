import { join } from 'node:path';
import { StoreError } from '../../app/ports/run-store.ts';
import { shellWord } from '../../core/format/shell-word.ts';

export interface FolderState {
  /** Absolute. */
  directory: string;
  /** The journal holds something. */
  kept: boolean;
}

/**
 * What an error of the system means for a run's folder: what happened, what is kept, what to do now. `name` is the file
 * inside of the folder; '' for the folder itself. What is no error of the system comes back as it is.
 */
export function storeFailure(error: unknown, name: string, { directory, kept }: FolderState): Error {
  if (!(error instanceof Error)) return new StoreError(String(error));
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof StoreError) return error;
  const file = join(directory, name);
  const what = kept ? 'What was measured before is kept in journal.jsonl. ' : 'Nothing was measured yet. ';
  const onward = kept ? `wrkbench run --resume ${shellWord(directory)}` : `wrkbench run --out ${shellWord(directory)}`;
  const again = kept ? `then resume with: ${onward}` : `then start again with: ${onward}`;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT': {
      const full =
        code === 'ENOSPC' ? `The disk of ${directory} is full` : `The disk quota for ${directory} is used up`;
      return new StoreError(`${full}: ${name || 'the folder'} could not be written. ${what}Free some space, ${again}`);
    }
    case 'EACCES':
    case 'EPERM':
      return new StoreError(
        `${file} may not be written by this user. ${what}Make the folder yours (sudo chown -R "$USER" ${directory}), ${again}`,
      );
    case 'EROFS':
      return new StoreError(`${file} lies on a disk that is mounted read-only. ${what}${elsewhere(kept, directory)}`);
    case 'ENOENT':
      return new StoreError(
        `${file} cannot be written: its folder is gone, and what it held went with it. Start again with another --out, and leave it alone during the run.`,
      );
    case 'EEXIST':
    case 'ENOTDIR':
      return name === ''
        ? new StoreError(
            `${directory} cannot be a folder: a file of that name, or of a part of its path, is there. Name another one with --out.`,
          )
        : new StoreError(
            `${file} was made by somebody else meanwhile. Is another run using this folder? Name another one with --out.`,
          );
    default:
      return new StoreError(`${file} could not be written (${error.message}). ${what}Look after the disk, ${again}`);
  }
}

function elsewhere(kept: boolean, directory: string): string {
  return kept
    ? `Mount it for writing, then resume with: wrkbench run --resume ${shellWord(directory)}`
    : 'Name a folder on another disk with --out.';
}
