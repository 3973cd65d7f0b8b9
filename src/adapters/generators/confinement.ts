import { readFileSync } from 'node:fs';
import { GeneratorNotStarted } from '../../app/ports/generators.ts';
import type { SystemUser } from '../process/system-user.ts';
import { type Environment, locateTool } from './locate.ts';

export interface Confinement {
  /** CPUs in the kernel's notation; null for wherever it lands. */
  cpus: string | null;
  /** Files that the child has to have open at once. */
  openFiles: number;
  /** Whom the child runs as; null for ourselves. */
  user: SystemUser | null;
}

/** What becomes of a command: with `wrappers` in front, each of which replaces itself by what follows. */
export interface ConfinedCommand {
  program: string;
  arguments: string[];
}

const CAP_SYS_RESOURCE = 24n;

/**
 * Puts `setpriv`, `prlimit` and `taskset` of util-linux before a command, as far as they are needed. Elsewhere than on
 * Linux there are none, and the command stays as it is. Throws `GeneratorNotStarted`.
 */
export function confined(
  command: ConfinedCommand,
  { cpus, openFiles, user }: Confinement,
  environment: Environment = process.env,
): ConfinedCommand {
  if (process.platform !== 'linux') return command;
  const wrappers: string[] = [];
  const limit = openFilesLimit(openFiles);
  if (limit !== null) wrappers.push(tool('prlimit', environment), `--nofile=${limit}:${limit}`);
  if (cpus !== null) wrappers.push(tool('taskset', environment), '-c', cpus);
  // Should this process be killed itself, nobody else would end the generator. busybox has no setpriv of this kind.
  const setpriv = user === null ? locateTool('setpriv', environment) : tool('setpriv', environment);
  if (setpriv !== null) wrappers.push(setpriv, '--pdeathsig', 'KILL', ...(user === null ? [] : becoming(user)));
  const [program, ...rest] = [...wrappers, command.program, ...command.arguments];
  return { program: program!, arguments: rest };
}

/** Last of all, since what comes before may need what root may. */
function becoming({ uid, gid }: SystemUser): string[] {
  return ['--reuid', `${uid}`, '--regid', `${gid}`, '--clear-groups', '--no-new-privs'];
}

/** Soft and hard limit that the child needs; null where it inherits enough. */
function openFilesLimit(needed: number): number | null {
  const [, soft = '0', hard = '0'] =
    /^Max open files\s+(\S+)\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  if (numberOf(soft) >= needed) return null;
  if (numberOf(hard) >= needed) return needed;
  const most = mayRaiseLimits() ? Number(readFileSync('/proc/sys/fs/nr_open', 'utf8')) : numberOf(hard);
  if (most >= needed) return needed;
  throw new GeneratorNotStarted(
    `The generator needs ${needed} open files for its connections and may have ${most} here. Raise the hard limit (\`ulimit -Hn ${needed}\` as root, LimitNOFILE= of the service, --ulimit nofile=${needed} of the container), or measure with fewer connections.`,
  );
}

const numberOf = (limit: string) => (limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit));

/** Root alone is not enough: in a container it often lacks the capability. */
function mayRaiseLimits(): boolean {
  const effective = /^CapEff:\s+([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${effective}`) >> CAP_SYS_RESOURCE) & 1n) === 1n;
}

function tool(name: string, environment: Environment): string {
  const path = locateTool(name, environment);
  if (path !== null) return path;
  throw new GeneratorNotStarted(
    `${name} is not on the PATH, and it is what holds the generator to its CPUs and limits. Install it with \`sudo apt-get install util-linux\`.`,
  );
}
