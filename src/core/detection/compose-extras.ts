/** What a compose file says of a service and no spec takes over: each is named, so that nobody takes it for done. */
import { asList, asMap, folderOf, type LeftOut, textOf } from './files.ts';

export interface ComposeExtras {
  key: string;
  /** The compose file. */
  from: string;
  /** Keys of it that no spec takes over. */
  extras: string[];
  /** As they are written. */
  bindMounts: string[];
  /** What else it says and a spec does not hold, or holds otherwise. */
  missing: LeftOut[];
}

/** Keys that change how a service runs. Ports, networks, labels, logging, restarting and profiles are of the compose file alone. */
const KEYS = [
  ...['user', 'group_add', 'working_dir', 'read_only', 'tmpfs', 'shm_size', 'secrets', 'configs', 'platform'],
  ...['ulimits', 'mem_limit', 'mem_reservation', 'memswap_limit', 'cpus', 'cpuset', 'cpu_quota', 'deploy', 'sysctls'],
  ...['extra_hosts', 'dns', 'hostname', 'network_mode', 'pid', 'ipc', 'privileged', 'cap_add', 'cap_drop'],
  ...['security_opt', 'devices', 'gpus', 'init', 'stop_signal', 'volumes_from', 'runtime'],
];

/** In the order of the file. */
export function extrasOf(written: Record<string, unknown>): string[] {
  return Object.keys(written).filter((key) => KEYS.includes(key));
}

/** `./src:/srv`: files of this machine that a container sees in place of its image's own. */
export function bindMountsOf(volumes: unknown): string[] {
  return asList(volumes).flatMap((volume) => {
    const { type, source, target } = asMap(volume);
    if (type === 'bind') return [`${textOf(source)}:${textOf(target)}`];
    return typeof volume === 'string' && /^[./~]/.test(volume) ? [volume.slice(0, 200)] : [];
  });
}

/** Of a service that is measured, and of its database (`isDatabase`), whose first SQL is named elsewhere. */
export function composeExtras(own: ComposeExtras, isDatabase = false): LeftOut[] {
  const { key, from, extras, bindMounts, missing } = own;
  const leftOut: LeftOut[] = [...missing];
  if (extras.length > 0) {
    const isOne = extras.length === 1;
    leftOut.push({
      what: `${extras.join(', ')} of ${key} (${from})`,
      why: isDatabase
        ? `the database runs without ${isOne ? 'it' : 'them'}: what it needs of ${isOne ? 'it' : 'them'} belongs into database.settings`
        : `it runs without ${isOne ? 'it' : 'them'}: build what it needs into its image, or write the key of a spec that says the same (memory, cpus, open-files)`,
    });
  }
  const mounted = bindMounts.filter((mount) => !mount.includes('/docker-entrypoint-initdb.d'));
  if (mounted.length > 0) {
    leftOut.push({
      what: `${mounted.join(', ')} of ${key} (${from})`,
      why: 'nothing is mounted: it runs with what its image holds, which must be built with these files',
    });
  }
  return leftOut;
}

/** A program that waits for another one and then becomes what follows its `--`. */
const WAITING = /(?:^|\/)(?:wait|dockerize)[\w.-]*$/;

/** What a container starts: Docker puts the words of the command behind those of the entrypoint. */
export function startedBy(
  entrypoint: string[] | null,
  command: string[] | null,
  place: { key: string; from: string },
): { command: string[] | null; missing: LeftOut[] } {
  if (entrypoint === null) return { command, missing: [] };
  const words = [...entrypoint, ...(command ?? [])];
  const end = words.indexOf('--');
  const what = `entrypoint ${entrypoint.join(' ').slice(0, 100)} of ${place.key} (${place.from})`;
  if (WAITING.test(words[0] ?? '') && end > 0) {
    const why = 'a service is started when its database is up, so its command is what follows the --';
    return { command: end + 1 < words.length ? words.slice(end + 1) : null, missing: [{ what, why }] };
  }
  const why = 'it is written before the command: an entrypoint of the image itself would stay before both';
  return { command: words, missing: [{ what, why }] };
}

/** With what it extends in the same file; what is in another one is named. */
export function extended(
  key: string,
  services: Record<string, unknown>,
  from: string,
  depth = 0,
): { written: Record<string, unknown>; missing: LeftOut[] } {
  const own = asMap(services[key]);
  const { service, file } = typeof own.extends === 'string' ? { service: own.extends, file: null } : asMap(own.extends);
  if (own.extends === undefined) return { written: own, missing: [] };
  const base = textOf(service);
  if ((file ?? null) !== null || !Object.hasOwn(services, base) || depth > 10) {
    const where =
      file === null || file === undefined
        ? from
        : `${folderOf(from) === '.' ? '' : `${folderOf(from)}/`}${textOf(file)}`;
    const why = 'what it has from there is not read: write what the service needs of it into the spec';
    return { written: own, missing: [{ what: `extends ${base} (${where}) of ${key} (${from})`, why }] };
  }
  const above = extended(base, services, from, depth + 1);
  const lists = ['volumes', 'secrets', 'configs', 'env_file', 'ports', 'expose'].flatMap((name) => {
    const both = [above.written[name], own[name]].flatMap((value) => (value === undefined ? [] : [value].flat()));
    return both.length === 0 ? [] : [[name, both] as const];
  });
  const environment = [...entriesOf(above.written.environment), ...entriesOf(own.environment)];
  // Compose does not hand these on.
  const { depends_on, volumes_from, ...rest } = above.written;
  const written = { ...rest, ...own, ...Object.fromEntries(lists), environment: Object.fromEntries(environment) };
  return { written, missing: above.missing };
}

/** Of both ways to write it: a map, or a list of NAME=value. */
export function entriesOf(environment: unknown): [string, string | null][] {
  if (!Array.isArray(environment)) {
    return Object.entries(asMap(environment)).map(([name, value]) => [name, value === null ? null : textOf(value)]);
  }
  return environment.map((line): [string, string | null] => {
    const [name, ...value] = textOf(line).split('=');
    return [name!, value.length === 0 ? null : value.join('=')];
  });
}
