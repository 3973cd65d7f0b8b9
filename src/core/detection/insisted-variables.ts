/** Variables that a service has said it does not start without, with values that are made up. */
import { MADE_UP_SECRET, ofDatabase, type SetVariable } from './environment.ts';
import { isSource } from './files.ts';
import type { ServiceSign } from './service-sign.ts';
import { plainName } from './usual-images.ts';

/** What a program or a message calls a variable of the environment. */
export const VARIABLE_NAMES = /\b[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}\b/g;
const IS_MISSING =
  /\b(?:missing|required|undefined|unset|mandatory|(?:not|isn't|never) (?:been )?(?:set|defined|found|provided|present|configured|specified)|must (?:be|not be)|(?:please )?(?:set|define|provide) the|KeyError|no value|cannot be (?:empty|blank))\b/i;
/** As pydantic tells of a field: the name on a line of its own, and under it what is wrong. */
const FIELD = /^[A-Za-z]\w{1,63}$/;
const IS_REQUIRED = /^\s+field required\b/i;

const NOTE = 'the service does not start without it; the value is made up';

/** What is not in its environment yet, though its files name it, by the lines that it has printed. */
export function insistedVariables(
  service: ServiceSign,
  printed: readonly string[],
  wantsDatabase: boolean,
): SetVariable[] {
  const known = new Set(service.env.map(({ name }) => name));
  const isNamed = namedBy(service);
  const found = printed.flatMap((line, index) => {
    const text = line.slice(0, 2_000);
    if (FIELD.test(text.trim()) && IS_REQUIRED.test(printed[index + 1] ?? '')) return [text.trim().toUpperCase()];
    return IS_MISSING.test(text) ? (text.match(VARIABLE_NAMES) ?? []) : [];
  });
  return [...new Set(found)]
    .filter((name) => !known.has(name) && isNamed(name))
    .map((name) => ({ name, value: madeUpValue(name, service, wantsDatabase), from: '', note: NOTE }));
}

/** Whether the program reads it, in whatever case, or an example of its environment has it: an error may have other words in capitals. */
function namedBy({ program, unset }: ServiceSign): (name: string) => boolean {
  const sources = (program?.files ?? []).filter(({ path }) => isSource(path));
  const words = new Set(sources.flatMap(({ content }) => content.toLowerCase().match(/\w+/g) ?? []));
  return (name) => unset.some((each) => each.name === name) || words.has(name.toLowerCase());
}

const VALUES: readonly [RegExp, string][] = [
  [/^(?:(?:APP|HTTP|SERVER|LISTEN)_)?PORT$/, '${port}'],
  [/(?:^|_)(?:URLS?|URIS?|ORIGINS?)$/, 'http://127.0.0.1'],
  [/(?:^|_)(?:HOST|HOSTNAME|DOMAIN)$/, '127.0.0.1'],
  [/(?:^|_)(?:E?MAIL|SENDER|MAIL_FROM)$/, 'wrkbench@example.com'],
  [/(?:^|_)(?:PORT|TTL|EXPIR\w*|TIMEOUT|LIFETIME|SECONDS|MINUTES|HOURS|DAYS|ROUNDS|LIMIT|SIZE|COUNT|MAX|MIN)$/, '10'],
  [/(?:^|_)(?:DEBUG|ENABLED?|DISABLED?|VERBOSE|USE_\w+)$/, 'false'],
  [/(?:^|_)(?:ENV|ENVIRONMENT|MODE)$/, 'production'],
];

function madeUpValue(name: string, service: ServiceSign, wantsDatabase: boolean): string {
  const told = wantsDatabase ? ofDatabase(name, service.program?.scheme ?? 'postgres') : null;
  return told ?? ofDependency(name, service) ?? VALUES.find(([pattern]) => pattern.test(name))?.[1] ?? MADE_UP_SECRET;
}

/** Of what stands beside it and is called as the variable begins: `CACHE_HOST` of a dependency `cache`, `REDIS_URL` of one that is Redis. */
function ofDependency(name: string, { dependencies }: ServiceSign): string | null {
  const words = name.toLowerCase().split('_');
  const found = dependencies.find((each) => words.includes(each.name) || words.includes(plainName(each.image ?? '')));
  if (found === undefined) return null;
  const [host, port] = ['host', 'port'].map((part) => `\${${found.name}.${part}}`);
  if (/HOST(?:NAME)?$/.test(name)) return host!;
  if (/PORT$/.test(name)) return port!;
  const scheme = plainName(found.image ?? '')
    .replace(/^(?:valkey|keydb)$/, 'redis')
    .replace(/^rabbitmq$/, 'amqp');
  return /(?:URL|URI|DSN)$/.test(name) ? `${scheme}://${host}:${port}` : null;
}
