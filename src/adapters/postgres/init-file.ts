import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';
import { isPathGlob } from '../../core/config/path-glob.ts';
import { readProjectFile } from '../project/project-file.ts';
import { encodingFault } from './sql-encoding.ts';

/** A file of `database.init`. */
export interface InitFile {
  /** As the spec names it. */
  name: string;
  path: string;
  text: string;
}

/** Rejects with `TestbedError` 'init-sql-failed' where it cannot be read, or is not UTF-8. */
export async function readInitFile(name: string, directory: string): Promise<InitFile> {
  const path = resolve(directory, name);
  const read = await readProjectFile(directory, name, MOST_DATA_BYTES);
  if (!('content' in read)) {
    const what = read.problem ?? 'cannot be read (ENOENT: there is no such file)';
    const message = isPathGlob(name)
      ? `No SQL file matches ${name}, which is relative to the spec file; looked in ${directory}.`
      : `The init file ${name} ${what}. Its path is relative to the spec file; looked for ${path}.`;
    throw new TestbedError('init-sql-failed', message);
  }
  return { name, path, text: textOf(read.content, `The init file ${name}`) };
}

/** What a file holds in one piece, and a process can still be given. */
const MOST_DATA_BYTES = 256 * 1024 ** 2;

/**
 * Text of a file that init SQL reads data from. Whoever writes the SQL must not reach the rest of this machine by it: the file lies
 * beside the SQL, or below. Rejects with a sentence.
 */
export async function readDataFile(name: string, beside: InitFile): Promise<string> {
  const folder = await realpath(dirname(beside.path));
  const path = await realpath(isAbsolute(name) ? name : join(folder, name)).catch(() => null);
  if (path === null) throw new Error(`there is no file ${name} beside it`);
  const within = relative(folder, path);
  if (within.startsWith('..') || isAbsolute(within)) {
    throw new Error(`${name} lies elsewhere: data must lie in the folder of the SQL file, or below`);
  }
  const read = await readProjectFile(folder, path, MOST_DATA_BYTES);
  if (!('content' in read)) throw new Error(`${name} ${read.problem ?? 'is there no longer'}`);
  const fault = encodingFault(read.content);
  if (fault !== null) throw new Error(`${name} ${fault}`);
  return read.content.toString('utf8').replace(/^\uFEFF/, '');
}

function textOf(bytes: Buffer, title: string): string {
  const fault = encodingFault(bytes);
  if (fault !== null) throw new TestbedError('init-sql-failed', `${title} ${fault}.`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
