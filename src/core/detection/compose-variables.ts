/** Variables that a compose file is filled in with: files of `NAME=value`, and `${NAME:-default}`. */
import { folderOf, nameOf, type RepositoryFile } from './files.ts';

/** In place of a value that no file has, so that what is made of it can be told from an empty one. */
export const NO_VALUE = 'WRKBENCH_NO_VALUE';

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** A longer value is in no spec, and is no longer one when it is cut here. */
const LONGEST_LINE = 2_000;
const MOST_LINES = 2_000;

/** `.env.example` and its like: what the variables usually hold. */
function isExampleEnvironment(path: string): boolean {
  return /^(?:\.?env[.-](?:example|sample|template|dist)(?:[.-][\w-]+)?|(?:example|sample|app|config)\.env)$/.test(
    nameOf(path),
  );
}

/**
 * Each of several ways to run the whole may have an example of its own (`env-example-postgres`, `env-example-mongo`): that for
 * Postgres, else the first one in a folder.
 */
export function exampleEnvironments(files: readonly RepositoryFile[]): RepositoryFile[] {
  const all = files.filter(({ path }) => isExampleEnvironment(path));
  const isOneOf = ({ path }: RepositoryFile) => /(?:example|sample|template|dist)[.-]/.test(nameOf(path));
  return all.filter((file) => {
    const ways = all.filter((each) => isOneOf(each) && folderOf(each.path) === folderOf(file.path));
    const own = ways.find(({ content }) => /postgres/i.test(content)) ?? ways[0];
    return !isOneOf(file) || file === own;
  });
}

/** Of one machine, unless it is part of the repository. */
export function isOwnEnvironment(path: string): boolean {
  return nameOf(path) === '.env';
}

/** An example of one is nobody's own. */
function mayBeOwn(path: string): boolean {
  const name = nameOf(path);
  return (
    /password[\w.-]*\.txt$/.test(name) ||
    (/^\.env(?:[._-]|$)/.test(name) && !/(?:example|sample|template|dist)(?:[._-]|$)/.test(name))
  );
}

/** Without what is on one machine alone. */
export function withoutOwnEnvironment(
  files: readonly RepositoryFile[],
  checkout: readonly string[] | null,
): readonly RepositoryFile[] {
  const own = files.filter(({ path }) => mayBeOwn(path));
  if (own.length === 0) return files;
  const known = new Set(checkout ?? []);
  return files.filter((file) => !own.includes(file) || known.has(file.path));
}

/** The file of that name, or what stands beside it as its example; undefined where there is neither. */
export function environmentFile(path: string, files: readonly RepositoryFile[]): RepositoryFile | undefined {
  const endings = ['example', 'sample', 'template', 'dist'];
  const isExample = (each: RepositoryFile) =>
    endings.some((ending) => ['.', '-', '_'].some((mark) => each.path === `${path}${mark}${ending}`)) ||
    (isOwnEnvironment(path) && folderOf(each.path) === folderOf(path) && isExampleEnvironment(each.path));
  return files.find((each) => each.path === path) ?? files.find(isExample);
}

/** Lines of `NAME=value`, each filled in with those before it. */
export function variablesIn(content: string): [string, string][] {
  const known = new Map<string, string>();
  for (const line of content.split('\n', MOST_LINES)) {
    const [, name, written] =
      /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line.slice(0, LONGEST_LINE)) ?? [];
    if (name === undefined || !VARIABLE_NAME.test(name)) continue;
    const [, quote, quoted] = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(written!) ?? [];
    const value = quoted ?? written!.replace(/\s+#.*$/, '');
    known.set(name, quote === "'" || !/\$\{\w+\}/.test(value) ? value : filled(value, known));
  }
  return [...known];
}

/** What a compose file of a folder finds beside it: its `.env` where that is checked in, over the example of one. */
export function variablesBeside(files: readonly RepositoryFile[], folder: string): Map<string, string> {
  const beside = files.filter(({ path }) => folderOf(path) === folder);
  const own = beside.filter(({ path }) => isOwnEnvironment(path));
  return new Map([...exampleEnvironments(beside), ...own].flatMap(({ content }) => variablesIn(content)));
}

const USE = /\$\$|\$\{(\w+)([^\w{}][^{}]*)?\}|\$(\w+)/g;

/** Variables that a text takes a value of, has no default for, and that are not known. */
export function unvaluedIn(text: string, known: ReadonlyMap<string, string>): Set<string> {
  const uses = [...text.matchAll(USE)].filter(([whole]) => whole !== '$$');
  const isDefaulted = (rest: string | undefined) => /^:?[-+]/.test(rest ?? '');
  const named = (isWith: boolean) =>
    uses.filter(([, , rest]) => isDefaulted(rest) === isWith).map(([, braced, , plain]) => (braced ?? plain)!);
  const defaulted = new Set(named(true));
  return new Set(named(false).filter((name) => !known.has(name) && !defaulted.has(name)));
}

/** No character, by Unicode's own word. */
const ASIDE = '\ufdd0';

/** Nobody writes a default in a default in a default. */
const DEEPEST = 5;

/** As Compose fills it in: `${NAME:-default}` and the like, from the inside out; nothing for what is not known. */
export function filled(text: string, known: ReadonlyMap<string, string>): string {
  // A dollar that was meant as one is put aside until the end.
  let result = text.replaceAll('$$', ASIDE);
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const before = result;
    result = before.replaceAll(
      /\$\{(\w+)(?:(:?)([-?+])([^{}]*))?\}|\$([A-Za-z_]\w*)/g,
      (_, braced: string | undefined, colon: string | undefined, kind: string | undefined, rest = '', plain = '') => {
        const value = known.get(braced ?? plain);
        const isThere = value !== undefined && (colon !== ':' || value !== '');
        if (kind === '+') return isThere ? rest : '';
        if (isThere) return value;
        return kind === '-' ? rest : (value ?? '');
      },
    );
    if (result === before) break;
  }
  return result.replaceAll(ASIDE, () => '$');
}
