import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { childEnvironment } from '../process/child-environment.ts';
import { runCommand } from '../process/command.ts';

/** What one call of git may believe, and what it must not start. */
export interface Trust {
  /** Working folders that git may read whoever they belong to: a checkout, and the submodules in it. */
  directories: string[];
  /** Turns off what the configuration of another user's repository names; empty where all of it is our own. */
  environment: Record<string, string>;
  /** Filters that are off by it. */
  filtersOff: string[];
}

interface Repository {
  /** What git holds its owner against: the folder of the checkout, or the repository itself where it has none. */
  directory: string;
  /** Whoever may write one of these says which programs git starts. */
  configuration: string[];
}

/** Deeper or wider than a checkout is that anybody works with. */
const MOST_SUBMODULES = 1000;

/**
 * Git refuses the repositories of other users, because their configuration can name programs. The checkout that a folder lies in
 * is read all the same, in a container its files are often another user's; but where its configuration is not our own, every
 * program in it is turned off. Nothing else is trusted: no remote, no repository that a link leads to.
 */
export async function trustOf(directory: string): Promise<Trust> {
  const own = repositoryAbove(directory);
  if (own === null) return { directories: [], environment: {}, filtersOff: [] };
  const repositories = await withSubmodules(own);
  const keys = new Set<string>();
  for (const { directory: foreign } of repositories.filter(({ configuration }) => !configuration.every(isOurs))) {
    const found = await configuredKeys(foreign);
    // What it may start is not known: then git refuses it.
    if (found === null) return { directories: [], environment: LOCKED, filtersOff: [] };
    for (const key of [...found, ALWAYS_OFF]) keys.add(key);
  }
  const directories = repositories.map((repository) => repository.directory);
  if (keys.size === 0) return { directories, environment: {}, filtersOff: [] };
  const settings = [...keys].flatMap((key) => {
    const off = OFF.find(([pattern]) => pattern.test(key));
    return off === undefined ? [] : [[key, off[1]] as const];
  });
  const filters = settings.flatMap(([key]) => /^filter\.(.+)\.(?:clean|smudge|process)$/s.exec(key)?.[1] ?? []);
  return {
    directories,
    environment: { ...LOCKED, ...asVariables(settings) },
    filtersOff: [...new Set(filters)],
  };
}

const ALWAYS_OFF = 'credential.helper';

/** Settings that name a program, and what stands for none. Those without a switch of their own are in `LOCKED`. */
const OFF: [setting: RegExp, value: string][] = [
  [/^filter\..+\.(?:clean|smudge|process)$/s, ''],
  [/^filter\..+\.required$/s, 'false'],
  [/^credential\.(?:.+\.)?helper$/s, ''],
  [/^core\.gitproxy$/, ''],
  [/^core\.alternaterefscommand$/, 'true'],
  [/^remote\..+\.uploadpack$/s, 'git-upload-pack'],
  [/^remote\..+\.receivepack$/s, 'git-receive-pack'],
  [/^remote\..+\.vcs$/s, ''],
];

/** Stronger than any configuration: no object is fetched behind a command's back, no `ext::` address, no `core.sshCommand`. */
const LOCKED = {
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
  GIT_SSH_COMMAND: 'ssh',
};

/** Through the environment: names of filters may hold what `-c` takes for the end of the name. */
function asVariables(settings: (readonly [key: string, value: string])[]): Record<string, string> {
  const each = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(each) };
}

/** Reading settings starts nothing. Null where they cannot be read. */
async function configuredKeys(directory: string): Promise<string[] | null> {
  const trusted = ['-c', `safe.directory=${directory}`, '-C', directory];
  const listed = ['config', '--list', '--name-only', '--null'];
  const { failure, stdout } = await runCommand('git', [...trusted, ...listed], {
    env: childEnvironment(),
    timeoutSeconds: 30,
  });
  return failure === null ? stdout.split('\0').filter((key) => key !== '') : null;
}

async function withSubmodules(own: Repository): Promise<Repository[]> {
  const found = [own];
  // It grows while it is gone through: submodules have submodules.
  for (const { directory } of found) {
    for (const path of await submodulePaths(directory)) {
      const submodule = repositoryIn(resolve(directory, path));
      const isInside = submodule?.directory.startsWith(`${own.directory}/`) ?? false;
      if (submodule === null || !isInside || found.length > MOST_SUBMODULES) continue;
      if (!found.some((other) => other.directory === submodule.directory)) found.push(submodule);
    }
  }
  return found;
}

async function submodulePaths(directory: string): Promise<string[]> {
  const file = join(directory, '.gitmodules');
  if (statOf(file) === null) return [];
  const listed = ['config', '--file', file, '--null', '--get-regexp', '^submodule\\..*\\.path$'];
  const { stdout } = await runCommand('git', listed, { env: childEnvironment(), cwd: '/', timeoutSeconds: 30 });
  return stdout.split('\0').flatMap((entry) => /^[^\n]*\n(.+)$/s.exec(entry)?.[1] ?? []);
}

/** As git looks for it: the nearest folder that has a `.git`, or is a repository itself. */
function repositoryAbove(directory: string): Repository | null {
  let folder = realPath(directory);
  while (folder !== null) {
    const found = repositoryIn(folder);
    if (found !== null) return found;
    folder = dirname(folder) === folder ? null : dirname(folder);
  }
  return null;
}

function repositoryIn(folder: string): Repository | null {
  const directory = realPath(folder);
  if (directory === null) return null;
  const link = join(directory, '.git');
  const stat = statOf(link);
  if (stat === null) return isRepository(directory) ? { directory, configuration: filesOf(directory) } : null;
  if (stat.isFile()) {
    const target = /^gitdir: (.+?)\n*$/s.exec(textOf(link))?.[1];
    if (target === undefined) return null;
    return { directory, configuration: [link, ...filesOf(resolve(directory, target))] };
  }
  return { directory, configuration: [link, ...filesOf(realPath(link) ?? link)] };
}

function isRepository(directory: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => statOf(join(directory, name)) !== null);
}

/** The folders and files that say what git starts for a repository, those of the one that it is a worktree of included. */
function filesOf(repository: string): string[] {
  const common = resolve(repository, textOf(join(repository, 'commondir')).replace(/\n+$/, '') || '.');
  return [...new Set([repository, common])].flatMap((folder) => [
    folder,
    join(folder, 'config'),
    join(folder, 'config.worktree'),
  ]);
}

/** As git has it: root through sudo is whoever called it. What is not there is nobody's. */
function isOurs(path: string): boolean {
  const uid = process.geteuid?.();
  const owner = statOf(path)?.uid;
  if (uid === undefined || owner === undefined || owner === uid) return true;
  return uid === 0 && process.env.SUDO_UID === String(owner);
}

function statOf(path: string) {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
