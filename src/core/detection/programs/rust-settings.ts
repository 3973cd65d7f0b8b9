/** Settings of a program in Rust that the crate `config` reads, each of which a variable can say otherwise. */
import { mapOf } from '../file-map.ts';
import { asMap, folderOf, nameOf, type RepositoryFile, textOf } from '../files.ts';
import type { Known } from './program.ts';

export interface RustSettings {
  port: Known<number> | null;
  /** Variables about its database. */
  databaseVariables: Record<string, string>;
  /** Others that it does not start without, or that name what stands beside it. */
  variables: { name: string; value: string; from: string }[];
}

interface Leaf {
  path: string[];
  value: string;
  from: string;
}

const FOLDER = /(?:^|\/)(?:configuration|config|settings)$/;
/** Of a file that all environments have, before those of one. */
const BASE = /^(?:base|default|defaults|settings|config|configuration)\.ya?ml$/;
const MOST_LEAVES = 200;

/** Null where the code reads no settings so. */
export function rustSettings(
  sources: readonly RepositoryFile[],
  files: readonly RepositoryFile[],
): RustSettings | null {
  const text = sources.map(({ content }) => content).join('\n');
  const [, prefix, rest = ''] = /Environment::with_prefix\("(\w+)"\)([^;]{0,300})/.exec(text) ?? [];
  if (prefix === undefined) return null;
  const separator = /\.separator\("([^"]{1,3})"\)/.exec(rest)?.[1] ?? '.';
  const before = /\.prefix_separator\("([^"]{1,3})"\)/.exec(rest)?.[1] ?? (separator === '.' ? '_' : separator);
  const found = files.filter(({ path }) => /\.ya?ml$/.test(path) && FOLDER.test(folderOf(path)));
  const chosen = environmentIn(files);
  const isActive = ({ path }: RepositoryFile) => BASE.test(nameOf(path)) || stemOf(path) === chosen;
  const active = leavesOf([...found].sort((a, b) => rank(a) - rank(b)).filter(isActive));
  const all = leavesOf(found);
  const nameOfLeaf = ({ path }: Leaf) => `${prefix}${before}${path.join(separator)}`.toUpperCase();
  const database = [...all.values()].filter(({ path }) => isOfDatabase(path, all));
  return {
    port: portOf(active),
    databaseVariables: Object.fromEntries(
      database.flatMap((leaf): [string, string][] => {
        const told = partOf(leaf);
        return told === null ? [] : [[nameOfLeaf(leaf), told]];
      }),
    ),
    variables: [...all]
      .filter(([key, leaf]) => !database.includes(leaf) && (!active.has(key) || NEAR.test(leaf.value)))
      .map(([, leaf]) => ({ name: nameOfLeaf(leaf), value: leaf.value, from: leaf.from })),
  };
}

/** A server beside it, at an address of this machine. */
const NEAR = /^\w+:\/\/(?:[^@/]*@)?(?:localhost|127\.0\.0\.1)(?::\d+)?/;

/** Which one the image sets: `ENV APP_ENVIRONMENT production`; else that of a machine. */
function environmentIn(files: readonly RepositoryFile[]): string {
  const dockerfile = files.find(({ path }) => nameOf(path) === 'Dockerfile')?.content ?? '';
  return (
    /^[ \t]*ENV[ \t]+\w*(?:ENVIRONMENT|_ENV|RUN_MODE)(?:=|[ \t]+)"?(\w+)/m.exec(dockerfile)?.[1]?.toLowerCase() ??
    'local'
  );
}

function stemOf(path: string): string {
  return nameOf(path).replace(/\.ya?ml$/, '');
}

function rank({ path }: RepositoryFile): number {
  return BASE.test(nameOf(path)) ? 0 : 1;
}

/** By their paths, a later file over an earlier one. */
function leavesOf(files: readonly RepositoryFile[]): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  const add = (map: Record<string, unknown>, above: readonly string[], from: string) => {
    for (const [key, value] of Object.entries(map)) {
      if (leaves.size >= MOST_LEAVES || above.length > 5) return;
      const path = [...above, key];
      const below = asMap(value);
      if (Object.keys(below).length > 0) add(below, path, from);
      else if (textOf(value) !== '') leaves.set(path.join('.'), { path, value: textOf(value), from });
    }
  };
  for (const file of files) add(mapOf(file), [], file.path);
  return leaves;
}

/** A map with a port of Postgres, or the name of a database and a host. */
function isOfDatabase(path: readonly string[], all: ReadonlyMap<string, Leaf>): boolean {
  const beside = (name: string) => all.get([...path.slice(0, -1), name].join('.'))?.value;
  return (
    path.length > 1 &&
    (beside('port') === '5432' || (beside('host') !== undefined && beside('database_name') !== undefined))
  );
}

const PARTS: Record<string, string> = {
  host: 'host',
  port: 'port',
  user: 'user',
  username: 'user',
  password: 'password',
  name: 'name',
  database: 'name',
  database_name: 'name',
  dbname: 'name',
};

function partOf({ path }: Leaf): string | null {
  const last = path.at(-1)!;
  const part = PARTS[last];
  if (part !== undefined) return `\${database.${part}}`;
  // The database beside a service speaks no TLS.
  return /^(?:require_)?(?:ssl|tls)$/.test(last) ? 'false' : null;
}

function portOf(leaves: ReadonlyMap<string, Leaf>): Known<number> | null {
  const names = ['application.port', 'server.port', 'app.port', 'http.port', 'port'];
  const leaf = names.map((name) => leaves.get(name)).find((each) => each !== undefined);
  const value = Number(leaf?.value);
  return leaf !== undefined && Number.isInteger(value) && value >= 1 && value <= 65_535
    ? { value, from: leaf.from }
    : null;
}
