/** Servers that variables speak of and no compose file starts: MySQL and Redis, as their images are usually told. */
import type { ComposeService } from './compose.ts';
import { NO_VALUE } from './compose-variables.ts';
import { usualImage } from './usual-images.ts';

interface Variable {
  name: string;
  value: string | null;
  from: string;
}

/** Where a program looks for them that is started by hand, or the name that a compose file would have. */
const NEAR = String.raw`(?:localhost|127\.0\.0\.1|host\.docker\.internal|[a-z][\w-]*)`;
const MYSQL_URL = new RegExp(
  `(?:mysql|mariadb)(?:2|\\+\\w+)?://(?:([^:@/]*)(?::([^@/]*))?@)?(${NEAR})(?::\\d+)?/([\\w-]*)`,
);
const REDIS_URL = new RegExp(`^rediss?://(?:[^@/]*@)?(${NEAR})(?:[:/]|$)`);

/** None of a kind that the project has an image of. */
export function impliedServices(variables: readonly Variable[], project: readonly ComposeService[]): ComposeService[] {
  const ports = new Set(project.map(({ image }) => usualImage(image ?? '')?.port));
  const mysql = ports.has(3306) ? null : mysqlOf(variables);
  const redis = ports.has(6379) ? null : redisOf(variables);
  return [mysql, redis].filter((each) => each !== null);
}

const CHOICE = /(?:DB|DATABASE)_(?:CONNECTION|TYPE|DIALECT|CLIENT|DRIVER|ENGINE)$/i;
/** What keeps a part of what an application has to keep: `CACHE_DRIVER: file`. */
const KEEPER = /(?:CACHE|SESSION|QUEUE|BROADCAST)\w*_(?:DRIVER|STORE|CONNECTION|BACKEND)$/i;

function mysqlOf(variables: readonly Variable[]): ComposeService | null {
  if (variables.some(({ name, value }) => CHOICE.test(name) && /^(?:sqlite3?|postgres\w*|pgsql)$/i.test(value ?? '')))
    return null;
  const sign = variables.find(
    ({ name, value }) =>
      MYSQL_URL.test(value ?? '') ||
      (/(?:DB|DATABASE|MYSQL|MARIADB)_?PORT$/i.test(name) && value === '3306') ||
      (CHOICE.test(name) && /^(?:mysql2?|mariadb)$/.test(value ?? '')),
  );
  if (sign === undefined) return null;
  const [, urlUser, urlPassword, urlHost, urlName] = MYSQL_URL.exec(sign.value ?? '') ?? [];
  const valueLike = (end: RegExp) =>
    variables.find(({ name }) => end.test(name) && /DB|DATABASE|MYSQL|MARIADB/i.test(name))?.value ?? undefined;
  const user = urlUser ?? valueLike(/_?USER(?:NAME)?$/i) ?? 'root';
  const password = urlPassword ?? valueLike(/_?PASS(?:WORD)?$/i) ?? '';
  const name = urlName ?? valueLike(/_(?:NAME|DATABASE)$/i) ?? 'app';
  const host = urlHost ?? valueLike(/_?HOST(?:NAME)?$/i) ?? 'mysql';
  const isRoot = user === 'root' || user === '';
  return serviceOf('mysql', 'mysql:8.4', 3306, host, sign.from, {
    MYSQL_DATABASE: name === '' ? 'app' : name,
    ...(isRoot ? {} : { MYSQL_USER: user, MYSQL_PASSWORD: password === '' ? NO_VALUE : password }),
    ...(isRoot && password === ''
      ? { MYSQL_ALLOW_EMPTY_PASSWORD: 'yes' }
      : { MYSQL_ROOT_PASSWORD: password === '' ? NO_VALUE : password }),
  });
}

function redisOf(variables: readonly Variable[]): ComposeService | null {
  const keepers = variables.filter(({ name }) => KEEPER.test(name));
  const isUnused = keepers.length > 0 && keepers.every(({ value }) => !/redis/i.test(value ?? ''));
  const sign = variables.find(
    ({ name, value }) =>
      REDIS_URL.test(value ?? '') ||
      (!isUnused && /(?:^|_)REDIS_HOST(?:NAME)?$/i.test(name) && new RegExp(`^${NEAR}$`).test(value ?? '')),
  );
  if (sign === undefined) return null;
  const host = REDIS_URL.exec(sign.value ?? '')?.[1] ?? sign.value!;
  return serviceOf('redis', 'redis:8', 6379, host, sign.from, {});
}

/** As if a compose file started it at its usual port. */
function serviceOf(
  key: string,
  image: string,
  port: number,
  host: string,
  from: string,
  environment: Record<string, string>,
): ComposeService {
  const isHere = /^(?:localhost|127\.0\.0\.1|host\.docker\.internal)$/.test(host);
  return {
    ...{ key, from, folder: '.', build: null, image, entrypoint: null, command: null, port },
    environment: Object.entries(environment).map(([name, value]) => ({ name, value, from })),
    published: new Map([[port, port]]),
    ports: [port],
    health: null,
    dependsOn: new Map(),
    names: [...new Set([key, ...(isHere ? [] : [host])])],
    ...{ mounts: [], user: null, memory: null, restart: '', profiles: [], extras: [], missing: [] },
  };
}
