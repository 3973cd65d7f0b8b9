/** What a service that did not come up has said of what is beside it, in a spec that answers it. */
import { hostNames } from '../config/host-names.ts';
import { identifier } from '../values/scalars.ts';
import type { DependencySign } from './dependencies.ts';
import { type DatabaseSign, usualDatabase } from './postgres.ts';
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

/** Null where nothing of it says what is missing, or the spec has that already. Only what runs in containers can be called otherwise. */
export function repairedParts(parts: SpecParts, printed: readonly string[], inContainers: boolean): Repair | null {
  for (const line of printed.toReversed()) {
    const repair = repairOf(parts, line.slice(0, 2_000), inContainers);
    if (repair !== null) return repair;
  }
  return null;
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
    const password = database.password ?? database.toldPassword;
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
  if (!parts.wantsDatabase || !OF_DATABASE.test(host) || database.alias.includes(host)) return null;
  return withDatabase(parts, { alias: [...database.alias, host] }, sentence);
}

function isCalled({ name, image }: DependencySign, host: string): boolean {
  const [kind = ''] = (image ?? '').split('/').at(-1)!.split(/[:@]/);
  return [name, kind].some((each) => each !== '' && (host.includes(each) || each.includes(host)));
}
