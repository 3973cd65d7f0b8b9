import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  configWith,
  configWithoutLogins,
  hasLogin,
  onlyLogins,
  passwordsIn,
  type RegistryLogin,
} from '../../core/topology/docker-logins.ts';
import { makeTemporaryFolder } from '../process/temporary-folder.ts';

type Environment = Record<string, string | undefined>;

const CONFIG = 'config.json';
/** Logins in a variable, which newer commands take before those of the file. */
const IN_VARIABLE = 'DOCKER_AUTH_CONFIG';

/** Where the `docker` command has its configuration, and with it the logins of registries. */
function folderOf({ DOCKER_CONFIG, HOME }: Environment): string {
  return resolve(DOCKER_CONFIG || join(HOME || homedir(), '.docker'));
}

/** Empty where there is none, or it cannot be read, which the command says itself. */
async function configIn(folder: string): Promise<string> {
  return await readFile(join(folder, CONFIG), 'utf8').catch(() => '');
}

/** Everywhere that the command finds logins. */
async function textsOf(environment: Environment): Promise<string[]> {
  return [environment[IN_VARIABLE] ?? '', await configIn(folderOf(environment))];
}

export async function hasLoginIn(environment: Environment, registry: string): Promise<boolean> {
  return (await textsOf(environment)).some((text) => hasLogin(text, registry));
}

/** Of the logins that are not kept by a credential helper. */
export async function registryPasswords(environment: Environment): Promise<string[]> {
  return (await textsOf(environment)).flatMap(passwordsIn);
}

/** A folder for a `docker` command elsewhere that has these logins and nothing else; false where there are none, and no folder. */
export async function copyLogins(environment: Environment, folder: string): Promise<boolean> {
  const text = onlyLogins(await configIn(folderOf(environment)));
  if (text !== null) await writeFile(join(folder, CONFIG), text, { mode: 0o600 });
  return text !== null;
}

/**
 * From now on every `docker` command of this environment has these logins too, or none where they are null. The machine's own
 * configuration stays as it is: they are in a folder of their own, beside all else that it holds. Resolves to what takes them back.
 */
export async function useLogins(
  environment: Environment,
  logins: readonly RegistryLogin[] | null,
): Promise<() => Promise<void>> {
  if (logins !== null && logins.length === 0) return async () => {};
  const machine = folderOf(environment);
  const text = await configIn(machine);
  const folder = await makeTemporaryFolder('logins');
  const { DOCKER_CONFIG: before } = environment;
  await writeFile(join(folder, CONFIG), logins === null ? configWithoutLogins(text) : configWith(text, logins), {
    mode: 0o600,
  });
  // Contexts, plugins, builders.
  const others = (await readdir(machine).catch(() => [])).filter((name) => name !== CONFIG);
  for (const name of others) await symlink(join(machine, name), join(folder, name)).catch(() => {});
  environment.DOCKER_CONFIG = folder;
  if (logins === null) delete environment[IN_VARIABLE];
  return async () => {
    if (before === undefined) delete environment.DOCKER_CONFIG;
    else environment.DOCKER_CONFIG = before;
    await rm(folder, { recursive: true, force: true });
  };
}
