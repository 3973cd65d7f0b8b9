import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { StoreError } from '../../app/ports/run-store.ts';
import { UserError } from '../../core/user-error.ts';
import { projectFolderOf, projectProblem, readProjectFile } from '../project/project-file.ts';
import { syncFolder, temporaryName, writeWhole } from './whole-file.ts';

/** What an author writes by hand has no more. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The text of a file that is to be written again: null where there is none. Rejects with `UserError` for what is no text, since
 * writing it again would lose what could not be read.
 */
export async function readTextDocument(file: string): Promise<string | null> {
  const read = await readProjectFile(await projectFolderOf(file), path.resolve(file), MOST_BYTES);
  if (!('content' in read)) {
    if (read.problem === null) return null;
    throw new UserError(`${file} ${read.problem}.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(read.content);
  } catch {
    throw new UserError(`${file} is not a text in UTF-8, so it is left as it was. Save it as UTF-8 first.`);
  }
}

/**
 * Replaces the file whole: it is the old one or the new one, never half of it. A link leads where it led, which is inside the checkout, and
 * who may read the file may read it still. Rejects with `StoreError`, the file being as it was.
 */
export async function writeTextDocument(file: string, text: string | Uint8Array): Promise<void> {
  const problem = await projectProblem(await projectFolderOf(file), path.resolve(file), 'file');
  if (problem !== null) throw new StoreError(`${file} ${problem}: it is as it was.`);
  let temporary: string | null = null;
  try {
    const target = await realpath(file).catch(() => path.resolve(file));
    const mode = await stat(target).then(
      (found) => found.mode & 0o777,
      () => null,
    );
    const folder = path.dirname(target);
    temporary = path.join(folder, temporaryName(path.basename(target)));
    await writeWhole(temporary, text, { flush: true });
    if (mode !== null) await withMode(temporary, mode);
    await rename(temporary, target);
    await syncFolder(folder);
  } catch (error) {
    if (temporary !== null) await rm(temporary, { force: true }).catch(() => undefined);
    throw new StoreError(`${file} could not be written (${(error as Error).message}), and is as it was.`);
  }
}

async function withMode(file: string, mode: number): Promise<void> {
  const opened = await open(file, 'r+');
  await opened.chmod(mode).finally(() => opened.close());
}
