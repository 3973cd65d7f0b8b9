import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { GeneratorName } from '../../core/generators/registry.ts';
import { generators } from '../../core/generators/registry.ts';

export type Environment = Record<string, string | undefined>;

/** Where a generator's program lies, absolute; or why there is none and what to do about it. */
export type Location = { path: string; failure: null } | { path: null; failure: string };

/**
 * Looks at `WRKBENCH_WRK` (`_K6`, `_AB`, `_H2LOAD`), which alone counts where it is set, then on the PATH, then where set-up and
 * `go install` put programs.
 */
export function locateGenerator(name: GeneratorName, environment: Environment = process.env): Location {
  const variable = `WRKBENCH_${name.toUpperCase()}`;
  const asked = environment[variable];
  if (asked) {
    return isAbsolute(asked) && isProgram(asked)
      ? { path: asked, failure: null }
      : {
          path: null,
          failure: `${variable} is ${asked}, where no program is. Give the absolute path of ${name}, or unset it.`,
        };
  }
  const path = [...searchPath(environment), ...installationFolders(environment)]
    .map((folder) => join(folder, name))
    .find(isProgram);
  if (path !== undefined) return { path, failure: null };
  return {
    path: null,
    failure: `${name} was found neither on the PATH nor in ${installationFolders(environment).join(' or ')}. Install it with ${generators[name].program.advice}, or name its path in ${variable}.`,
  };
}

/** The absolute path of a program of the system; null where there is none. */
export function locateTool(name: string, environment: Environment = process.env): string | null {
  return [...searchPath(environment), '/usr/bin', '/bin'].map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function searchPath(environment: Environment): string[] {
  return (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
}

function installationFolders(environment: Environment): string[] {
  const home = environment.HOME || homedir();
  return [join(environment.XDG_CACHE_HOME || join(home, '.cache'), 'wrkbench', 'bin'), join(home, 'go', 'bin')];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
