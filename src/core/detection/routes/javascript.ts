import { bracketed, folderOf, matchesOf, type RepositoryFile, under, withoutComments } from '../files.ts';
import { joined, MOST_MOUNTS, methodOf, mountedRoutes, type Route, type Routers } from './route.ts';

const VERBS = 'get|post|put|patch|delete|head|options|all';
/** What a route is declared on where the variable comes from outside: a plugin's parameter. */
const USUAL_RECEIVER = /^(?:app|server|router|routes|fastify|api|instance|web|\w+(?:Router|Routes|App|Api))$/;
const QUOTED = /(['"`])((?:(?!\1)[^\\$])*)\1/;

/** Express, Fastify, Koa and Hono: routers of any file, mounted by any other. */
export function javascriptRoutes(files: readonly RepositoryFile[]): Route[] {
  const sources = files.filter(({ path }) => /\.[cm]?[jt]s$/.test(path));
  const paths = new Set(sources.map(({ path }) => path));
  const routers: Routers = { declared: new Map(), routes: [], mounts: [] };
  const modules = sources.map((file) => moduleOf(file, paths, routers));
  const byPath = new Map(modules.map((module) => [module.path, module]));
  for (const module of modules) addMounts(module, byPath, routers);
  return mountedRoutes(routers, joined);
}

interface Module {
  path: string;
  text: string;
  /** Variable → where it comes from. */
  imports: Map<string, { path: string; name: string }>;
  /** Variables that stand for routers here. */
  routers: Set<string>;
  /** Variable that the module hands out by itself. */
  exported: string | null;
  resolve(specifier: string): string | null;
}

function moduleOf(file: RepositoryFile, paths: ReadonlySet<string>, routers: Routers): Module {
  const text = withoutComments(file);
  const { path } = file;
  const module: Module = {
    path,
    text,
    imports: new Map(),
    routers: new Set(),
    exported: /(?:module\.exports\s*=|export\s+default)\s+(\w+)\s*;?\s*$/m.exec(text)?.[1] ?? null,
    resolve: (specifier) => resolved(folderOf(path), specifier, paths),
  };
  addImports(module);
  const made =
    /(?:const|let|var)\s+(\w+)[^=\n]*=\s*(?:await\s+)?(?:(express|[Ff]astify|require\(['"]fastify['"]\))\(|new\s+(Koa|Hono|OpenAPIHono)\b|(?:new\s+)?(?:\w+\.)?(Router|KoaRouter)\b\s*(?:<[^>]{0,500}>)?\()/g;
  for (const match of matchesOf(text, made)) {
    const [whole, variable] = match;
    const isApp = match[4] === undefined;
    const options = isApp ? '' : bracketed(text, match.index + whole.length - 1);
    const prefix = /\bprefix:\s*['"`](\/[^'"`$]*)['"`]/.exec(options)?.[1] ?? '';
    module.routers.add(variable!);
    routers.declared.set(`${path}#${variable}`, { prefix, isApp });
  }
  for (const { name } of chainedRouters(text)) {
    module.routers.add(name);
    if (name === ANONYMOUS) module.exported = ANONYMOUS;
    routers.declared.set(`${path}#${name}`, { prefix: '', isApp: false });
  }
  for (const { receiver, method, path: route } of routesIn(text)) {
    if (!module.routers.has(receiver) && !USUAL_RECEIVER.test(receiver)) continue;
    module.routers.add(receiver);
    routers.routes.push({ router: `${path}#${receiver}`, method, path: route, from: path });
  }
  return module;
}

function* routesIn(text: string): Iterable<{ receiver: string; method: Route['method']; path: string }> {
  const declared = new RegExp(
    `\\b(\\w+)\\s*\\.(${VERBS})\\s*(?:<[^>(]{0,500}>)?\\(\\s*(['"\`])(/[^'"\`$]*|)\\3\\s*[,)]`,
    'g',
  );
  for (const [, receiver, verb, , path] of matchesOf(text, declared)) {
    yield { receiver: receiver!, method: methodOf(verb!) ?? 'GET', path: path! };
  }
  const chained = /\b(\w+)\s*\.route\(\s*(['"`])(\/[^'"`$]*)\2\s*\)/g;
  for (const match of matchesOf(text, chained)) {
    for (const verb of chainFrom(text, match.index + match[0].length)) {
      yield { receiver: match[1]!, method: verb, path: match[3]! };
    }
  }
  for (const match of matchesOf(text, /\b(\w+)\.route\(\s*\{/g)) {
    const options = bracketed(text, match.index + match[0].length - 1);
    const path = /\burl:\s*['"`](\/[^'"`$]*)['"`]/.exec(options)?.[1];
    const method = /\bmethod:\s*\[?\s*['"`](\w+)['"`]/.exec(options)?.[1];
    if (path !== undefined) yield { receiver: match[1]!, method: methodOf(method ?? 'GET') ?? 'GET', path };
  }
}

/** A router that a module hands out without a name. */
const ANONYMOUS = 'default';

/** `const api = Router().use(a).use(b)` and `export default Router().use('/api', api)`, with the calls of each. */
function* chainedRouters(text: string): Iterable<{ name: string; calls: string[] }> {
  const made =
    /(?:(?:const|let|var)\s+(\w+)[^=\n]*=|export\s+default|module\.exports\s*=)\s*(?:\w+\.)?Router\(\)(?=\s*\.use\()/g;
  for (const match of matchesOf(text, made)) {
    const calls: string[] = [];
    let at = match.index + match[0].length;
    for (let link = NEXT_USE.exec(text.slice(at)); link !== null; link = NEXT_USE.exec(text.slice(at))) {
      const call = bracketed(text, at + link[0].length - 1);
      calls.push(call);
      at += link[0].length - 1 + call.length;
    }
    yield { name: match[1] ?? ANONYMOUS, calls };
  }
}

const NEXT_USE = /^\s*\.use\(/;

/** The methods of `.get(…).post(…)`. */
function* chainFrom(text: string, start: number): Iterable<Route['method']> {
  const next = new RegExp(`^\\s*\\.(${VERBS})\\s*\\(`);
  let at = start;
  for (let link = next.exec(text.slice(at, at + 100)); link !== null; link = next.exec(text.slice(at, at + 100))) {
    yield methodOf(link[1]!) ?? 'GET';
    at += link[0].length - 1;
    at += bracketed(text, at).length;
  }
}

function addImports(module: Module): void {
  const { text, imports } = module;
  const add = (variable: string, specifier: string, name: string) => {
    const path = module.resolve(specifier);
    if (path !== null) imports.set(variable, { path, name });
  };
  const required =
    /(?:const|let|var)\s+(\w+|\{[^}]{0,1000}\})\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"](\.[^'"]*)['"]\s*\)(?:\.(\w+))?/g;
  for (const [, names, specifier, member] of matchesOf(text, required)) {
    for (const [variable, name] of namesIn(names!)) add(variable, specifier!, member ?? name);
  }
  for (const [, names, specifier] of matchesOf(text, /^\s*import\s+([^'";]{0,1000}?)\s+from\s+['"](\.[^'"]*)['"]/gm)) {
    for (const [variable, name] of namesIn(names!)) add(variable, specifier!, name);
  }
}

/** `{ a, b as c }`, `x`, `* as x` → variable and what it is called where it comes from. */
function namesIn(text: string): [string, string][] {
  const inner = /\{([^}]*)\}/.exec(text)?.[1] ?? '';
  const named = inner.split(',').flatMap((part): [string, string][] => {
    const [, name, variable] = /^\s*(?:type\s+)?(\w+)\s*(?:(?:as|:)\s*(\w+))?\s*$/.exec(part) ?? [];
    return name === undefined ? [] : [[variable ?? name, name]];
  });
  const whole = /^\s*(?:\*\s+as\s+)?(\w+)/.exec(text)?.[1];
  return whole === undefined ? named : [[whole, 'default'], ...named];
}

const ENDINGS = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '/index.js', '/index.ts', '/index.mjs', '/index.cjs'];

function resolved(folder: string, specifier: string, paths: ReadonlySet<string>): string | null {
  const base = under(folder, specifier);
  if (base === null) return null;
  const bases = [base, base.replace(/\.([cm]?)js$/, '.$1ts')];
  return bases.flatMap((each) => ENDINGS.map((ending) => each + ending)).find((path) => paths.has(path)) ?? null;
}

function addMounts(module: Module, modules: ReadonlyMap<string, Module>, routers: Routers): void {
  const { text, path } = module;
  for (const match of matchesOf(text, /\b(\w+)\.(use|route|register)\(/g)) {
    const [whole, parent] = match;
    if (!module.routers.has(parent!) && !USUAL_RECEIVER.test(parent!)) continue;
    mount(parent!, bracketed(text, match.index + whole.length - 1));
  }
  for (const { name, calls } of chainedRouters(text)) for (const call of calls) mount(name, call);
  // A list of routers that a loop mounts.
  const [looping] = module.routers;
  const listed = /\{\s*path:\s*(['"]\/[^'"]*['"])\s*,\s*(?:route|router|routes|handler):\s*(\w+)\s*,?\s*\}/g;
  if (looping !== undefined)
    for (const [, prefix, router] of matchesOf(text, listed)) mount(looping, `(${prefix}, ${router})`);

  function mount(parent: string, call: string): void {
    if (routers.mounts.length >= MOST_MOUNTS) return;
    const first = new RegExp(`^\\(\\s*${QUOTED.source}`).exec(call)?.[2] ?? '';
    const prefix = /\bprefix:\s*['"`](\/[^'"`$]*)['"`]/.exec(call)?.[1] ?? (first.startsWith('/') ? first : '');
    const children = new Set([...requiredIn(call, module, modules), ...namedIn(call, module, modules)]);
    if (children.size > 0) module.routers.add(parent);
    for (const child of children) {
      if (child !== `${path}#${parent}`) routers.mounts.push({ parent: `${path}#${parent}`, child, prefix });
    }
  }
}

function requiredIn(call: string, module: Module, modules: ReadonlyMap<string, Module>): string[] {
  return [...call.matchAll(/(?:require|import)\(\s*['"](\.[^'"]*)['"]\s*\)/g)].flatMap(([, specifier]) => {
    const path = module.resolve(specifier!);
    return path === null ? [] : routersOf(modules.get(path)!, 'default');
  });
}

/** Routers whose variables stand in a call, outside of its texts and of the functions written in it. */
function namedIn(call: string, module: Module, modules: ReadonlyMap<string, Module>): string[] {
  if (/=>|\bfunction\b/.test(call)) return [];
  const words = call.replaceAll(/(['"`])(?:(?!\1)[^\\]|\\.)*\1/g, ' ').match(/[A-Za-z_$][\w$]*/g) ?? [];
  return [...new Set(words)].flatMap((word) => {
    const imported = module.imports.get(word);
    if (imported !== undefined) return routersOf(modules.get(imported.path)!, imported.name);
    return module.routers.has(word) ? [`${module.path}#${word}`] : [];
  });
}

/** The router that a module hands out by a name; all of its own where the name says nothing. */
function routersOf({ path, routers, exported }: Module, name: string): string[] {
  const variable = name === 'default' ? exported : name;
  if (variable !== null && routers.has(variable)) return [`${path}#${variable}`];
  return [...routers].map((each) => `${path}#${each}`);
}

/** Controllers of NestJS. */
export function nestRoutes(files: readonly RepositoryFile[]): Route[] {
  const sources = files.filter(({ path, content }) => /\.ts$/.test(path) && content.includes('@nestjs/'));
  const prefix =
    sources.map(({ content }) => /setGlobalPrefix\(\s*['"`]([^'"`]*)['"`]/.exec(content)?.[1]).find((each) => each) ??
    '';
  return sources.flatMap((file) => {
    const text = withoutComments(file);
    const starts = matchesOf(text, /@Controller\(/g).map(({ index }) => index);
    return starts.flatMap((start, index) => {
      const part = text.slice(start, starts[index + 1]);
      const options = bracketed(part, part.indexOf('('));
      const base = QUOTED.exec(/\bpath:(.*)/.exec(options)?.[1] ?? options)?.[2] ?? '';
      return [...part.matchAll(/@(Get|Post|Put|Patch|Delete|Head|Options)\(\s*(?:(['"`])([^'"`$]*)\2)?\s*\)/g)].map(
        ([, verb, , path = '']): Route => ({
          method: methodOf(verb!)!,
          path: nestPath(joined(joined(prefix, base), path)),
          from: file.path,
        }),
      );
    });
  });
}

function nestPath(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
