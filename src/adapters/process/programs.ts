import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';

/** Where Debian keeps servers; the PATH of an ordinary user often lacks them. */
const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

const PACKAGES: Record<string, { debian: string; macos: string }> = {
  nginx: { debian: 'nginx-light', macos: 'nginx' },
  pgbouncer: { debian: 'pgbouncer', macos: 'pgbouncer' },
  postgres: { debian: 'postgresql', macos: 'postgresql' },
  taskset: { debian: 'util-linux', macos: '' },
  prlimit: { debian: 'util-linux', macos: '' },
  setpriv: { debian: 'util-linux', macos: '' },
};

/**
 * The absolute path of a program as a shell would find it: on `path`, or relative to `directory` where its name holds a
 * slash. Null where there is none that can be executed.
 */
export function findProgram(program: string, directory = '.', path = process.env.PATH ?? ''): string | null {
  if (program.includes('/')) {
    const candidate = isAbsolute(program) ? program : resolve(directory, program);
    return isExecutable(candidate) ? candidate : null;
  }
  const folders = [...path.split(delimiter).filter((folder) => folder !== ''), ...SYSTEM_FOLDERS];
  return folders.map((folder) => join(resolve(folder), program)).find(isExecutable) ?? null;
}

/** The same for a tool that we need ourselves. Throws `TestbedError` 'tool-missing' with the command that installs it. */
export function requireTool(program: string): string {
  const found = findProgram(program);
  if (found !== null) return found;
  throw new TestbedError('tool-missing', `${program} is needed here and was not found. ${installSentence(program)}`);
}

export function installSentence(program: string): string {
  const known = PACKAGES[program];
  if (!known) return `Install ${program}.`;
  return process.platform === 'darwin'
    ? `Install it with: brew install ${known.macos}`
    : `Install it with: sudo apt-get install --no-install-recommends ${known.debian}`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
