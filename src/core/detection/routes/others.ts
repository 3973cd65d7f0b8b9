import { bracketed, LONGEST_FUNCTION, matchesOf, nameOf, type RepositoryFile, withoutComments } from '../files.ts';
import {
  type Block,
  DEEPEST_BLOCK,
  joined,
  type Method,
  MOST_ROUTES,
  methodOf,
  normal,
  prefixAt,
  type Route,
  unique,
} from './route.ts';

const VERB_LINE = /^\s*(get|post|put|patch|delete)\s*\(?\s*(?:"|'|:)([\w/:.-]+)/;

/** `config/routes.rb` of Rails: a line at a time, with the blocks that are open. */
export function railsRoutes(files: readonly RepositoryFile[]): Route[] {
  return files
    .filter(({ path }) => /(?:^|\/)config\/routes\.rb$/.test(path))
    .flatMap((file) => {
      const open: string[] = [];
      const found: Route[] = [];
      for (const line of withoutComments(file).split('\n')) {
        if (open.length > DEEPEST_BLOCK) break;
        if (found.length > MOST_ROUTES) break;
        const add = (method: Method, path: string) =>
          found.push({
            method,
            path: normal(joined(prefixOf(/\bon:\s*:collection\b/.test(line) ? [...open, COLLECTION] : open), path)),
            from: file.path,
          });
        const [, verb, path] = VERB_LINE.exec(line) ?? [];
        const [, plural, resource] = /^\s*resource(s?)\s*\(?\s*:(\w+)/.exec(line) ?? [];
        if (verb !== undefined) add(methodOf(verb)!, path!);
        if (/^\s*root\b/.test(line)) add('GET', '/');
        if (resource !== undefined)
          for (const [method, own] of actionsOf(line, plural === 's')) add(method, `${resource}${own}`);
        const block = /\bdo\b(?:\s*\|[^|]*\|)?\s*$/.test(line);
        const [, prefix = ''] = /^\s*(?:namespace|scope)\s*\(?\s*(?:path:\s*)?(?:"|'|:)([\w/-]+)/.exec(line) ?? [];
        if (block)
          open.push(
            /^\s*collection\b/.test(line)
              ? COLLECTION
              : resource === undefined
                ? prefix
                : plural === 's'
                  ? `${resource}/:${resource.replace(/s$/, '')}_id`
                  : resource,
          );
        else if (/^\s*end\b/.test(line)) open.pop();
      }
      return unique(found);
    });
}

/** Of the resources around it as a whole, rather than of one of them. */
const COLLECTION = '^';

function prefixOf(open: readonly string[]): string {
  return open.reduce(
    (prefix, each) => (each === COLLECTION ? prefix.replace(/\/:\w+_id$/, '') : joined(prefix, each)),
    '',
  );
}

function actionsOf(line: string, isPlural: boolean): [Method, string][] {
  const only = /\bonly:\s*(?:\[([^\]]*)\]|%i\[([^\]]*)\]|:(\w+))/.exec(line);
  const except = /\bexcept:\s*(?:\[([^\]]*)\]|%i\[([^\]]*)\]|:(\w+))/.exec(line);
  const names = (match: RegExpExecArray | null): string[] | null =>
    match === null ? null : ((match[1] ?? match[2] ?? match[3]!).match(/\w+/g) ?? []);
  const one = isPlural ? '/:id' : '';
  const all: [string, Method, string][] = [
    ...(isPlural ? ([['index', 'GET', '']] as [string, Method, string][]) : []),
    ['show', 'GET', one],
    ['create', 'POST', ''],
    ['update', 'PATCH', one],
    ['destroy', 'DELETE', one],
  ];
  const wanted = names(only);
  const unwanted: string[] = names(except) ?? [];
  return all
    .filter(([name]) => (wanted === null || wanted.includes(name)) && !unwanted.includes(name))
    .map(([, method, path]) => [method, path]);
}

/** `routes/api.php` and `routes/web.php` of Laravel, and the health path that its application names. */
export function laravelRoutes(files: readonly RepositoryFile[]): Route[] {
  return files.flatMap((file): Route[] => {
    if (/(?:^|\/)bootstrap\/app\.php$/.test(file.path)) {
      const health = /\bhealth:\s*'([^']*)'/.exec(file.content)?.[1];
      return health === undefined ? [] : [{ method: 'GET', path: normal(health), from: file.path }];
    }
    if (!/(?:^|\/)routes\/(?:api|web)\.php$/.test(file.path)) return [];
    const text = withoutComments(file);
    const base = nameOf(file.path) === 'api.php' ? '/api' : '';
    const blocks = matchesOf(
      text,
      /prefix\(\s*['"]([^'"]*)['"]\s*\)[^;{]{0,500}?->group\(\s*(?:static\s+)?(?:function\s*\([^)]{0,500}\)[^{]{0,500}\{)/g,
    ).map((match) => {
      const start = match.index + match[0].length - 1;
      return { start, end: start + bracketed(text, start, LONGEST_FUNCTION).length, prefix: match[1]! };
    });
    const at = (offset: number) => prefixAt(blocks, offset, base, joined);
    const found: Route[] = [];
    for (const match of matchesOf(text, /Route::(get|post|put|patch|delete)\(\s*['"]([^'"]*)['"]/g)) {
      found.push({ method: methodOf(match[1]!)!, path: normal(joined(at(match.index), match[2]!)), from: file.path });
    }
    for (const match of matchesOf(text, /Route::(?:api)?[rR]esource\(\s*['"]([^'"]*)['"]/g)) {
      const path = normal(joined(at(match.index), match[1]!));
      found.push({ method: 'GET', path, from: file.path }, { method: 'POST', path, from: file.path });
      found.push({ method: 'GET', path: `${path}/{id}`, from: file.path });
    }
    return found;
  });
}

interface RustFunction {
  name: string;
  file: string;
  text: string;
  nests: Nest[];
}

/** What stands in `.nest("/api", …)` or `web::scope("/api").service(…)`. */
interface Nest extends Block {
  inner: string;
}

/** Functions may be nested, and one that is not closed holds all those after it: as much text of one file is read in all. */
const MOST_TEXT = 1_000_000;
/** Of one file. */
const MOST_NESTS = 200;
/** No nest is longer. */
const LONGEST_NEST = 10_000;

/** axum and actix-web: nested routers by the functions that return them, scopes by the handlers that they name. */
export function rustRoutes(files: readonly RepositoryFile[]): Route[] {
  const sources = files.filter(({ path }) => /\.rs$/.test(path)).map((file) => ({ file, text: withoutComments(file) }));
  const functions = sources.flatMap(({ file, text }) => rustFunctionsIn(text, file.path));
  const names = new Set(functions.map(({ name }) => name));
  const nested = functions.map(({ name, nests }) => ({
    name,
    nests: nests.map(({ prefix, inner }) => ({
      prefix,
      called: new Set((inner.match(/\w+/g) ?? []).filter((word) => word !== name && names.has(word))),
    })),
  }));
  const prefixes = new Map<string, string>();
  // Each pass hands prefixes one function further.
  for (let pass = 0; pass < 4; pass += 1) {
    for (const { name, nests } of nested) {
      for (const { called, prefix } of nests) {
        const whole = joined(prefixes.get(name) ?? '', prefix);
        for (const each of called) prefixes.set(each, whole);
      }
    }
  }
  return unique([
    ...functions.flatMap((each) => axumIn(each, prefixes.get(each.name) ?? '')),
    ...sources.flatMap(({ file, text }) => macrosIn(text, prefixes, file.path)),
  ]);
}

function rustFunctionsIn(text: string, file: string): RustFunction[] {
  let left = MOST_TEXT;
  let nestsLeft = MOST_NESTS;
  return matchesOf(text, /\bfn\s+(\w+)\s*(?:<[^>]{0,500}>)?\(/g).map((match) => {
    const start = text.indexOf('{', match.index);
    const own = start < 0 ? '' : bracketed(text, start, Math.min(LONGEST_FUNCTION, left));
    left -= own.length;
    const nests = nestsLeft === 0 ? [] : nestsIn(own, nestsLeft);
    nestsLeft = Math.max(0, nestsLeft - nests.length);
    return { name: match[1]!, file, text: own, nests };
  });
}

function nestsIn(text: string, most: number): Nest[] {
  const nests = matchesOf(text, /\.nest\(\s*"([^"]*)"\s*,/g, most).map((match) => {
    const start = text.indexOf('(', match.index);
    const inner = bracketed(text, start, LONGEST_NEST);
    return { prefix: match[1]!, inner: inner.slice(inner.indexOf(',')), start, end: start + inner.length };
  });
  const scopes = matchesOf(text, /\bscope\(\s*"([^"]*)"\s*\)/g, most).map((match) => {
    const start = match.index + match[0].length;
    let end = start;
    const next = () => (end - start > LONGEST_NEST ? null : /^\s*\.\w+\(/.exec(text.slice(end)));
    for (let link = next(); link !== null; link = next()) {
      const open = end + link[0].length - 1;
      end = open + bracketed(text, open).length;
    }
    return { prefix: match[1]!, inner: text.slice(start, end), start, end };
  });
  return [...nests, ...scopes];
}

function axumIn({ text, nests, file: from }: RustFunction, prefix: string): Route[] {
  const at = (offset: number) => prefixAt(nests, offset, prefix, joined);
  const routes = matchesOf(text, /\.route\(\s*"([^"]*)"\s*,/g).flatMap((match) => {
    const call = bracketed(text, text.indexOf('(', match.index));
    const verbs = [...call.matchAll(/(?:^|[\s,.:])(get|post|put|patch|delete)\s*\(/g)].map(
      ([, verb]) => methodOf(verb!)!,
    );
    return [...new Set(verbs)].map((method) => ({ method, path: normal(joined(at(match.index), match[1]!)), from }));
  });
  return routes;
}

function macrosIn(text: string, prefixes: ReadonlyMap<string, string>, from: string): Route[] {
  const handlers =
    /#\[(get|post|put|patch|delete)\(\s*"([^"]*)"[^\]]{0,300}\]\s*(?:#\[[^\]]{0,300}\]\s*){0,10}(?:pub(?:\([^)]{0,100}\))?\s+)?async\s+fn\s+(\w+)/g;
  return matchesOf(text, handlers).map(
    ([, verb, path, name]): Route => ({
      method: methodOf(verb!)!,
      path: normal(joined(prefixes.get(name!) ?? '', path!)),
      from,
    }),
  );
}
