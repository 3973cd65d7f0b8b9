/** What a service that did not come up has said of what is beside it, in a spec that answers it. */
import { hostNames } from '../config/host-names.ts';
import { shortened, visible } from '../format/text.ts';
import { identifier } from '../values/scalars.ts';
import type { DependencySign } from './dependencies.ts';
import { connectionUrl, type SetVariable } from './environment.ts';
import { folderOf } from './files.ts';
import { insistedVariables } from './insisted-variables.ts';
import type { LeftOut } from './left-out.ts';
import { type DatabaseSign, isFirstSql, usualDatabase } from './postgres.ts';
import type { ServiceSign } from './service-sign.ts';
import type { SpecParts } from './spec-text.ts';

export interface Repair {
  parts: SpecParts;
  /** What was seen, in a sentence. */
  sentence: string;
}

const NO_DATABASE = /\bdatabase "(\w{1,63})" does not exist/;
const NO_ROLE = /\brole "(\w{1,63})" does not exist/;
const NO_PASSWORD = /\bpassword authentication failed for user "(\w{1,63})"/;
/** libpq, Node.js, Go, PHP, Java. */
const NO_HOST =
  /(?:could not translate host name "|getaddrinfo (?:ENOTFOUND|EAI_AGAIN|for) |\blookup |UnknownHostException: )([a-zA-Z][\w.-]{0,62})/;
/** How people call the host of their database. */
const OF_DATABASE = /db|pg|postgres|sql|data/i;

/**
 * What is to be changed by the last lines that each service has printed; null where none of them says what is missing, or the spec has
 * that already. Only what runs in containers can be called otherwise.
 */
export function repairedParts(
  parts: SpecParts,
  printed: ReadonlyMap<string, readonly string[]>,
  inContainers: boolean,
): Repair | null {
  for (const [name, lines] of printed) {
    for (const line of lines.toReversed()) {
      const repair = repairOf(parts, line.slice(0, 2_000), inContainers);
      if (repair !== null) return repair;
    }
    const repair =
      withPort(parts, name, lines) ??
      withAddress(parts, name, lines) ??
      withDriver(parts, name, lines) ??
      withVariables(parts, name, lines) ??
      withoutGuess(parts, name, lines);
    if (repair !== null) return repair;
  }
  return null;
}

/** As a runtime tells of a service that was waited for in vain: it has looked where that listens. */
const ELSEWHERE = /\bit listens on ports? (\d{1,5})\b/;

function withPort(parts: SpecParts, name: string, lines: readonly string[]): Repair | null {
  const port = Number(lines.map((line) => ELSEWHERE.exec(line)?.[1]).find((each) => each !== undefined) ?? 0);
  const isOther = (service: ServiceSign) => service.name === name && service.port?.value !== port;
  if (port === 0 || !parts.services.some(isOther)) return null;
  const services = parts.services.map((service) =>
    isOther(service) ? { ...service, port: { value: port, from: 'seen when it was started' } } : service,
  );
  return { parts: { ...parts, services }, sentence: `${name} listens on port ${port}.` };
}

const INSIDE_ALONE = /\bit listens on (\S{1,50}):\d{1,5} only, which is not reachable\b/;

/** The variable that tells it to listen for those inside of its container alone. */
function withAddress(parts: SpecParts, name: string, lines: readonly string[]): Repair | null {
  if (!lines.some((line) => INSIDE_ALONE.test(line))) return null;
  const inside = /^(?:127\.0\.0\.1|localhost|\[?::1\]?)(?=:|$)/;
  return withValues(
    parts,
    name,
    ({ value }) => (inside.test(value) ? value.replace(inside, '0.0.0.0') : value),
    'It listens only inside its container.',
  );
}

/** SQLAlchemy takes the driver from the scheme, and as its own version has it where that names none. */
const NO_DRIVER = /\bNo module named '(psycopg2?)'/;

function withDriver(parts: SpecParts, name: string, lines: readonly string[]): Repair | null {
  const missing = lines.map((line) => NO_DRIVER.exec(line)?.[1]).find((each) => each !== undefined);
  if (missing === undefined) return null;
  const driver = missing === 'psycopg' ? 'psycopg2' : 'psycopg';
  const driven = connectionUrl(`postgresql+${driver}`);
  const withScheme = (value: string) =>
    value.replace('${database.url}', driven).replace(/^postgresql:\/\//, `postgresql+${driver}://`);
  return withValues(
    parts,
    name,
    ({ value }) => withScheme(value),
    `It lacks the driver ${missing}, so it is told to use ${driver}.`,
  );
}

/** Null where nothing becomes another value. */
function withValues(
  parts: SpecParts,
  name: string,
  changed: (variable: SetVariable) => string,
  sentence: string,
): Repair | null {
  const own = parts.services.find((each) => each.name === name);
  if (own === undefined || own.env.every((each) => changed(each) === each.value)) return null;
  const env = own.env.map((each) => {
    const value = changed(each);
    return value === each.value ? each : { ...each, value, note: `written as ${each.value}` };
  });
  const services = parts.services.map((each) => (each === own ? { ...own, env } : each));
  return { parts: { ...parts, services }, sentence };
}

/** Characters of what a program said. */
const MOST_SHOWN = 160;

/** A step that nobody has written down. */
function withoutGuess(parts: SpecParts, name: string, lines: readonly string[]): Repair | null {
  const own = parts.services.find((each) => each.name === name);
  const guess = own?.jobs.find(({ key }) => key === '');
  if (guess === undefined || !lines.some((line) => /^prepare step \d+ \(job:/.test(line))) return null;
  const services = parts.services.map((each) =>
    each === own ? { ...own, jobs: own.jobs.filter((job) => job !== guess) } : each,
  );
  const why = lines.findLast((line) => /error|fail|exception/i.test(line) && !/^prepare step/.test(line))?.trim() ?? '';
  const said = why === '' ? '.' : `: ${shortened(visible(why), MOST_SHOWN).replace(/\.?$/, '.')}`;
  return { parts: { ...parts, services }, sentence: `\`${guess.command.join(' ')}\` was a guess, and it fails${said}` };
}

function withVariables(parts: SpecParts, name: string, lines: readonly string[]): Repair | null {
  const service = parts.services.find((each) => each.name === name);
  const made = service === undefined ? [] : insistedVariables(service, lines, parts.wantsDatabase);
  if (made.length === 0) return null;
  const names = made.map((each) => each.name);
  const services = parts.services.map((each) => (each === service ? { ...each, env: [...each.env, ...made] } : each));
  const isOpen = ({ short }: LeftOut) => short === undefined || !names.includes(short);
  return {
    parts: { ...parts, services, leftOut: parts.leftOut.filter(isOpen) },
    sentence: `It does not start without ${names.join(', ')}.`,
  };
}

function repairOf(parts: SpecParts, line: string, inContainers: boolean): Repair | null {
  const database = parts.services.find((each) => each.database !== null)?.database ?? usualDatabase('');
  const name = NO_DATABASE.exec(line)?.[1];
  if (name !== undefined) {
    if (name === database.name || !identifier.safeParse(name).success) return null;
    return withDatabase(parts, { name }, `It connects to the database ${name}.`);
  }
  const user = NO_ROLE.exec(line)?.[1] ?? NO_PASSWORD.exec(line)?.[1];
  if (user !== undefined) {
    if (!identifier.safeParse(user).success) return null;
    const password = database.password ?? database.told.password;
    if (user === database.user && password === database.password) return null;
    return withDatabase(parts, { user, password }, `It connects to the database as ${user}.`);
  }
  const host = inContainers ? NO_HOST.exec(line)?.[1] : undefined;
  return host === undefined || !hostNames.written.safeParse(host).success ? null : withHost(parts, host, database);
}

function withDatabase(parts: SpecParts, change: Partial<DatabaseSign>, sentence: string): Repair {
  const client = parts.services.find(({ program }) => program?.client != null)?.program?.client ?? '';
  const services = parts.services.map((service) =>
    service.wantsDatabase
      ? { ...service, database: { ...(service.database ?? usualDatabase(client)), ...change } }
      : service,
  );
  return { parts: { ...parts, services }, sentence };
}

/** Of what stands beside the service that which is called like the host, else the database. */
function withHost(parts: SpecParts, host: string, database: DatabaseSign): Repair | null {
  const sentence = `It looks for the host ${host}.`;
  const beside = parts.services.flatMap(({ dependencies }) => dependencies);
  const called = beside.find((each) => isCalled(each, host));
  if (called !== undefined) {
    if (called.name === host || called.alias.includes(host)) return null;
    const services = parts.services.map((service) => ({
      ...service,
      dependencies: service.dependencies.map((each) =>
        each.name === called.name ? { ...each, alias: [...each.alias, host] } : each,
      ),
    }));
    return { parts: { ...parts, services }, sentence };
  }
  const isDatabase = database.told.hosts.includes(host) || OF_DATABASE.test(host);
  if (!parts.wantsDatabase || !isDatabase || database.alias.includes(host)) return null;
  return withDatabase(parts, { alias: [...database.alias, host] }, sentence);
}

function isCalled({ name, image }: DependencySign, host: string): boolean {
  const [kind = ''] = (image ?? '').split('/').at(-1)!.split(/[:@]/);
  return [name, kind].some((each) => each !== '' && (host.includes(each) || each.includes(host)));
}

const NO_TABLE = /\brelation "(?:\w{1,63}\.)?(\w{1,63})" does not exist/;

/**
 * With the SQL of the repository that makes a table which a service, being up, has asked for in vain, by the lines of its log and of its
 * database; null where no SQL does, or it is run already. Nobody may have said how such a database is made.
 */
export function partsWithTables(parts: SpecParts, lines: readonly string[]): Repair | null {
  const tables = lines.flatMap((line) => NO_TABLE.exec(line.slice(0, 2_000))?.[1] ?? []);
  const sql = parts.services.flatMap(({ program }) => program?.files ?? []).filter(({ path }) => path.endsWith('.sql'));
  const known = parts.services.find((each) => each.database !== null)?.database?.init ?? [];
  if (tables.length === 0 || known.length > 0) return null;
  const making = sql.find((file) => isFirstSql(file) && tables.some((table) => makes(file.content, table)));
  if (making === undefined) return null;
  const folder = folderOf(making.path);
  const beside = sql.filter(({ path }) => folderOf(path) === folder);
  const isSet = beside.length > 1 && folder !== '.' && beside.every(isFirstSql);
  const init = isSet ? `${folder}/*.sql` : making.path;
  const isOpen = ({ kind, what }: LeftOut) =>
    kind !== 'database' || !beside.some(({ path }) => what === path || what.startsWith(`${folder}/*.sql (`));
  return withDatabase(
    { ...parts, leftOut: parts.leftOut.filter(isOpen) },
    { init: [init] },
    `The table ${tables[0]} does not exist, and ${init} creates it.`,
  );
}

function makes(sql: string, table: string): boolean {
  const statement = `create\\s{1,9}table\\s{1,9}(?:if\\s{1,9}not\\s{1,9}exists\\s{1,9})?(?:"?\\w{1,63}"?\\.)?"?${table}"?(?!\\w)`;
  return new RegExp(statement, 'i').test(sql.slice(0, 200_000));
}
