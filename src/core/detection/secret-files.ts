import { MADE_UP_SECRET } from './environment.ts';
import type { RepositoryFile } from './files.ts';
import type { Mount } from './mounts.ts';

/** `PASSWORD_FILE`, `PASSWORD__FILE` */
const OF_FILE = /_{1,2}FILE$/;

/**
 * Images that take secrets read `NAME` from the file that `NAME_FILE` names, as Docker's official ones do. Where no checkout has that file,
 * since it is made of a variable of whoever starts the stack or is kept out of git, the service is told `NAME` itself, made
 * up.
 */
export function withSecretsAsVariables<Variable extends { name: string; value: string | null }>(
  environment: readonly Variable[],
  mounts: readonly Mount[],
  files: readonly RepositoryFile[],
): { environment: Variable[]; mounts: Mount[] } {
  const isThere = (source: string | null) => source !== null && files.some(({ path }) => path === source);
  const absent = new Set(mounts.filter(({ isFile, source }) => isFile && !isThere(source)).map(({ target }) => target));
  const fileOf = ({ name, value }: Variable) =>
    value !== null && OF_FILE.test(name) && absent.has(value) ? value : null;
  const told = new Set(environment.map(fileOf));
  return {
    environment: environment.map((each) =>
      fileOf(each) === null ? each : { ...each, name: each.name.replace(OF_FILE, ''), value: MADE_UP_SECRET },
    ),
    mounts: mounts.filter(({ target }) => !told.has(target)),
  };
}
