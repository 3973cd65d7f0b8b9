/** What stands beside a service under a host name, and what a text says of it. */

export interface Reachable {
  /** In the spec: `${redis.host}`. */
  name: string;
  /** In the compose file. */
  hosts: readonly string[];
  port: number | null;
  /** On the machine that the compose file is on → in the container. */
  published: ReadonlyMap<number, number>;
  /** Of its image. */
  kind: string;
}

const HERE = ['localhost', '127.0.0.1', 'host.docker.internal'];
const HOST_END = /(?:HOST|HOSTS|HOSTNAME|SERVER|SERVERS|ADDR|ADDRESS|ENDPOINT|URL|URI|BROKERS?|NODES?)$/i;

function escaped(text: string): string {
  return text.replaceAll(/[^\w]/g, (character) => `\\${character}`);
}

/** Whether a value names a host, as a whole, in a list, or as an address on it. */
export function pointsTo(value: string, host: string): boolean {
  if (!value.includes(host)) return false;
  return new RegExp(`(?:^|[/@,=\\s;])${escaped(host)}(?:$|[:/,;?\\s])`).test(value);
}

/** Whether a script, a command, a setting or code connects to a host: `db:5432`, `-h db`, `//db/`, `getenv("DB_HOST", "db")`. */
export function connectsTo(text: string, host: string): boolean {
  if (!text.includes(host)) return false;
  const name = escaped(host);
  const places = [
    `(?:^|[^\\w.-])${name}(?::\\d{4,5}\\b|[ /]\\d{4,5}\\b)`,
    `(?:-h|--host|host)[ =:]{1,3}['"]?${name}\\b`,
    `@${name}[:/'"\\s]`,
    `//${name}/`,
    `HOST(?:NAME)?['"\`]?\\]?\\s{0,5}(?:,|\\|\\||\\?\\?|\\?:)\\s{0,5}['"\`]${name}['"\`]`,
  ];
  return new RegExp(places.join('|'), 'm').test(text);
}

/** A text with placeholders for what it says of hosts, its own `${` escaped already. */
export function withPlaceholders(name: string, text: string, all: readonly Reachable[], isOutside: boolean): string {
  let result = text;
  for (const each of all) {
    for (const host of each.hosts) result = replaced(name, result, host, each, (port) => port);
    if (!isOutside) continue;
    for (const host of HERE) {
      result = replaced(name, result, host, each, (port) =>
        port === null ? null : (each.published.get(port) ?? null),
      );
    }
  }
  return result;
}

/** `portOf`: in the container, of the one that is written; null for a host that is not meant. */
function replaced(
  name: string,
  text: string,
  host: string,
  { name: own, port }: Reachable,
  portOf: (written: number | null) => number | null,
): string {
  if (!text.includes(host)) return text;
  const isHere = HERE.includes(host);
  if (text === host) return !isHere && HOST_END.test(name) ? `\${${own}.host}` : text;
  const pattern = new RegExp(`(^|//|[@,=\\s;("'])${escaped(host)}(?::(\\d{1,5}))?(?=$|[/,;?\\s)"'])`, 'g');
  return text.replaceAll(pattern, (whole: string, before: string, written: string | undefined) => {
    const inside = portOf(written === undefined ? null : Number(written));
    if (isHere && inside === null) return whole;
    if (written === undefined) return /^(?:\/\/|@|=)$/.test(before) ? `${before}\${${own}.host}` : whole;
    return `${before}\${${own}.host}:${inside === port ? `\${${own}.port}` : inside}`;
  });
}

/** Beginnings of variables that hold a host of each: `REDIS_` of `REDIS_HOST: cache`. */
export function prefixesOf(
  environment: readonly { name: string; value: string | null }[],
  all: readonly Reachable[],
  isOutside: boolean,
): Map<string, Reachable> {
  const values = new Map(environment.map(({ name, value }) => [name, value ?? '']));
  const found = new Map<string, Reachable>();
  for (const [name, value] of values) {
    const prefix = name.replace(HOST_END, '');
    if (prefix === name || prefix.length < 2) continue;
    const own =
      all.find(({ hosts }) => hosts.includes(value)) ??
      (isOutside && HERE.includes(value) ? outsideOf(prefix, values.get(`${prefix}PORT`), all) : undefined);
    if (own !== undefined) found.set(prefix, own);
  }
  return found;
}

/** By the port that is written beside it, else by what it is called. */
function outsideOf(prefix: string, port: string | undefined, all: readonly Reachable[]): Reachable | undefined {
  if (port !== undefined && port !== '') return all.find(({ published }) => published.has(Number(port)));
  return all.find(({ kind }) => prefix.toLowerCase().split('_').includes(kind));
}

/** Host or port of what a variable's beginning is of; null where it says something else of it. */
export function partOf(name: string, value: string, prefixes: ReadonlyMap<string, Reachable>): string | null {
  for (const [prefix, { name: own, port, published, hosts }] of prefixes) {
    if (!name.startsWith(prefix)) continue;
    const end = name.slice(prefix.length);
    if (HOST_END.test(end) && end.replace(HOST_END, '') === '' && (hosts.includes(value) || HERE.includes(value)))
      return `\${${own}.host}`;
    if (/^PORT$/i.test(end) && port !== null && (published.get(Number(value)) ?? Number(value)) === port)
      return `\${${own}.port}`;
  }
  return null;
}
