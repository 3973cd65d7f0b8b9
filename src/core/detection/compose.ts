/** A service as a compose file has it, whoever has read that. */
import { relativePath, slug } from '../values/scalars.ts';
import { type ComposeProject, composeProject, type ReadProject } from './compose-project.ts';
import { composeSources } from './compose-source.ts';
import { environmentFile, isOwnEnvironment, NO_VALUE, variablesIn } from './compose-variables.ts';
import { healthCheckOf } from './dockerfile.ts';
import { asList, asMap, type LeftOut, portOf, type RepositoryFile, textOf } from './files.ts';
import { type Mount, mountsOf } from './mounts.ts';
import { withSecretsAsVariables } from './secret-files.ts';
import { shellWords } from './shell-words.ts';

export interface ComposeVariable {
  name: string;
  /** Null where it is taken from whoever starts it. */
  value: string | null;
  from: string;
}

export interface ComposeBuild {
  context: string;
  dockerfile: string;
  target: string | null;
  args: Record<string, string>;
}

export function dockerfileOf({ context, dockerfile }: ComposeBuild): string {
  return context === '.' ? dockerfile : `${context}/${dockerfile}`;
}

export interface ComposeService {
  key: string;
  /** The compose file. */
  from: string;
  /** Folder of its project. */
  folder: string;
  /** Null where it is not built; `problem` where what it says cannot be followed. */
  build: ComposeBuild | { problem: string } | null;
  image: string | null;
  /** In place of the image's own; null where that stays. */
  entrypoint: string[] | null;
  command: string[] | null;
  environment: ComposeVariable[];
  /** In the container; the one that its health check asks comes first. */
  port: number | null;
  /** On the machine → in the container. */
  published: Map<number, number>;
  /** Every port that it names, in the container. */
  ports: number[];
  health: { words: string[]; path: string | null } | null;
  /** Service → when it has come far enough. */
  dependsOn: Map<string, string>;
  /** Host names under which others find it, its key first. */
  names: string[];
  mounts: Mount[];
  user: string | null;
  /** Bytes, as a size. */
  memory: string | null;
  restart: string;
  profiles: string[];
  /** Other keys of it, which change how it runs. */
  extras: string[];
  /** What it is to be told of and that is not read. */
  missing: LeftOut[];
}

/** With more they were made by a program. */
export const MOST_COMPOSE_SERVICES = 200;

/** The services of each project, those of production first. */
export function composeProjects(files: readonly RepositoryFile[], read: readonly ReadProject[]): ComposeService[][] {
  let left = MOST_COMPOSE_SERVICES;
  return composeSources(files).flatMap((source) => {
    const project = composeProject(source, files, read);
    const keys = Object.keys(project.services).slice(0, left);
    left -= keys.length;
    return keys.length === 0 ? [] : [keys.map((key) => serviceOf(key, project, files))];
  });
}

/** Keys that no spec has, and that change how a service runs; networks, labels, logging and the like are of the compose file alone. */
const EXTRAS = [
  ...['working_dir', 'devices', 'gpus', 'network_mode', 'pid', 'ipc', 'privileged', 'extra_hosts', 'sysctls'],
  ...['volumes_from', 'runtime', 'read_only'],
];

function serviceOf(key: string, project: ComposeProject, files: readonly RepositoryFile[]): ComposeService {
  const written = project.services[key]!;
  const { healthcheck, depends_on: depends, image, deploy, user, restart, profiles } = written;
  const { from, folder } = project;
  const ports = portsOf(written);
  const health = healthCheckOf(asMap(healthcheck));
  const fromFiles = environmentOf(written, project, key, files);
  const told = withSecretsAsVariables(fromFiles.environment, mountsOf(written, project), files);
  const limit = written.mem_limit ?? asMap(asMap(asMap(deploy).resources).limits).memory;
  const labelled = /loadbalancer\.server\.port[":=\s]+(\d{1,5})/.exec(JSON.stringify(written.labels ?? ''))?.[1];
  const asked = ports.all.length === 0 || ports.all.includes(health?.port ?? 0) ? (health?.port ?? null) : null;
  return {
    key,
    from,
    folder,
    build: buildOf(written.build, project),
    image: textOf(image) === '' ? null : textOf(image),
    entrypoint: wordsOf(written.entrypoint),
    command: wordsOf(written.command),
    environment: told.environment,
    port: asked ?? ports.all[0] ?? portOf(labelled),
    published: ports.published,
    ports: ports.all,
    health: health === null ? null : { words: health.words, path: health.path },
    dependsOn: new Map(
      Array.isArray(depends)
        ? depends.map((each) => [textOf(each), ''])
        : Object.entries(asMap(depends)).map(([name, each]) => [name, textOf(asMap(each).condition)]),
    ),
    names: namesOf(key, written),
    mounts: told.mounts,
    user: /^\w[\w.-]{0,63}(?::\w[\w.-]{0,63})?$/.test(textOf(user)) ? textOf(user) : null,
    memory: sizeOf(limit),
    restart: textOf(restart),
    profiles: asList(profiles).map(textOf),
    extras: Object.keys(written).filter((each) => EXTRAS.includes(each)),
    missing: [
      ...project.unread
        .filter((each) => each.key === key || each.key === '')
        .map(({ what }) => ({
          what: `${what} of ${key} (${from})`,
          why: 'what it has from there is not read without Docker Compose: write what the service needs of it into the spec',
          kind: 'needed' as const,
        })),
      ...fromFiles.missing,
    ],
  };
}

/** More than a spec takes, so that it is said that there are more. */
const MOST_VARIABLES = 1_000;
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** Its own variables over those of its files, a later file over an earlier one; files that are not there to be read are named. */
function environmentOf(
  { environment, env_file: named }: Record<string, unknown>,
  { from, place }: ComposeProject,
  key: string,
  files: readonly RepositoryFile[],
): Pick<ComposeService, 'environment' | 'missing'> {
  const all = new Map<string, ComposeVariable>();
  const missing: LeftOut[] = [];
  const set = (each: ComposeVariable) => {
    if (VARIABLE_NAME.test(each.name) && all.size < MOST_VARIABLES) all.set(each.name, each);
  };
  for (const [name, value] of Object.entries(asMap(environment))) {
    set({ name, value: value === null || value === NO_VALUE ? null : textOf(value), from });
  }
  const own = new Set(all.keys());
  for (const each of [named ?? []].flat()) {
    const path = place(asMap(each).path ?? each);
    const file = path === null ? undefined : environmentFile(path, files);
    if (file === undefined && asMap(each).required !== false) {
      const what = `env_file ${path ?? textOf(asMap(each).path ?? each).slice(0, 200)} of ${key} (${from})`;
      const why = isOwnEnvironment(path ?? '')
        ? 'it is not checked in: write the variables that the service needs into its env'
        : 'no such file is read here: write the variables that the service needs into its env';
      missing.push({ what, why, kind: 'needed' });
    }
    for (const [name, value] of file === undefined ? [] : variablesIn(file.content)) {
      if (!own.has(name)) set({ name, value, from: file!.path });
    }
  }
  return { environment: [...all.values()], missing };
}

function buildOf(written: unknown, { place }: ComposeProject): ComposeService['build'] {
  if (written === undefined || written === null) return null;
  const build = typeof written === 'string' ? { context: written } : asMap(written);
  if (textOf(build.context).includes(NO_VALUE))
    return { problem: 'its build context is a variable that no file has a value for' };
  const context = place(build.context ?? '.');
  if (context === null)
    return { problem: `its build context ${shown(build.context)} is not a folder of this repository` };
  if (build.dockerfile_inline !== undefined) return { problem: 'its Dockerfile is written in the compose file' };
  const dockerfile = build.dockerfile ?? 'Dockerfile';
  if (typeof dockerfile !== 'string' || !relativePath.safeParse(dockerfile).success) {
    return { problem: `its Dockerfile ${shown(dockerfile)} is not inside its build context` };
  }
  const args = Array.isArray(build.args)
    ? Object.fromEntries(build.args.map((each) => textOf(each).split(/=(.*)/s, 2)))
    : asMap(build.args);
  return {
    context,
    dockerfile: dockerfile.replace(/^\.\//, ''),
    target: slug.safeParse(build.target).success ? (build.target as string) : null,
    args: Object.fromEntries(
      Object.entries(args)
        .map(([name, value]) => [name, textOf(value)] as const)
        .filter(([name, value]) => VARIABLE_NAME.test(name) && value !== '' && !value.includes(NO_VALUE)),
    ),
  };
}

function shown(value: unknown): string {
  return JSON.stringify(value ?? null).slice(0, 80);
}

function portsOf({ ports, expose }: Record<string, unknown>): { all: number[]; published: Map<number, number> } {
  const published = new Map<number, number>();
  const all: number[] = [];
  for (const each of asList(ports)) {
    const { target, published: outside } = asMap(each);
    const words = textOf(each)
      .replace(/\/\w+$/, '')
      .split(':');
    const inside = portOf(target) ?? portOf(words.at(-1));
    if (inside === null || /\/udp$/.test(textOf(each)) || asMap(each).protocol === 'udp') continue;
    all.push(inside);
    published.set(portOf(outside) ?? portOf(words.at(-2)) ?? inside, inside);
  }
  const exposed = asList(expose).flatMap((each) => portOf(textOf(each).replace(/\/\w+$/, '')) ?? []);
  return { all: [...new Set([...all, ...exposed])], published };
}

/** As many as a spec takes, and its own. */
const MOST_NAMES = 16;

function namesOf(key: string, { hostname, container_name: container, networks }: Record<string, unknown>): string[] {
  const aliases = Object.values(asMap(networks)).flatMap((each) => asList(asMap(each).aliases));
  const names = [key, hostname, container, ...aliases].map(textOf);
  return [...new Set(names.filter((name) => name !== '' && !name.includes(NO_VALUE)))].slice(0, MOST_NAMES);
}

/** As a spec writes it: `536870912` is `512m`. */
function sizeOf(limit: unknown): string | null {
  const [, number, unit] = /^(\d{1,15})\s*([bkmg]?)b?$/i.exec(textOf(limit)) ?? [];
  const bytes = Number(number) * 1024 ** 'bkmg'.indexOf((unit ?? '').toLowerCase() || 'b');
  const mebibytes = bytes / 1024 ** 2;
  return Number.isInteger(mebibytes) && mebibytes >= 16 ? `${mebibytes}m` : null;
}

/** Operators that only a shell understands: Compose hands them on as words, and nobody means that. */
const OF_A_SHELL = /^(?:&&|\|\||;|\||>|>>|<)$/;

/** The words of a command; null where none is written. */
function wordsOf(written: unknown): string[] | null {
  if (written === undefined || written === null) return null;
  const words = Array.isArray(written) ? written.map(textOf) : shellWords(textOf(written));
  if (words.length === 0 && !Array.isArray(written)) return null;
  return words.some((word) => OF_A_SHELL.test(word)) ? ['sh', '-c', words.join(' ')] : words;
}
