import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { checkoutFiles } from '../../adapters/files/checkout-files.ts';
import { UsageError } from '../../app/failures.ts';
import { specInFolder } from '../../app/spec-in-folder.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';

/** The text of a file that the call names. Throws `UsageError`. */
export async function textOf(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: ${readFailure(error as NodeJS.ErrnoException)} ${what}`);
  }
}

function readFailure({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file.';
  if (code === 'EISDIR') return 'this is a folder, not a file.';
  if (code === 'EACCES') return 'it may not be read.';
  return `${message}.`;
}

export async function specFile(file: string): Promise<{ spec: ResolvedSpec; directory: string; text: string }> {
  const text = await textOf(file, 'Name the spec file, or write one with: wrkbench init');
  const directory = path.dirname(path.resolve(file));
  return { spec: await specInFolder(text, file, () => checkoutFiles(directory).list()), directory, text };
}

export async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
