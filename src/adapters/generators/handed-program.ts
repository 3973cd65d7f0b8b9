import { type FileHandle, open, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { GeneratorNotStarted } from '../../app/ports/generators.ts';

/** A program as somebody may run it who may not enter the folder it lies in, as that of root's own programs. */
export interface HandedProgram {
  path: string;
  /** Of ours; the child needs it as its third. */
  descriptor: number;
  close(): Promise<void>;
}

const THIRD = '/proc/self/fd/3';

/** Under its own name in `folder`, through a descriptor that is open already. Rejects with `GeneratorNotStarted`. */
export async function handProgram(program: string, folder: string): Promise<HandedProgram> {
  const file: FileHandle = await open(program).catch((error) => refuse(program, error));
  const path = join(folder, basename(program));
  try {
    await symlink(THIRD, path);
  } catch (error) {
    await file.close();
    return refuse(path, error as NodeJS.ErrnoException);
  }
  return { path, descriptor: file.fd, close: () => file.close() };
}

function refuse(path: string, { code }: NodeJS.ErrnoException): never {
  throw new GeneratorNotStarted(`${path} cannot be handed to another user (${code}).`);
}
