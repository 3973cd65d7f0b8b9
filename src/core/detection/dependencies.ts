/** Containers beside a service, and commands before it, as a spec has them. */
import { hostName } from '../config/host-names.ts';
import { imageReference } from '../values/scalars.ts';
import type { Checkout } from './checkout.ts';
import type { ComposeBuild, ComposeService } from './compose.ts';
import { NO_VALUE } from './compose-variables.ts';
import { type ContainerSign, containerOf } from './containers.ts';
import { besideValue, type EnvironmentContext } from './environment.ts';
import type { LeftOut } from './files.ts';
import { isWritable, literal } from './fitting.ts';
import { type Reachable, withPlaceholders } from './references.ts';
import { plainName, usualImage } from './usual-images.ts';
import { withoutWaiting } from './waiting.ts';

export interface DependencySign {
  name: string;
  from: string;
  image: string | null;
  build: ComposeBuild | null;
  entrypoint: string[] | null;
  command: string[] | null;
  user: string | null;
  port: number | null;
  env: Record<string, string>;
  files: [string, string][];
  volumes: string[];
  /** A command that ends well when it is up; null where its open port says so. */
  ready: string[] | null;
  timeout: string | null;
  memory: string | null;
  alias: string[];
}

/** Names that something else of a testbed has already, or that placeholders begin with. */
const TAKEN = ['database', 'env', 'localhost', 'login', 'ports', 'prepare'];

/** How each is called in the spec: as in the compose file where that can be. */
export function reachables(project: readonly ComposeService[], asked: ReadonlyMap<string, number>): Reachable[] {
  const names = new Set(TAKEN);
  return project.map((own) => {
    const kind = own.image === null ? own.key : plainName(own.image);
    const wanted = [own.key, own.key.replaceAll(/[._]/g, '-'), kind.replaceAll(/[._]/g, '-'), `${kind}-beside`];
    const fit = (each: string) => hostName.safeParse(each).success && !names.has(each);
    const name = wanted.map((each) => each.toLowerCase()).find(fit) ?? `beside-${names.size}`;
    names.add(name);
    return { name, hosts: own.names, port: portOf(own, asked), published: own.published, kind };
  });
}

/** The one that it is asked at, else the usual one of its image, else the first that it names. */
function portOf(own: ComposeService, asked: ReadonlyMap<string, number>): number | null {
  const usual = own.image === null ? null : usualImage(own.image);
  const named = own.names.map((name) => asked.get(name)).find((port) => port !== undefined);
  return named ?? usual?.port ?? own.ports[0] ?? own.port;
}

/** Why no spec can hold it; null where one can. */
export function unfitDependency({ build, image }: ComposeService, checkout: Checkout): string | null {
  if (build !== null && 'problem' in build) return `${build.problem}, which a spec cannot name`;
  if (build !== null && checkout.isKnown && checkout.kind(build.context) !== 'folder')
    return `no checkout has its build context ${build.context}`;
  const isNamed =
    build !== null || (image !== null && !image.includes(NO_VALUE) && imageReference.safeParse(image).success);
  return isNamed ? null : 'no file says which image it is';
}

export function dependencyOf(
  own: ComposeService,
  { name, port, hosts }: Reachable,
  context: EnvironmentContext,
  checkout: Checkout,
): { dependency: DependencySign; leftOut: LeftOut[] } {
  const { image, from } = own;
  const build = own.build === null || 'problem' in own.build ? null : own.build;
  const usual = image === null ? null : usualImage(image);
  const container: ContainerSign = containerOf(own, checkout, own.build !== null);
  const words = (list: string[] | null) => wordsIn(list === null ? null : withoutWaiting(list), context.beside);
  const env = own.environment.flatMap(({ name: variable, value }): [string, string][] => {
    const told = besideValue(variable, value, context);
    return told === null ? [] : [[variable, told]];
  });
  const volumes = usual?.data !== undefined && container.volumes.length === 0 ? [usual.data] : container.volumes;
  return {
    dependency: {
      name,
      from,
      image: build === null ? image : null,
      build,
      ...startOf(words(own.entrypoint), words(own.command), own.entrypoint?.length === 0),
      user: own.user,
      port,
      env: Object.fromEntries(env),
      files: container.files,
      volumes,
      ready: readyOf(own, container),
      timeout: usual?.isSlow === true || build !== null ? '2m' : null,
      memory: own.memory,
      alias: hosts.filter((host) => host !== name && /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(host)),
    },
    leftOut: [...own.missing, ...container.leftOut],
  };
}

/** Without an entrypoint there has to be a command. */
function startOf(
  entrypoint: string[] | null,
  command: string[] | null,
  isNone: boolean,
): Pick<DependencySign, 'entrypoint' | 'command'> {
  return { entrypoint: isNone && command !== null ? [] : entrypoint, command };
}

/** Its health check, unless that is a file which is not there. */
function readyOf({ health, mounts, image }: ComposeService, { files }: ContainerSign): string[] | null {
  // What is taken for up as its port is open and it has read its data needs no command.
  if (health === null || plainName(image ?? '') === 'redis') return null;
  const script = mounts.find(({ target }) => health.words.some((word) => word.startsWith(target)));
  // Files are put there without the right to run them.
  if (script !== undefined || files.some(([, place]) => health.words.includes(place))) return null;
  return wordsIn(health.words, [], 64);
}

/** Null where a spec cannot hold them. */
export function wordsIn(words: string[] | null, beside: readonly Reachable[], most = 256): string[] | null {
  if (words === null) return null;
  const own = words.map((word) => withPlaceholders('', literal(word), beside, false));
  const fits =
    own.length > 0 && own.length <= most && own.every((word) => isWritable(word) && !word.includes(NO_VALUE));
  return fits ? own : null;
}

export interface JobSign {
  /** Of its service in the compose file; empty for a guess. */
  key: string;
  from: string;
  command: string[];
  entrypoint: string[] | null;
  /** Null for the service's own. */
  image: string | null;
  env: Record<string, string>;
}

/** A command of a compose file that ends before a service starts; null with the reason where it is none of a spec. */
export function jobOf(
  job: ComposeService,
  own: ComposeService,
  context: EnvironmentContext,
  told: ReadonlyMap<string, string>,
): { job: JobSign | null; leftOut: LeftOut[] } {
  const { key, from, image, build } = job;
  const isOwn = build !== null && own.build !== null && isSameImage(build, own.build);
  const refuse = (why: string) => ({
    job: null,
    leftOut: [{ what: `${key} (${from})`, why, kind: 'needed' as const }],
  });
  if (!isOwn && build !== null)
    return refuse(
      'it runs before the service and is built for itself: build its image before, and write it as a job of `prepare`',
    );
  if (!isOwn && !imageReference.safeParse(image).success)
    return refuse('it runs before the service, and no file says in which image');
  const entrypoint = job.entrypoint === null ? null : withoutWaiting(job.entrypoint);
  const command = job.command === null ? null : withoutWaiting(job.command);
  const isMoved = command === null || command.length === 0;
  const words = wordsIn(isMoved ? entrypoint : command, context.beside);
  if (words === null) {
    return refuse('it runs before the service, and only its image says how: write its command as a job of `prepare`');
  }
  const env = job.environment.flatMap(({ name, value }): [string, string][] => {
    const own = besideValue(name, value, context);
    return own === null || told.has(name) ? [] : [[name, own]];
  });
  return {
    job: {
      key,
      from,
      command: words,
      entrypoint: isMoved ? [] : wordsIn(entrypoint, context.beside),
      image: isOwn ? null : image,
      env: Object.fromEntries(env),
    },
    leftOut: [],
  };
}

/** Of another stage it is another one. */
function isSameImage(a: NonNullable<ComposeService['build']>, b: NonNullable<ComposeService['build']>): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
