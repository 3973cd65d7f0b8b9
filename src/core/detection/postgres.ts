import { identifier, imageReference, relativePath, settingName } from '../values/scalars.ts';
import type { ComposeService } from './compose.ts';
import { composeExtras } from './compose-extras.ts';
import { folderOf, type LeftOut, nameOf, type RepositoryFile } from './files.ts';
import { isWritable } from './fitting.ts';

export interface DatabaseSign {
  from: string;
  image: string;
  name: string | null;
  user: string | null;
  settings: Record<string, string>;
  init: string[];
  pooler: Record<string, string | number> | null;
}

const POSTGRES = /(?:^|\/)(?:postgres(?:ql)?|postgis|timescaledb(?:-ha)?|pgvector|cloudnative-pg)(?:$|[:@])/;
const PGBOUNCER = /pgbouncer/;

export function isPostgresImage(image: string | null): boolean {
  return image !== null && POSTGRES.test(image);
}

export function isPoolerImage(image: string | null): boolean {
  return image !== null && PGBOUNCER.test(image);
}

/** The first Postgres of the compose files, with its settings, its first SQL and the pooler before it. */
export function databaseOf(
  services: readonly ComposeService[],
  files: readonly RepositoryFile[],
): { database: DatabaseSign | null; leftOut: LeftOut[] } {
  const all = services.filter(({ image, build }) => build === null && isPostgresImage(image));
  const own = all.find(({ image }) => imageReference.safeParse(image).success);
  if (own === undefined) return { database: null, leftOut: [] };
  const value = (name: string) => own.environment.find((each) => each.name === name)?.value ?? null;
  const named = (name: string) => (identifier.safeParse(value(name)).success ? value(name) : null);
  const { init, leftOut } = initFiles(own, files);
  const pooler = services.find(({ image, build }) => build === null && isPoolerImage(image));
  return {
    database: {
      from: own.from,
      image: own.image!,
      name: named('POSTGRES_DB') ?? named('POSTGRES_USER'),
      // The owner's usual name: a service has a role of its own.
      user: named('POSTGRES_USER') === 'postgres' ? null : named('POSTGRES_USER'),
      settings: settingsIn(own.command ?? []),
      init,
      pooler: pooler === undefined ? null : poolerOf(pooler),
    },
    leftOut: [
      ...leftOut,
      ...composeExtras(own, true),
      ...own.environment
        .filter((each) => /^POSTGRES_(?:INITDB_ARGS|HOST_AUTH_METHOD)$/.test(each.name))
        .map((each) => ({
          what: `${each.name} of ${own.key} (${own.from})`,
          why: 'the database is made as its image makes it without',
        })),
      ...all
        .filter((other) => other !== own)
        .map(({ key, image, from }) => ({
          what: `${key} (${image}, ${from})`,
          why: `a spec has one database, and ${own.key} is it`,
        })),
    ],
  };
}

/** `-c name=value` and `--name=value` of the command that starts the server. */
function settingsIn(command: readonly string[]): Record<string, string> {
  const words = command[0] === 'sh' ? command.slice(2).join(' ').split(/\s+/) : command;
  const settings: Record<string, string> = {};
  for (const [index, word] of words.entries()) {
    const text = words[index - 1] === '-c' ? word : /^--(\w.*)$/.exec(word)?.[1];
    const [, name, value] = /^([\w.-]+)=(.+)$/.exec(text ?? '') ?? [];
    const plain = name?.replaceAll('-', '_');
    if (plain !== undefined && settingName.safeParse(plain).success && isWritable(value!))
      settings[plain] = value!.replaceAll(/["']/g, '');
  }
  // Those that the run sets itself, or that need files which are not there.
  for (const name of ['listen_addresses', 'port', 'shared_preload_libraries', 'config_file', 'hba_file', 'ssl']) {
    delete settings[name];
  }
  return settings;
}

/** As many as a spec takes. */
const MOST_INIT = 256;
const NOT_RUN = 'only SQL files of this repository are run: write what it does as SQL and name it in database.init';
const INIT_FOLDER = '/docker-entrypoint-initdb.d';

/** SQL files that are mounted to be run at the first start. */
function initFiles(
  { mounts, key, from }: ComposeService,
  files: readonly RepositoryFile[],
): { init: string[]; leftOut: LeftOut[] } {
  const init: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const { source, target } of mounts) {
    if (!target.startsWith(INIT_FOLDER)) continue;
    const isFolder = target.replace(/\/$/, '') === INIT_FOLDER;
    // The others are named by those that were not run.
    if (init.length >= MOST_INIT) break;
    if (source !== null && !isFolder && source.endsWith('.sql')) init.push(source);
    else if (source !== null && isFolder) {
      const others = files
        .map(({ path }) => path)
        .filter((path) => folderOf(path) === source && !path.endsWith('.sql'))
        .sort();
      leftOut.push(...others.map((path) => ({ what: `${path} (first start of ${key}, ${from})`, why: NOT_RUN })));
      init.push(
        ...files
          .map(({ path }) => path)
          .filter((path) => folderOf(path) === source && path.endsWith('.sql') && relativePath.safeParse(path).success)
          .sort(),
      );
    } else {
      leftOut.push({
        what: `${source === null ? target : nameOf(source)} (first start of ${key}, ${from})`,
        why: NOT_RUN,
      });
    }
  }
  return { init: init.slice(0, MOST_INIT), leftOut };
}

/** Folders of SQL files of which no file says that the database is made with them; a service may run them itself as it starts. */
export function unusedSql(files: readonly RepositoryFile[], database: DatabaseSign | null): LeftOut[] {
  const unused = files
    .map(({ path }) => path)
    .filter((path) => path.endsWith('.sql') && !database?.init.includes(path));
  return [...new Set(unused.map(folderOf))].map((folder) => {
    const own = unused.filter((path) => folderOf(path) === folder);
    const what = own.length === 1 ? own[0]! : `${folder === '.' ? '' : `${folder}/`}*.sql (${own.length} files)`;
    return { what, why: 'name it in database.init where the service does not run it itself' };
  });
}

function poolerOf({ environment }: ComposeService): Record<string, string | number> {
  const value = (...names: string[]) => environment.find(({ name }) => names.includes(name))?.value ?? '';
  const mode = value('POOL_MODE', 'PGBOUNCER_POOL_MODE');
  const size = Number(value('DEFAULT_POOL_SIZE', 'PGBOUNCER_DEFAULT_POOL_SIZE'));
  const clients = Number(value('MAX_CLIENT_CONN', 'PGBOUNCER_MAX_CLIENT_CONN'));
  const isCount = (count: number) => Number.isInteger(count) && count >= 1 && count <= 65_536;
  return {
    kind: 'pgbouncer',
    ...(['session', 'transaction', 'statement'].includes(mode) ? { mode } : {}),
    ...(isCount(size) ? { 'default-pool-size': size } : {}),
    ...(isCount(clients) ? { 'max-client-connections': clients } : {}),
  };
}
