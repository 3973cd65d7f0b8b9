import { environmentName } from '../values/scalars.ts';
import { NO_VALUE } from './compose-variables.ts';
import type { RepositoryFile } from './files.ts';
import { isWritable, literal, shown } from './fitting.ts';
import { partOf, pointsTo, type Reachable, withPlaceholders } from './references.ts';
import { isChoice, isHostList, isPlaceholderValue, isPlainValue, withoutRedirect } from './values.ts';

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
  /** What stands beside the service, and variables whose beginnings say what they are of. */
  beside: readonly Reachable[];
  prefixes: ReadonlyMap<string, Reachable>;
  /** The service is started by hand: it finds what stands beside it at ports of the machine. */
  isOutside: boolean;
  /** Values that something beside the service is told too. */
  shared: ReadonlySet<string>;
  isSecret(name: string, value: string): boolean;
}

/** In place of a secret: long enough for what signs with it, and visibly nobody's. */
export const MADE_UP_SECRET = 'made-up-value-for-measuring-only';
const LOOKS_SECRET = 'a secret by its name: the value in the spec is made up';
const NO_FILE_HAS_IT = 'no file has a value';

export type Classified = { kind: 'set'; value: string; note: string } | { kind: 'unset'; why: string };

const URL = /^((?:jdbc:|r2dbc:)?postgres(?:ql)?(?:\+\w+)?):\/\/[^?]*(\?[\w=&.%-]*)?$/;
const PART =
  /^(?:[A-Z]+__?)??(?:PG|(?:DB|DATABASE|POSTGRES|POSTGRESQL|PG)__?)(HOST|HOSTNAME|SERVER|PORT|NAME|DATABASE|DB|USER|USERNAME|PASSWORD|PASS)$/;
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
export const OWN_SECRET =
  /^(?:(?:[A-Z]+_)?JWT_SECRET(?:_KEY)?|(?:APP_|DJANGO_|FLASK_)?SECRET(?:_KEY(?:_BASE)?)?|(?:APP|JWT|SESSION|COOKIE|SIGNING|ENCRYPTION|HMAC|AUTH|NEXTAUTH)_(?:KEY|SECRET|SALT))$/;

/** Which way to run is meant, of those that a framework knows. */
const OF_WAY = /^(?:NODE|APP|FLASK|RACK|RAILS|GO|GIN|ASPNETCORE|DOTNET)_?(?:ENV|ENVIRONMENT|MODE)$/;
/** Some frameworks do not start without it as their example is written. */
const OF_DEBUGGING = /^(?:[A-Z]+_)*DEBUG(?:_MODE)?$/;
const IS_ON = /^(?:true|1|on|yes)$/i;
/** Whether a service tells of itself, which costs it something for each request. */
const OF_TELEMETRY = /(?:^|_)(?:TRACES?|TRACING|OTEL|OTLP|TELEMETRY)_?ENABLED$/;

const LONGEST_VALUE = 500;

/** What a spec says of a variable that a file names with a value. */
export function classified(name: string, value: string | null, context: EnvironmentContext): Classified {
  const set = (text: string, note = ''): Classified => ({ kind: 'set', value: text, note });
  const unset = (why: string): Classified => ({ kind: 'unset', why });
  const text = (value ?? '').trim();
  if (text.length > LONGEST_VALUE) return unset('its value is too long');
  const told = connection(name, text, context);
  if (told !== null) return set(told.replaceAll(NO_VALUE, MADE_UP_SECRET));
  if (text === MADE_UP_SECRET) return set(text, LOOKS_SECRET);
  const isSecret = context.isSecret(name, text) && !isPlainValue(text) && !isChoice(name, text);
  // What no file has a value for is still a secret that the server insists on.
  if (text.includes(NO_VALUE)) return isSecret ? set(MADE_UP_SECRET, LOOKS_SECRET) : unset(NO_FILE_HAS_IT);
  if (OF_WAY.test(name) && /^(?:dev|develop|development|local|debug)$/i.test(text)) return unset('for development');
  if (OF_TELEMETRY.test(name) && IS_ON.test(text)) return unset('nothing takes its traces here');
  const elsewhere = absent(name, text, context);
  if (elsewhere !== null) return unset(elsewhere);
  if (/^(?:PORT|HTTP_PORT|SERVER_PORT|APP_PORT|LISTEN_PORT)$/.test(name) && text === String(context.port))
    return set('${port}');
  const direct = withoutRedirect(name, text);
  if (direct !== null) return set(direct, `with ${text} every answer is a redirect to HTTPS`);
  // As JSON where it is read as JSON.
  const anyHost = text.startsWith('[') ? '["*"]' : '*';
  if (isHostList(name) && text !== anyHost) return set(anyHost, 'a service is asked by its address');
  // An empty key of somebody else's service means that the service is not used.
  if (text === '' && !OWN_SECRET.test(name)) return unset(NO_FILE_HAS_IT);
  if (isSecret && /_(?:DSN|URL|URI|HOST|ENDPOINT)$/.test(name))
    return unset('it looks like a secret, and points to something outside');
  // A value that something beside the service is told too is the same on both sides.
  if (!context.shared.has(text)) {
    if (isSecret || (text === '' && OWN_SECRET.test(name))) return set(MADE_UP_SECRET, LOOKS_SECRET);
    if (isPlaceholderValue(text)) return unset('only holds a place: write your own value');
  }
  if (/[\0\n]/.test(text) || !isWritable(text)) return unset('no spec can hold its value on one line');
  const isDebugging = OF_DEBUGGING.test(name) && IS_ON.test(text);
  return set(literal(text), isDebugging ? 'for development: a request may cost more than in use' : '');
}

/** What a container beside a service is told: the values as they are, since the service knows them too; null for none. */
export function besideValue(name: string, value: string | null, context: EnvironmentContext): string | null {
  const text = (value ?? NO_VALUE).trim();
  const told = connection(name, text, context) ?? literal(text);
  if (!told.includes(NO_VALUE)) return isWritable(told) && !told.includes('\n') ? told : null;
  return context.isSecret(name, text) ? told.replaceAll(NO_VALUE, MADE_UP_SECRET) : null;
}

/** What tells a service of its database, or of what else stands beside it; null where it is about something else. */
function connection(name: string, text: string, context: EnvironmentContext): string | null {
  const { hasDatabase, beside, prefixes, isOutside } = context;
  const part = partOf(name, text, prefixes);
  if (part !== null) return part;
  if (hasDatabase) {
    const told = databaseValue(name, text) ?? databasePart(name, text, context);
    if (told !== null) return told;
  }
  const own = literal(text);
  const result = withPlaceholders(name, own, beside, isOutside);
  return result === own || !isWritable(result) ? null : result;
}

/** Why a variable is of no use without what it is about; null where it is about nothing that is absent. */
function absent(name: string, text: string, { absentHosts, beside }: EnvironmentContext): string | null {
  const host = [...absentHosts.keys()].find((each) => pointsTo(text, each));
  if (host !== undefined) return `it points to ${absentHosts.get(host)}, which is not started`;
  const isBeside = beside.some(({ hosts, kind }) => kind === text || hosts.some((each) => pointsTo(text, each)));
  if (isBeside || text === '') return null;
  const named = OF_OTHER_SYSTEM.exec(name)?.[1]?.toLowerCase() ?? SYSTEM.exec(text)?.[0];
  if (named !== undefined) return `it is about ${named}, which is not started`;
  const system = OTHER_SYSTEM.exec(text)?.[1]?.toLowerCase();
  return system === undefined ? null : `it points to ${system}, which is not started`;
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
  if (/SSL_?MODE$/i.test(name) && /^(?:require|verify-\w+)$/.test(value)) return 'disable';
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

/** Of the variables that hold the database's name in a compose file, as a host or in a URL. */
export function databasePrefixes(
  environment: readonly { name: string; value: string | null }[],
  hosts: ReadonlySet<string>,
): Set<string> {
  const prefixes = environment.flatMap(({ name, value }) => {
    const text = (value ?? '').trim();
    if (HOST_END.test(name) && hosts.has(text)) return [name.replace(HOST_END, '')];
    const isUrl = URL_END.test(name) && [...hosts].some((host) => pointsTo(text, host));
    return isUrl ? [name.replace(URL_END, '')] : [];
  });
  return new Set(prefixes.filter((prefix) => prefix.length > 1));
}

const URL_END = /(?:JDBC_?)?(?:URL|URI)$/i;

/** With the scheme as it was: a library may refuse another, or take its driver from it. */
export function connectionUrl(scheme: string, query = ''): string {
  // The database beside a service speaks no TLS.
  const plain = query
    .replaceAll(/sslmode=(?:require|verify-\w+|prefer|allow)/g, 'sslmode=disable')
    .replaceAll(/([?&])(user|password)=[^&]*/g, '$1$2=$${database.$2}');
  if (/^(?:jdbc|r2dbc):/.test(scheme))
    return `${scheme}://\${database.host}:\${database.port}/\${database.name}${plain}`;
  if (scheme === 'postgres') return `\${database.url}${plain}`;
  return `${scheme}://\${database.user}:\${database.password}@\${database.host}:\${database.port}/\${database.name}${plain}`;
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
    const value = ofDatabase(name, scheme);
    if (value !== null) found[name] = value;
  }
  // A program that takes its connection as a whole wants no parts beside it.
  const whole = Object.entries(found).filter(([name]) => URL_NAME.test(name));
  return whole.length > 0 ? Object.fromEntries(whole) : found;
}

/** What a variable that is called so holds of the database; null where it is about something else. */
export function ofDatabase(name: string, scheme: string): string | null {
  return URL_NAME.test(name) ? connectionUrl(scheme) : databaseValue(name, '');
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
