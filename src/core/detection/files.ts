import { joinedPath } from '../values/plain-path.ts';
/** What the files of a repository show about how to measure it. */
import { relativePath, requestPath, slug } from '../values/scalars.ts';

export type { LeftOut } from './left-out.ts';

export interface RepositoryFile {
  /** Relative to the repository's root, with `/`. */
  path: string;
  content: string;
}

/** Neither what others wrote, nor what is built from what is there, nor what only tests know. */
const PASSED_OVER =
  /^(?:\..+|node_modules|bower_components|jspm_packages|vendor|third_party|testdata|fixtures|__tests__|__mocks__|__pycache__|tests?|specs?|e2e|cypress|_examples?|examples|target|dist|build|out|bin|obj|coverage|venv|site-packages|public|static|assets|htmlcov|Pods|DerivedData)$/i;
/** The same at the top alone: below it they are names of packages, such as `com/example/shop`. */
const PASSED_OVER_AT_TOP = /^(?:example|samples?|env|tmp|logs?|storage)$/i;

/** Whether a folder can hold something that tells; its path is relative to the repository's root. */
export function isTellingFolder(path: string): boolean {
  return !PASSED_OVER.test(nameOf(path)) && !PASSED_OVER_AT_TOP.test(path);
}

const MANIFESTS =
  /^(?:package\.json|go\.mod|pom\.xml|mvnw|gradlew|(?:build|settings)\.gradle(?:\.kts)?|Cargo\.toml|requirements[\w.-]*\.txt|pyproject\.toml|Pipfile|manage\.py|alembic\.ini|Gemfile|composer\.json|artisan|schema\.prisma|[\w.-]+\.csproj)$/;
const CONTAINERS =
  /^(?:Dockerfile|Containerfile|Dockerfile\.[\w.-]+|\w[\w.-]*\.Dockerfile|(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml)$/;
const SETTINGS =
  /^(?:application(?:-[\w-]+)?\.(?:properties|ya?ml)|appsettings\.json|launchSettings\.json|\.env(?:[._-](?![\w.-]*\blocal$)[\w.-]{1,60})?|env[.-](?:example|sample|template|dist)(?:[.-][\w-]+)?|(?:example|sample)\.env)$/;
/** Settings of a service under a name of their own, which a compose file may name; and the script that an image starts. */
const VARIABLES =
  /^(?:[\w-][\w.-]*\.env(?:\.(?:example|sample|template|dist))?|[\w.-]*(?:entrypoint|start|boot|run|wait|migrat|init)[\w.-]*\.sh|uwsgi\.ini|Procfile|[\w.-]*password[\w.-]*\.txt)$/;
/** What a database may be started with beside SQL: only that it is there matters. */
const FIRST_START =
  /(?:^|\/)[\w.-]*(?:init|entrypoint|postgres|db|database|sql)[\w.-]*\/[^/]+\.(?:sh|sql\.(?:gz|xz|zst))$/i;
/** Settings of a program, one file for each environment. */
const OF_SETTINGS = /(?:^|\/)(?:configuration|configs?|settings)\/[\w.-]+\.ya?ml$/;
/** A folder of several compose files, each for its own way to run the whole. */
const OF_COMPOSE = /(?:^|\/)(?:docker-)?compose\/[\w.-]+\.ya?ml$/;
const API = /^(?:[\w.-]*(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json))$/i;
/** Requests that people have written down for each other. */
const REQUESTS =
  /^(?:[\w. -]*(?:postman|collection)[\w. -]*\.json|[\w. -]+\.(?:http|rest|hurl|bru)|readme(?:\.\w+)?\.(?:md|rst|adoc|txt)|(?:api|usage|getting-?started|quick-?start)\.md)$/i;
const SOURCE = /\.(?:[cm]?[jt]s|py|go|java|kt|rb|php|cs|rs|sql)$/;
const OF_TESTS = /(?:^test_|_test\.|\.test\.|\.spec\.|Tests?\.(?:java|kt|cs)$|\.d\.ts$|\.min\.js$)/;
const SPECS = /^wrkbench(?:\.[\w.-]+)?\.yml$/;

/** Whether a file can show something; for the caller, who need not read the others. */
export function isTelling(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1)!;
  const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
  if (!folders.every(isTellingFolder)) return false;
  if ([FIRST_START, OF_COMPOSE, OF_SETTINGS].some((pattern) => pattern.test(path))) return true;
  if ([MANIFESTS, CONTAINERS, SETTINGS, VARIABLES, API, REQUESTS, SPECS].some((pattern) => pattern.test(name)))
    return true;
  return SOURCE.test(name) && !OF_TESTS.test(name);
}

/** Whether a file holds code, or settings that name variables as code does. */
export function isSource(path: string): boolean {
  return SOURCE.test(path) || /^application\.(?:properties|ya?ml)$/.test(nameOf(path));
}

/** Whether a file is called as compose files are, or lies where they do. */
export function isComposeFile(path: string): boolean {
  return /^(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/.test(nameOf(path)) || OF_COMPOSE.test(path);
}

/** Folder of a file; '.' for the root. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
}

export function nameOf(path: string): string {
  return path.split('/').at(-1)!;
}

/** Whether a path lies in a folder or below it. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}

/** A path as it is written in a file of `folder`; '.' is the root. Null where it leaves the repository. */
export function under(folder: string, path: unknown): string | null {
  if (typeof path !== 'string' || /^[/~]/.test(path) || path.includes('$')) return null;
  const joined = joinedPath(folder, path);
  if (joined === null) return null;
  const result = joined === '' ? '.' : joined;
  return relativePath.safeParse(result).success ? result : null;
}

/** As seen from a folder: what `under` undoes. */
export function within(folder: string, path: string): string {
  if (folder === '.') return path;
  return path === folder ? '.' : path.slice(folder.length + 1);
}

/** The files called so, those nearer to the root first. */
export function filesCalled(files: readonly RepositoryFile[], name: RegExp): RepositoryFile[] {
  return files.filter(({ path }) => isTelling(path) && name.test(nameOf(path))).sort(nearestFirst);
}

export function nearestFirst(a: RepositoryFile, b: RepositoryFile): number {
  return a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1);
}

export function asMap(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Of a name that is written somewhere; what follows could not stand in a spec's. */
const LONGEST_NAME = 1_000;

/** The nearest name that a spec takes; null where nothing is left of it. */
export function slugOf(text: string): string | null {
  const plain = text
    .slice(0, LONGEST_NAME)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 64)
    .replace(/[^a-z0-9]+$/, '');
  return slug.safeParse(plain).success ? plain : null;
}

/** A plain value as text; '' for a map, a list and nothing, which no reader of such a place takes either. */
export function textOf(value: unknown): string {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : '';
}

export function portOf(value: unknown): number | null {
  const port = typeof value === 'number' ? value : /^\d{1,5}$/.test(textOf(value)) ? Number(value) : Number.NaN;
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null;
}

export function isRequestPath(path: unknown): path is string {
  return requestPath.safeParse(path).success;
}

/** What a program or a person writes has no longer run of spaces, tabs or empty lines. */
const LONGEST_SPACE = 100;
const LONG_SPACE = new RegExp(`\\s{${LONGEST_SPACE + 1},}`, 'g');

/**
 * The files with no run of spaces or empty lines longer than anybody writes: a pattern that skips space tries each of a run's
 * characters as its beginning, which of 100,000 takes minutes.
 */
export function withShortSpace(files: readonly RepositoryFile[]): RepositoryFile[] {
  return files.map((file) => {
    if (FIRST_START.test(file.path)) return { ...file, content: '' };
    const content = file.content.replaceAll(LONG_SPACE, shortSpace);
    return content === file.content ? file : { ...file, content };
  });
}

/** One line's end where there is any, and as much of the last line's indentation as a run may hold. */
function shortSpace(run: string): string {
  const end = run.lastIndexOf('\n');
  return end < 0 ? ' ' : run.slice(end, end + LONGEST_SPACE);
}

const known = new WeakMap<RepositoryFile, string>();

/** Code without its comments, nor the lines that a tool has packed together. Worked out once for a file: every reader asks. */
export function withoutComments(file: RepositoryFile): string {
  const text = known.get(file) ?? codeOf(file).replaceAll(/\s{2,}/g, shortSpace);
  known.set(file, text);
  return text;
}

function codeOf({ path, content: written }: RepositoryFile): string {
  const content = written.replaceAll(/^.{1000,}$/gm, '');
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');
  if (/\.py$/.test(path)) return content.replaceAll(/^[ \t]*("""|''')[\s\S]*?\1|^[ \t]*#.*$/gm, blank);
  if (/\.rb$/.test(path)) return content.replaceAll(/^[ \t]*#.*$/gm, blank);
  // Behind the last end of a comment none is closed, and each beginning would be looked for to the end of the file.
  const last = content.lastIndexOf('*/') + 2;
  const closed = content.slice(0, last).replaceAll(/\/\*[\s\S]*?\*\//g, blank);
  return (closed + content.slice(last)).replaceAll(/(?<=^|[\s;{}),])\/\/.*$/gm, blank);
}

/** No file declares more of one thing; where each is read to its closing bracket, more would take seconds. */
const MOST_MATCHES = 1_000;

/** The first matches of a pattern. */
export function matchesOf(text: string, pattern: RegExp, most = MOST_MATCHES): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) if (found.push(match) === most) break;
  return found;
}

const OPENING: Record<string, string> = { '(': ')', '{': '}', '[': ']' };

/** No call is longer, and no function is. */
const LONGEST_CALL = 4_000;
export const LONGEST_FUNCTION = 50_000;

/** Behind other letters it is an apostrophe; Python has some before a text. */
const BEFORE_QUOTE = /(?:^|\W)[rbfu]{0,2}$/i;

/** From an opening bracket to the one that closes it, both included; as far as is looked where none does. */
export function bracketed(text: string, start: number, most = LONGEST_CALL): string {
  const end = Math.min(text.length, start + most);
  const open = text[start]!;
  const close = OPENING[open]!;
  let depth = 0;
  let quote = '';
  for (let at = start; at < end; at += 1) {
    const character = text[at]!;
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote || character === '\n') quote = '';
    } else if (
      character === '"' ||
      character === '`' ||
      (character === "'" && BEFORE_QUOTE.test(text.slice(Math.max(0, at - 3), at)))
    ) {
      quote = character;
    } else if (character === open) depth += 1;
    else if (character === close) {
      depth -= 1;
      if (depth === 0) return text.slice(start, at + 1);
    }
  }
  return text.slice(start, end);
}
