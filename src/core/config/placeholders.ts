import { nearest } from './nearest.ts';

/** What may stand as `${NAME}` in a service's `env` values and in its `command`. `$${` stands for `${` itself. */
export const PLACEHOLDERS = {
  'database.url': 'postgres://USER:PASSWORD@HOST:PORT/NAME, of the pooler where the spec has one',
  'database.host': 'address of the database (or pooler) as the service reaches it',
  'database.port': 'its port',
  'database.name': 'name of the database',
  'database.user': "the service's own role",
  'database.password': 'the password of that role, made for each run where the spec has none',
  port: 'port that the service must listen on',
  service: 'name of the service',
  folder: 'a folder of its own, which it may write to and which goes with it; in a container `/tmp`',
  cpus: 'number of CPUs that it runs on, a whole one: what a count of workers or threads is usually set to',
  'tls.certificate': 'path of the certificate (PEM) of a service that is asked over TLS, made for each run',
  'tls.key': 'path of its private key (PEM)',
} as const;

export type PlaceholderName = keyof typeof PLACEHOLDERS;
/** `${redis.host}` and `${redis.port}`: of a dependency, by its name. */
type DependencyPlaceholder = `${string}.host` | `${string}.port`;
/** `${ports.grpc}`: a further port of the service itself, by its name. */
type PortPlaceholder = `ports.${string}`;
/** Those of the database are absent where there is none, those of TLS where the service is not asked over it. */
export type PlaceholderValues = Partial<Record<PlaceholderName | DependencyPlaceholder | PortPlaceholder, string>>;

/** A placeholder that is none, or has no value here; the message says which, and names the nearest right one. */
export class PlaceholderError extends Error {
  override name = 'PlaceholderError';
  readonly placeholder: string;
  readonly nearest: PlaceholderName | null;
  constructor(placeholder: string, known: PlaceholderName | null, message: string) {
    super(message);
    this.placeholder = placeholder;
    this.nearest = known;
  }
}

const PATTERN = /\$\$\{|\$\{([^}]*)\}?/g;

/** Where a placeholder stands in a text: its name, and the offset of its `$`. */
export interface PlaceholderUse {
  name: string;
  offset: number;
  length: number;
  closed: boolean;
}

/** Every placeholder of the text, in its order, right ones and wrong ones. */
export function placeholdersIn(text: string): PlaceholderUse[] {
  return [...text.matchAll(PATTERN)]
    .filter((match) => match[1] !== undefined)
    .map((match) => ({
      name: match[1]!,
      offset: match.index,
      length: match[0].length,
      closed: match[0].endsWith('}'),
    }));
}

export function isPlaceholder(name: string): name is PlaceholderName {
  return Object.hasOwn(PLACEHOLDERS, name);
}

/** `env.NAME`, a variable of the caller's: it is filled in before all others, and none of these is made of its value. */
export function isCallerVariable(name: string): boolean {
  return /^env\.[A-Za-z_][A-Za-z0-9_]{0,254}$/.test(name);
}

/** What a further port of a service is called: `ports.grpc`. */
export function portPlaceholder(name: string): PortPlaceholder {
  return `ports.${name}`;
}

/** The right name that is nearest to a wrong one; null where none is near. */
export function nearestPlaceholder(name: string): PlaceholderName | null {
  return nearest(name.trim(), Object.keys(PLACEHOLDERS)) as PlaceholderName | null;
}

/** The text with its placeholders replaced. Throws `PlaceholderError` for one that has no value. */
export function substitute(text: string, values: PlaceholderValues): string {
  return text.replaceAll(PATTERN, (whole: string, name: string | undefined) => {
    if (name === undefined) return '${';
    if (!whole.endsWith('}')) {
      throw new PlaceholderError(name, null, `the placeholder \`${whole}\` is not closed: end it with }`);
    }
    const value = Object.hasOwn(values, name) ? (values as Record<string, string>)[name] : undefined;
    if (value !== undefined) return value;
    if (isPlaceholder(name)) {
      throw new PlaceholderError(name, name, `\`\${${name}}\` has no value here: ${whyAbsent(name)}`);
    }
    const near = nearestPlaceholder(name);
    const hint = near === null ? `use one of ${Object.keys(PLACEHOLDERS).join(', ')}` : `did you mean \`\${${near}}\`?`;
    throw new PlaceholderError(name, near, `\`\${${name}}\` is not a placeholder: ${hint}`);
  });
}

function whyAbsent(name: PlaceholderName): string {
  return name.startsWith('tls.') ? 'the service is not asked over TLS (`protocol`)' : 'the spec has no `database`';
}
