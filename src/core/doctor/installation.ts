import type { GeneratorName } from '../generators/registry.ts';
import { generators } from '../generators/registry.ts';
import { isGenerator, type MachineFacts, type ProgramName } from './facts.ts';

/** `sudo` where it is needed. A compound command gets a shell of its own, so that all of it runs as root. */
export function asRoot({ rights }: Pick<MachineFacts, 'rights'>, command: string): string {
  if (rights.root) return command;
  return /[|&;<>]/.test(command) ? `sudo sh -c '${command}'` : `sudo ${command}`;
}

type Manager = 'apt-get' | 'dnf' | 'apk' | 'brew';

const PACKAGES: Record<Exclude<ProgramName, GeneratorName | 'go'>, Partial<Record<Manager, string>>> = {
  postgres: {
    'apt-get': 'postgresql',
    dnf: 'postgresql-server postgresql-contrib',
    apk: 'postgresql postgresql-contrib',
    brew: 'postgresql@17',
  },
  pgbouncer: { 'apt-get': 'pgbouncer', dnf: 'pgbouncer', apk: 'pgbouncer', brew: 'pgbouncer' },
  taskset: { 'apt-get': 'util-linux', dnf: 'util-linux', apk: 'util-linux' },
  // Ubuntu's is of one kernel each: `perfInstallation`.
  perf: { 'apt-get': 'linux-perf', dnf: 'perf', apk: 'perf' },
  nginx: { 'apt-get': 'nginx-light', dnf: 'nginx', apk: 'nginx', brew: 'nginx' },
};

/** The command that installs a program here; null where this system has no package of it that is known. */
export function installation(facts: MachineFacts, program: Exclude<ProgramName, 'go'>): string | null {
  const manager = managerOf(facts);
  const packages = isGenerator(program) ? generators[program].program.packages : PACKAGES[program];
  const name = manager === null ? undefined : packages[manager];
  if (manager === null || name === undefined) {
    return isGenerator(program) ? generators[program].program.fallback((command) => asRoot(facts, command)) : null;
  }
  return manager === 'brew' ? `brew install ${name}` : asRoot(facts, `${INSTALL[manager]} ${name}`);
}

export function perfInstallation(facts: MachineFacts): string | null {
  if (!facts.os.families.includes('ubuntu')) return installation(facts, 'perf');
  return asRoot(facts, `${INSTALL['apt-get']} linux-tools-$(uname -r)`);
}

export function engineInstallation(facts: MachineFacts): string {
  if (managerOf(facts) !== 'apt-get') return `curl -fsSL https://get.docker.com | ${asRoot(facts, 'sh')}`;
  return asRoot(facts, `${INSTALL['apt-get']} docker.io iptables`);
}

/** Docker's own packages have other names than those of the distributions. */
const PLUGINS = {
  buildx: {
    'apt-get': ['docker-buildx-plugin', 'docker-buildx'],
    dnf: ['docker-buildx-plugin'],
    apk: ['docker-cli-buildx'],
  },
  compose: {
    'apt-get': ['docker-compose-plugin', 'docker-compose-v2', 'docker-compose'],
    dnf: ['docker-compose-plugin'],
    apk: ['docker-cli-compose'],
  },
} as const;

/** The command that gives the `docker` command a plugin here; null where this system has no package of it that is known. */
export function pluginInstallation(facts: MachineFacts, plugin: keyof typeof PLUGINS): string | null {
  const manager = managerOf(facts);
  if (manager === null || manager === 'brew') return null;
  return asRoot(facts, PLUGINS[plugin][manager].map((name) => `${INSTALL[manager]} ${name}`).join(' || '));
}

const INSTALL = {
  'apt-get': 'apt-get install -y --no-install-recommends',
  dnf: 'dnf install -y',
  apk: 'apk add',
} as const;

function managerOf({ platform, os }: MachineFacts): Manager | null {
  if (platform === 'darwin') return 'brew';
  const managers: Record<string, Manager> = {
    debian: 'apt-get',
    ubuntu: 'apt-get',
    fedora: 'dnf',
    rhel: 'dnf',
    alpine: 'apk',
  };
  const family = os.families.find((name) => name in managers);
  return family === undefined ? null : (managers[family] ?? null);
}
