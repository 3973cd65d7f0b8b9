import { POSTGRES_IMAGE } from '../config/database.ts';
import { pathFilter } from '../config/path-glob.ts';
import { identifier, imageReference, relativePath, settingName } from '../values/scalars.ts';
import type { ComposeBuild, ComposeService } from './compose.ts';
import { folderOf, type LeftOut, nameOf, type RepositoryFile } from './files.ts';
import { isWritable } from './fitting.ts';
import { runsOwnSql } from './programs/spring.ts';
import { isPoolerImage, isPostgresImage } from './usual-images.ts';

export interface DatabaseSign {
  from: string;
  image: string | null;
  /** In place of an image. */
  build: ComposeBuild | null;
  /** Host names that something insists on. */
  alias: string[];
  name: string | null;
  user: string | null;
  /** Null for one that is made for each run. */
  password: string | null;
  /** What its compose file calls it, for a service that turns out to have that in its code; a password only where that tells one. */
  told: { hosts: readonly string[]; password: string | null };
  settings: Record<string, string>;
  init: string[];
  pooler: Record<string, string | number> | null;
}

/** One that no compose file has; `client` names the manifest that wants it. */
export function usualDatabase(client: string): DatabaseSign {
  return {
    ...{ from: client, image: POSTGRES_IMAGE, build: null, alias: [], name: null, user: null, password: null },
    ...{ told: { hosts: [], password: null }, settings: {}, init: [], pooler: null },
  };
}

export interface FoundDatabase {
  database: DatabaseSign | null;
  /** Its service in the compose file. */
  service: ComposeService | null;
  leftOut: LeftOut[];
}

/** The first Postgres of a project, with its settings, its first SQL and the pooler before it; `baseOf` names what an image is built from. */
export function databaseOf(
  services: readonly ComposeService[],
  files: readonly RepositoryFile[],
  baseOf: (service: ComposeService) => string | null,
): FoundDatabase {
  const all = services.filter((each) => isPostgres(each, baseOf));
  const own = all.find(({ image, build }) => build !== null || imageReference.safeParse(image).success);
  if (own === undefined) return { database: null, service: null, leftOut: [] };
  const value = (name: string) => own.environment.find((each) => each.name === name)?.value ?? null;
  const named = (name: string) => (identifier.safeParse(value(name)).success ? value(name) : null);
  const { init, leftOut } = initFiles(own, files);
  const pooler = services.find(({ image, build }) => build === null && isPoolerImage(image));
  const build = own.build !== null && !('problem' in own.build) ? own.build : null;
  return {
    database: {
      from: own.from,
      image: build === null ? own.image! : null,
      build,
      alias: [],
      name: named('POSTGRES_DB') ?? named('POSTGRES_USER'),
      // The owner's usual name: a service has a role of its own.
      user: named('POSTGRES_USER') === 'postgres' ? null : named('POSTGRES_USER'),
      password: null,
      told: { hosts: own.names, password: value('POSTGRES_PASSWORD') || null },
      settings: settingsIn(own.command ?? []),
      init,
      pooler: pooler === undefined ? null : poolerOf(pooler),
    },
    service: own,
    leftOut: [
      ...leftOut,
      ...own.environment
        .filter((each) => /^POSTGRES_INITDB_ARGS$/.test(each.name))
        .map((each) => ({
          what: `${each.name} of ${own.key} (${own.from})`,
          why: 'the database is made as its image makes it without',
          kind: 'database' as const,
        })),
      ...all
        .filter((other) => other !== own)
        .map(({ key, image, from }) => ({
          what: `${key} (${image ?? 'built here'}, ${from})`,
          why: `a spec has one Postgres, and ${own.key} is it: name its databases in database.databases`,
          kind: 'database' as const,
        })),
    ],
  };
}

export function isPostgres(service: ComposeService, baseOf: (service: ComposeService) => string | null): boolean {
  const { build, image } = service;
  if (build === null) return isPostgresImage(image);
  return !('problem' in build) && isPostgresImage(baseOf(service));
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
      leftOut.push(
        ...others.map((path) => ({
          what: `${path} (first start of ${key}, ${from})`,
          why: NOT_RUN,
          kind: 'database' as const,
        })),
      );
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
        kind: 'database',
      });
    }
  }
  return { init: init.slice(0, MOST_INIT), leftOut };
}

/** SQL that makes a database: neither what a program runs by itself, step by step or by name, nor what another database takes. */
export function isFirstSql({ path, content }: RepositoryFile): boolean {
  if (
    /(?:^|[/._-])(?:mysql|mariadb|sqlite3?|mssql|oracle|h2|hsqldb|derby|clickhouse|snowflake)(?:$|[/._-])/i.test(path)
  )
    return false;
  if (/(?:^|\/)(?:quer(?:y|ies)|sqlc|reports?|prisma)\//i.test(path)) return false;
  if (/\.(?:up|down)\.sql$|(?:^|\/)[VU]\d[\w.]*__[\w.-]*\.sql$/.test(path)) return false;
  const text = content.slice(0, 100_000);
  if (/^--\s*(?:\+(?:goose|migrate)\b|name:\s*\w|migrate:up|(?:!)?Up\b)/im.test(text)) return false;
  if (/`\w+`|\bAUTO_INCREMENT\b|\bENGINE\s*=|\bAUTOINCREMENT\b|\bNVARCHAR\b|\{\{/i.test(text)) return false;
  return /\b(?:CREATE\s+TABLE|INSERT\s+INTO|COPY\s+\S+\s+(?:\(|FROM))/i.test(text);
}

const OF_SPRING = /(?:^|\/)src\/main\/resources\//;

/** SQL files of which no file says that the database is made with them; a service may run them itself as it starts. */
export function unusedSql(files: readonly RepositoryFile[], database: DatabaseSign | null): LeftOut[] {
  const isRun = runsOwnSql(files) ? ({ path }: RepositoryFile) => OF_SPRING.test(path) : () => false;
  const isNamed = pathFilter(database?.init ?? []);
  const unused = files
    .filter((file) => file.path.endsWith('.sql') && !isNamed(file.path))
    .filter((file) => isFirstSql(file) && !isRun(file))
    .map(({ path }) => path);
  return [...new Set(unused.map(folderOf))].map((folder) => {
    const own = unused.filter((path) => folderOf(path) === folder);
    const what = own.length === 1 ? own[0]! : `${folder === '.' ? '' : `${folder}/`}*.sql (${own.length} files)`;
    const why = 'name it in database.init where the service does not run it itself';
    return { what, why, kind: 'database', short: what };
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
