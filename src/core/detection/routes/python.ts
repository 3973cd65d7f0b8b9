import {
  bracketed,
  folderOf,
  LONGEST_FUNCTION,
  matchesOf,
  type RepositoryFile,
  under,
  withoutComments,
} from '../files.ts';
import { includedRouter, type NamedRouter, registeredResources, routerAlone } from './django-routers.ts';
import {
  concatenated,
  joined,
  MOST_ROUTES,
  methodOf,
  mountedRoutes,
  type Route,
  type Routers,
  unique,
} from './route.ts';

/** FastAPI, Starlette's decorators and Flask. */
export function pythonRoutes(files: readonly RepositoryFile[]): Route[] {
  const sources = files.filter(
    ({ path, content }) =>
      /\.py$/.test(path) && /\b(?:fastapi|flask|starlette|quart)\b|^@\w+\.(?:route|get|post)\(/im.test(content),
  );
  const paths = new Set(files.map(({ path }) => path));
  const routers: Routers = { declared: new Map(), routes: [], mounts: [] };
  for (const file of sources) addDeclared(file, paths, routers);
  const constants = constantsIn(files);
  for (const file of sources) addMounts(file, constants, paths, routers);
  return mountedRoutes(routers, concatenated).map((route) => ({
    ...route,
    path: route.path === '' ? '/' : route.path,
  }));
}

/** Of one import. */
const MOST_NAMES = 100;

const PREFIX = /\b(?:url_)?prefix\s*=\s*r?['"]([^'"]*)['"]/;
/** Of a router whose prefix only the running program knows. */
const UNKNOWN_PREFIX = '/{prefix}';

function addDeclared(file: RepositoryFile, paths: ReadonlySet<string>, { declared, routes }: Routers): void {
  const text = withoutComments(file);
  const imports = importsOf(text, file.path, paths);
  for (const match of matchesOf(
    text,
    /^[ \t]*(\w+)(?:\s*:\s*\w+)?\s*=\s*(?:\w+\.)?(FastAPI|Flask|Quart|APIRouter|Blueprint)\(/gm,
  )) {
    const [whole, variable, kind] = match;
    const isApp = !/APIRouter|Blueprint/.test(kind!);
    const prefix = isApp ? '' : (PREFIX.exec(bracketed(text, match.index + whole.length - 1))?.[1] ?? '');
    declared.set(`${file.path}#${variable}`, { prefix, isApp });
  }
  const decorated = /^[ \t]*@(\w+)\.(get|post|put|patch|delete|head|options|route|api_route)\(/gm;
  for (const match of matchesOf(text, decorated)) {
    const [whole, variable, verb] = match;
    const call = bracketed(text, match.index + whole.length - 1);
    const path = /^\(\s*(?:path\s*=\s*|rule\s*=\s*)?r?(['"])([^'"]*)\1/.exec(call)?.[2];
    if (path === undefined) continue;
    // A package may make the router that its modules declare routes on.
    const source = imports.get(variable!);
    const router = source === undefined ? `${file.path}#${variable}` : `${source.path}#${source.name ?? variable}`;
    const methods = /\bmethods\s*=\s*[[({]([^\])}]*)/.exec(call)?.[1] ?? 'GET';
    const all = /route/.test(verb!) ? (methods.match(/[A-Za-z]+/g) ?? []) : [verb!];
    for (const each of all) {
      const method = methodOf(each);
      if (method !== null) routes.push({ router, method, path, from: file.path });
    }
  }
}

function addMounts(
  file: RepositoryFile,
  constants: ReadonlyMap<string, string>,
  paths: ReadonlySet<string>,
  { declared, mounts }: Routers,
): void {
  const text = withoutComments(file);
  const imports = importsOf(text, file.path, paths);
  for (const match of matchesOf(text, /\b(\w+)\.(include_router|register_blueprint)\(/g)) {
    const [whole, parent, verb] = match;
    const call = bracketed(text, match.index + whole.length - 1);
    const [, first, member] = /^\(\s*(?:\w+\s*=\s*)?(\w+)(?:\.(\w+))?/.exec(call) ?? [];
    if (first === undefined) continue;
    const source = imports.get(first);
    const child = source === undefined ? `${file.path}#${first}` : `${source.path}#${member ?? source.name ?? first}`;
    const prefix =
      PREFIX.exec(call)?.[1] ?? constantIn(call, constants) ?? (/\bprefix\s*=/.test(call) ? UNKNOWN_PREFIX : undefined);
    if (!declared.has(child)) continue;
    const replaces = verb === 'register_blueprint' && prefix !== undefined;
    mounts.push({ parent: parentOf(parent!, file.path, imports, declared), child, prefix: prefix ?? '', replaces });
  }
}

/** `prefix=settings.API_PREFIX`: what a file says it is. */
function constantIn(call: string, constants: ReadonlyMap<string, string>): string | undefined {
  const name = /\b(?:url_)?prefix\s*=\s*(?:\w+\.)*(\w+)/.exec(call)?.[1];
  return name === undefined ? undefined : constants.get(name);
}

/** Name → the path that it is first said to be. */
function constantsIn(files: readonly RepositoryFile[]): Map<string, string> {
  const constants = new Map<string, string>();
  for (const { path, content } of files) {
    if (!path.endsWith('.py')) continue;
    const assigned = /\b(\w+)\s*(?::\s*\w+\s*)?=\s*["'](\/[^"']*)["']/g;
    for (const [, name, value] of content.matchAll(assigned)) if (!constants.has(name!)) constants.set(name!, value!);
  }
  return constants;
}

type Imports = Map<string, { path: string; name: string | null }>;

/** A parameter of a function that gets the application stands for the application, wherever it is made. */
function parentOf(variable: string, path: string, imports: Imports, declared: Routers['declared']): string {
  const source = imports.get(variable);
  if (source !== undefined) return `${source.path}#${source.name ?? variable}`;
  if (declared.has(`${path}#${variable}`)) return `${path}#${variable}`;
  return [...declared].find(([, { isApp }]) => isApp)?.[0] ?? `${path}#${variable}`;
}

/** Variable → file, and what it is called there; null for the module itself. */
function importsOf(text: string, path: string, paths: ReadonlySet<string>): Imports {
  const imports: Imports = new Map();
  for (const [, module, listed, line] of matchesOf(
    text,
    /^[ \t]*from\s+([\w.]+)\s+import\s+(?:\(([^)]{0,2000})\)|(.*))$/gm,
  )) {
    for (const part of (listed ?? line ?? '').split(',', MOST_NAMES)) {
      const [, name, variable] = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part) ?? [];
      if (name === undefined) continue;
      const asModule = moduleFile(`${module}${module!.endsWith('.') ? '' : '.'}${name}`, path, paths);
      const asName = moduleFile(module!, path, paths);
      if (asModule !== null) imports.set(variable ?? name, { path: asModule, name: null });
      else if (asName !== null) imports.set(variable ?? name, { path: asName, name });
    }
  }
  return imports;
}

/** The file of `.routers.items` or `app.routers.items`, from a file of the same repository. */
function moduleFile(module: string, path: string, paths: ReadonlySet<string>): string | null {
  const dots = /^\.*/.exec(module)![0].length;
  const plain = module.slice(dots).replaceAll('.', '/');
  const own = folderOf(path);
  const folders = dots > 0 ? [under(own, '../'.repeat(dots - 1))] : ancestors(own);
  for (const folder of folders) {
    if (folder === null) continue;
    const base = plain === '' ? folder : folder === '.' ? plain : `${folder}/${plain}`;
    const found = [`${base}.py`, `${base}/__init__.py`].find((each) => paths.has(each));
    if (found !== undefined) return found;
  }
  return null;
}

function ancestors(folder: string): string[] {
  const parts = folder === '.' ? [] : folder.split('/');
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), '.'];
}

/** `urlpatterns` of Django, from the one that the settings name. */
export function djangoRoutes(files: readonly RepositoryFile[]): Route[] {
  const all = files.filter(({ path }) => /(?:^|\/)urls\.py$/.test(path));
  const paths = new Set(all.map(({ path }) => path));
  const named = files
    .map(({ path, content }) => [path, /^ROOT_URLCONF\s*=\s*['"]([\w.]+)['"]/m.exec(content)?.[1]] as const)
    .find(([, module]) => module !== undefined);
  const root = named === undefined ? null : moduleFile(named[1]!, named[0], paths);
  const byPath = new Map(all.map((file) => [file.path, file]));
  const patterns = new Map<string, Pattern[]>();
  const sources = files.filter(({ path }) => path.endsWith('.py'));
  const sourcePaths = new Set(sources.map(({ path }) => path));
  const resourcesOf = registeredResources(sources, (file) => importsOf(withoutComments(file), file.path, sourcePaths));
  // Files that include each other, many times, would have no end.
  let left = MOST_ROUTES;
  const visit = (path: string, prefix: string, depth: number): Route[] => {
    const file = byPath.get(path);
    if (file === undefined || depth > 5) return [];
    const own = patterns.get(path) ?? patternsOf(withoutComments(file));
    patterns.set(path, own);
    const routesOf = (all: readonly Pattern[], above: string): Route[] =>
      all.flatMap(({ route, included, router, nested }) => {
        if (left <= 0) return [];
        const resources = router === null ? null : resourcesOf(router, file);
        left -= resources?.names.length ?? 1;
        const here = joinedUrl(above, route);
        if (nested !== null) return routesOf(nested, here);
        if (resources !== null) {
          return resources.names.flatMap((name): Route[] => {
            const list = parametersAsBraces(joinedUrl(here, ofExpression(name))).replace(/\/$/, '') + resources.slash;
            return [
              { method: 'GET', path: list, from: path },
              { method: 'POST', path: list, from: path },
            ];
          });
        }
        if (included === null) return [{ method: 'GET', path: parametersAsBraces(here), from: path }];
        const target = moduleFile(included, path, paths);
        return target === null ? [] : visit(target, here, depth + 1);
      });
    return routesOf(own, prefix);
  };
  return unique((root === null ? all.map(({ path }) => path) : [root]).flatMap((path) => visit(path, '', 0)));
}

interface Pattern {
  route: string;
  included: string | null;
  /** Of a router of the REST framework. */
  router: NamedRouter | null;
  /** Of a list in the same file. */
  nested: Pattern[] | null;
}

interface Range {
  start: number;
  end: number;
}

function patternsOf(text: string): Pattern[] {
  const calls = matchesOf(text, /(?<![.\w])(re_path|path|url)\(/g).map((match) => {
    const start = match.index + match[0].length - 1;
    const call = bracketed(text, start);
    return { kind: match[1]!, call, start, end: start + call.length };
  });
  const lists = listsIn(text);
  const between = ({ start, end }: Range, depth: number): Pattern[] => {
    const found: Pattern[] = [];
    let after = start;
    for (const each of calls) {
      if (each.start < after || each.start >= end || depth > 3) continue;
      after = each.end;
      const route = routeOf(each.kind, each.call);
      if (route === null || /admin\.site/.test(each.call)) continue;
      const plain = { route, included: null, router: null, nested: null };
      const router = includedRouter(each.call);
      const [, module, name] = /\binclude\(\s*\(?\s*(?:['"]([\w.]+)['"]|(\w+)|\[)/.exec(each.call) ?? [];
      if (module !== undefined) found.push({ ...plain, included: module });
      else if (!/\binclude\(/.test(each.call)) found.push(plain);
      else if (router !== null) found.push({ ...plain, router });
      else {
        const list = name === undefined ? [each] : (lists.get(name) ?? []);
        const nested = list.flatMap((range) => between({ start: range.start + 1, end: range.end }, depth + 1));
        found.push({ ...plain, nested });
      }
    }
    return found;
  };
  const top = lists.get('urlpatterns') ?? [{ start: 0, end: text.length }];
  const router = routerAlone(text);
  const alone = { route: '', included: null, router, nested: null };
  return [...top.flatMap((range) => between(range, 0)), ...(router === null ? [] : [alone])];
}

/** Variable → the lists that are assigned to it or added to it. */
function listsIn(text: string): Map<string, Range[]> {
  const lists = new Map<string, Range[]>();
  for (const match of matchesOf(text, /^[ \t]*(\w+)\s*(?::[^=\n]{0,100})?\+?=\s*\[/gm, MOST_NAMES)) {
    const start = match.index + match[0].length - 1;
    const end = start + bracketed(text, start, LONGEST_FUNCTION).length;
    lists.set(match[1]!, [...(lists.get(match[1]!) ?? []), { start, end }]);
  }
  return lists;
}

/** What a call matches; one that only the running program knows is taken for nothing. Null where it matches nothing that is written. */
function routeOf(kind: string, call: string): string | null {
  const [, prefix, , quoted] = /^\(\s*([rRfF]{0,2})(['"])((?:(?!\2).)*)\2/.exec(call) ?? [];
  if (quoted === undefined) return /^\(\s*\w+\s*,\s*include\(/.test(call) ? '' : null;
  const written = /f/i.test(prefix!) ? quoted.replaceAll(/\{[^{}]*\}/g, '') : quoted;
  return kind === 'path' ? written : ofExpression(written);
}

/** `^articles/(?P<slug>[^/]+)/?$` as a path. */
function ofExpression(expression: string): string {
  return expression
    .replaceAll(/\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)/g, '<$1>')
    .replaceAll(/^\^|\$$/g, '')
    .replaceAll('/?', '')
    .replaceAll(/\\([.-])/g, '$1');
}

function joinedUrl(prefix: string, route: string): string {
  return joined(prefix, '') === '/' && route === '' ? '/' : `/${prefix}/${route}`.replaceAll(/\/{2,}/g, '/');
}

function parametersAsBraces(path: string): string {
  return path.replaceAll(/<(?:\w+:)?(\w+)>/g, '{$1}');
}
