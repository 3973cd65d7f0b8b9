import { TemporaryFolderFailure } from '../../app/ports/machine.ts';

/** What an error of the system means for the folder of what is temporary. What is no error of the system comes back as it is. */
export function temporaryFolderFailure(error: unknown, parent: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined || error instanceof TemporaryFolderFailure) return error;
  return new TemporaryFolderFailure(
    code,
    `${stateOf(parent, code, message)}. wrkbench and the programs that it starts need one: set TMPDIR to a folder that ` +
      'this user may write to, for example: export TMPDIR=/var/tmp',
  );
}

function stateOf(parent: string, code: string, message: string): string {
  switch (code) {
    case 'ENOENT':
      return `The temporary folder ${parent} does not exist`;
    case 'ENOTDIR':
      return `The temporary folder ${parent} is a file, or lies below one`;
    case 'EROFS':
      return `The temporary folder ${parent} is on a disk that is mounted read-only`;
    case 'EACCES':
    case 'EPERM':
      return `The temporary folder ${parent} may not be written by this user`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The temporary folder ${parent} is on a disk that is full`;
    default:
      return `Nothing can be written to the temporary folder ${parent} (${message})`;
  }
}
