import { environmentName } from '../values/scalars.ts';
import type { RepositoryFile } from './files.ts';
import { isWritable, literal, shown } from './fitting.ts';

/** A variable that the spec sets. */
export interface SetVariable {
  name: string;
  value: string;
  /** File that names it; empty where that is said already. */
  from: string;
  note: string;
}

/** One that a file names and the spec does not set, and why. */
export interface UnsetVariable {
  name: string;
  from: string;
  why: string;
}

export interface EnvironmentContext {
  /** Whether there is a Postgres to be told of. */
  hasDatabase: boolean;
  port: number;
  /** Hosts that stand for something that is not started beside the service → what that is. */
  absentHosts: ReadonlyMap<string, string>;
  /** Names under which compose files know the database. */
  databaseHosts: ReadonlySet<string>;
  /** Variables that are named as one that holds such a name, but for their end: `APP__DATABASE__` of `APP__DATABASE__HOST`. */
  databasePrefixes: ReadonlySet<string>;
  isSecret(name: string, value: string): boolean;
}

/** In place of a secret: long enough for what signs with it, and visibly nobody's. */
const MADE_UP_SECRET = 'made-up-value-for-measuring-only';

export type Classified = { kind: 'set'; value: string; note: string } | { kind: 'unset'; why: string };

const URL = /^((?:jdbc:|r2dbc:)?postgres(?:ql)?(?:\+\w+)?):\/\/[^?]*(\?[\w=&.%-]*)?$/;
const PART =
  /^(?:[A-Z]+_)??(?:PG|DB_|DATABASE_|POSTGRES_|POSTGRESQL_|PG_)(HOST|HOSTNAME|SERVER|PORT|NAME|DATABASE|DB|USER|USERNAME|PASSWORD|PASS)$/;
const PARTS: Record<string, string> = {
  HOSTNAME: 'host',
  SERVER: 'host',
  DATABASE: 'name',
  DB: 'name',
  USERNAME: 'user',
  PASS: 'password',
};
const OTHER_SYSTEM =
  /^(redis|rediss|amqps?|mongodb(?:\+srv)?|mysql|mariadb|kafka|nats|memcached?|elasticsearch|clickhouse|smtps?):\/\//i;

const OF_OTHER_SYSTEM =
  /^(REDIS|MEMCACHED|RABBITMQ|AMQP|KAFKA|MONGO(?:DB)?|MYSQL|ELASTIC(?:SEARCH)?|CLICKHOUSE|SMTP)_(?:HOST|URL|URI|PORT|SERVER|BROKERS?)$/;
const SYSTEM = /^(?:redis|memcached|rabbitmq|kafka|mongodb|mysql)$/;

/** What a server signs or encrypts with: it wants some value, whichever. */
const OWN_SECRET =
  /^(?:(?:[A-Z]+_)?JWT_SECRET(?:_KEY)?|(?:APP_|DJANGO_|FLASK_)?SECRET(?:_KEY(?:_BASE)?)?|(?:APP|JWT|SESSION|COOKIE|SIGNING|ENCRYPTION|HMAC|AUTH|NEXTAUTH)_(?:KEY|SECRET|SALT))$/;

const LONGEST_VALUE = 500;

/** What a spec says of a variable that a file names with a value. */
export function classified(name: string, value: string | null, context: EnvironmentContext): Classified {
  const set = (text: string, note = ''): Classified => ({ kind: 'set', value: text, note });
  const { hasDatabase, absentHosts, isSecret } = context;
  const text = (value ?? '').trim();
  if (text.length > LONGEST_VALUE) return { kind: 'unset', why: 'its value is too long' };
  if (hasDatabase) {
    const connection = databaseValue(name, text) ?? databasePart(name, text, context);
    if (connection !== null) return set(connection);
  }
  const system = OTHER_SYSTEM.exec(text)?.[1]?.toLowerCase();
  const host = [...absentHosts.keys()].find((each) => pointsTo(text, each));
  if (host !== undefined) return { kind: 'unset', why: `it points to ${absentHosts.get(host)}, which is not started` };
  const named = OF_OTHER_SYSTEM.exec(name)?.[1]?.toLowerCase() ?? SYSTEM.exec(text)?.[0];
  if (named !== undefined && text !== '') return { kind: 'unset', why: `it is about ${named}, which is not started` };
  if (system !== undefined) return { kind: 'unset', why: `it points to ${system}, which is not started` };
  if (/^(?:PORT|HTTP_PORT|SERVER_PORT|APP_PORT|LISTEN_PORT)$/.test(name) && text === String(context.port))
    return set('${port}');
  if (isSecret(name, text) && /_(?:DSN|URL|URI|HOST|ENDPOINT)$/.test(name))
    return { kind: 'unset', why: 'it looks like a secret, and points to something outside' };
  // An empty key of somebody else's service means that the service is not used.
  if (text === '' && !OWN_SECRET.test(name)) return { kind: 'unset', why: 'no file has a value for it' };
  if (isSecret(name, text)) return set(MADE_UP_SECRET, 'it looks like a secret, so the value in the spec is made up');
  if (/[\0\n]/.test(text) || !isWritable(text)) return { kind: 'unset', why: 'no spec can hold its value on one line' };
  return set(literal(text));
}

/** What tells a service of its database, in the form that the value had; null where it is about something else. */
function databaseValue(name: string, value: string): string | null {
  const [, scheme, query = ''] = URL.exec(value) ?? [];
  if (scheme !== undefined) return connectionUrl(scheme, query);
  if (/\bHost=[^;]+;/i.test(value) && /\b(?:Username|User Id)=/i.test(value)) {
    return 'Host=${database.host};Port=${database.port};Database=${database.name};Username=${database.user};Password=${database.password}';
  }
  if (/\bhost=\S+/.test(value) && /\b(?:dbname|user)=\S+/.test(value)) {
    return 'host=${database.host} port=${database.port} dbname=${database.name} user=${database.user} password=${database.password} sslmode=disable';
  }
  const part = PART.exec(name)?.[1];
  return part === undefined ? null : `\${database.${PARTS[part] ?? part.toLowerCase()}}`;
}

const HOST_END = /(?:HOST|HOSTNAME|SERVER|ADDR|ADDRESS)$/i;
/** What is called so names something else than a host, even where it is `postgres`. */
const NO_HOST =
  /(?:TYPE|DRIVER|DIALECT|VENDOR|ENGINE|CONNECTION|ADAPTER|BACKEND|CLIENT|KIND|PROVIDER|SCHEMA|USER|USERNAME|PASSWORD|PASS|NAME|DATABASE|DB)$/i;
const PART_END = /^(PORT|NAME|DATABASE|DB|DBNAME|USER|USERNAME|PASSWORD|PASS)$/i;

/** A value that is the database's name in its compose file, whatever the variable is called, and what stands beside it. */
function databasePart(name: string, value: string, context: EnvironmentContext): string | null {
  const [, host = '', port] = /^([\w.-]+)(:\d{1,5})?$/.exec(value) ?? [];
  if (context.databaseHosts.has(host) && !NO_HOST.test(name)) {
    return port === undefined ? '${database.host}' : '${database.host}:${database.port}';
  }
  const prefix = [...context.databasePrefixes].find(
    (each) => name.startsWith(each) && PART_END.test(name.slice(each.length)),
  );
  if (prefix === undefined) return null;
  const end = name.slice(prefix.length).toUpperCase();
  return `\${database.${end === 'DBNAME' ? 'name' : (PARTS[end] ?? end.toLowerCase())}}`;
}

/** Of the variables that hold the database's name in a compose file. */
export function databasePrefixes(
  environment: readonly { name: string; value: string | null }[],
  hosts: ReadonlySet<string>,
): Set<string> {
  const named = environment.filter(({ name, value }) => HOST_END.test(name) && hosts.has((value ?? '').trim()));
  return new Set(named.map(({ name }) => name.replace(HOST_END, '')).filter((prefix) => prefix.length > 1));
}

/** With the scheme as it was: a library may refuse another, or take its driver from it. */
export function connectionUrl(scheme: string, query = ''): string {
  // The database beside a service speaks no TLS.
  const plain = query.replaceAll(/sslmode=(?:require|verify-\w+|prefer|allow)/g, 'sslmode=disable');
  if (/^(?:jdbc|r2dbc):/.test(scheme))
    return `${scheme}://\${database.host}:\${database.port}/\${database.name}${plain}`;
  if (scheme === 'postgres') return `\${database.url}${plain}`;
  return `${scheme}://\${database.user}:\${database.password}@\${database.host}:\${database.port}/\${database.name}${plain}`;
}

/** Whether a value is a host or an address on it. */
function pointsTo(value: string, host: string): boolean {
  const plain = host.replaceAll(/[^\w-]/g, '.');
  return new RegExp(`(?:^|[/@,])${plain}(?:$|[:/,])`).test(value);
}

const URL_NAME =
  /^(?:[A-Z][A-Z0-9]*_)*(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|SQLALCHEMY_DATABASE)_(?:URL|URI|DSN|CONNECTION_STRING)$/;

/** The same without a name of its own before it. */
const PLAIN_URL_NAME = /^(?:DATABASE|DB|POSTGRES|POSTGRESQL|PG|SQLALCHEMY_DATABASE)_/;
/** Databases of something else: files to download, and what tests use. */
const OTHER_DATABASE = /^(?:[A-Z0-9]+_)*(?:GEO|GEOIP|GEOLITE|MAXMIND|IP|TEST)_(?:DATABASE|DB)_/;

/** That tell of a database. */
const MOST_NAMES = 50;
const LONGEST_NAME = 255;

/** The variables about a database that code reads by name, with what to tell it. */
export function databaseVariablesIn(files: readonly RepositoryFile[], scheme: string): Record<string, string> {
  const names = new Set<string>();
  const read =
    /(?:process\.env\.|process\.env\[['"`]|env\(\s*['"]|[Gg]etenv\(\s*["']|LookupEnv\(\s*"|os\.environ\[['"]|environ\.get\(\s*['"]|env::var\(\s*"|ENV\[['"]|ENV\.fetch\(\s*['"]|env\.\w*\(?\s*['"]?|\bconfig\(\s*['"]|\benv\w*\(\s*["'])([A-Z][A-Z0-9_]+)/g;
  for (const { content } of files) {
    for (const [, name] of content.matchAll(read)) names.add(name!);
    if (/\bBaseSettings\b/.test(content)) {
      for (const [, field] of content.matchAll(/^[ \t]+([A-Za-z]\w+)\s*:\s*[A-Za-z]/gm))
        names.add(field!.toUpperCase());
    }
  }
  const found: Record<string, string> = {};
  const hasPlain = [...names].some((name) => URL_NAME.test(name) && PLAIN_URL_NAME.test(name));
  for (const name of [...names].sort()) {
    if (Object.keys(found).length >= MOST_NAMES) break;
    if (name.length > LONGEST_NAME) continue;
    if (OTHER_DATABASE.test(name)) continue;
    // Another name beside the plain one is that of another database.
    if (URL_NAME.test(name) && !PLAIN_URL_NAME.test(name) && hasPlain) continue;
    if (URL_NAME.test(name)) found[name] = connectionUrl(scheme);
    else if (PART.test(name)) found[name] = databaseValue(name, '')!;
  }
  // A program that takes its connection as a whole wants no parts beside it.
  const whole = Object.entries(found).filter(([name]) => URL_NAME.test(name));
  return whole.length > 0 ? Object.fromEntries(whole) : found;
}

/** Variables as a spec can hold them, and those that it cannot. */
export function fittingVariables(
  env: readonly SetVariable[],
  unset: readonly UnsetVariable[],
): { env: SetVariable[]; unset: UnsetVariable[] } {
  const left = [...unset];
  const kept: SetVariable[] = [];
  for (const variable of env) {
    const { name, value, from } = variable;
    if (!environmentName.safeParse(name).success) left.push({ name: shown(name), from, why: 'no spec takes its name' });
    else if (!isWritable(value)) left.push({ name, from, why: 'no spec can hold its value' });
    else kept.push(variable);
  }
  return { env: kept, unset: left };
}
