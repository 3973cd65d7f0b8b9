import { bracketed, LONGEST_FUNCTION, nameOf, type RepositoryFile, withoutComments } from '../files.ts';
import { joined, type Method, methodOf, normal, type Route, unique } from './route.ts';

const VERB = /get|post|put|patch|delete/;
/** No routes are nested deeper. */
const DEEPEST = 20;

/** `config/routes.rb` of Rails: a line at a time, with the blocks that are open. */
export function railsRoutes(files: readonly RepositoryFile[]): Route[] {
  return files
    .filter(({ path }) => /(?:^|\/)config\/routes\.rb$/.test(path))
    .flatMap((file) => {
      const open: string[] = [];
      const found: Route[] = [];
      for (const line of withoutComments(file).split('\n')) {
        if (open.length > DEEPEST) break;
        const here = open.reduce((prefix, each) => joined(prefix, each), '');
        const add = (method: Method, path: string) =>
          found.push({ method, path: normal(joined(here, path)), from: file.path });
        const [, verb, path] = new RegExp(`^\\s*(${VERB.source})\\s*\\(?\\s*(?:"|'|:)([\\w/:.-]+)`).exec(line) ?? [];
        const [, plural, resource] = /^\s*resource(s?)\s*\(?\s*:(\w+)/.exec(line) ?? [];
        if (verb !== undefined) add(methodOf(verb)!, path!);
        if (/^\s*root\b/.test(line)) add('GET', '/');
        if (resource !== undefined)
          for (const [method, own] of actionsOf(line, plural === 's')) add(method, `${resource}${own}`);
        const block = /\bdo\b(?:\s*\|[^|]*\|)?\s*$/.test(line);
        const [, prefix = ''] = /^\s*(?:namespace|scope)\s*\(?\s*(?:path:\s*)?(?:"|'|:)([\w/-]+)/.exec(line) ?? [];
        if (block)
          open.push(
            resource === undefined
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

function actionsOf(line: string, isPlural: boolean): [Method, string][] {
  const only = /\bonly:\s*(?:\[([^\]]*)\]|%i\[([^\]]*)\]|:(\w+))/.exec(line);
  const except = /\bexcept:\s*(?:\[([^\]]*)\]|%i\[([^\]]*)\]|:(\w+))/.exec(line);
  const names = (match: RegExpExecArray | null): string[] | null =>
    (match?.[1] ?? match?.[2] ?? match?.[3])?.match(/\w+/g) ?? null;
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
    const blocks = [
      ...text.matchAll(
        /prefix\(\s*['"]([^'"]*)['"]\s*\)[^;{]*?->group\(\s*(?:static\s+)?(?:function\s*\([^)]*\)[^{]*\{)/g,
      ),
    ].map((match) => {
      const start = match.index + match[0].length - 1;
      return { start, end: start + bracketed(text, start, LONGEST_FUNCTION).length, prefix: match[1]! };
    });
    const at = (offset: number) =>
      blocks
        .filter(({ start, end }) => start < offset && offset < end)
        .reduce((sum, { prefix }) => joined(sum, prefix), base);
    const found: Route[] = [];
    for (const match of text.matchAll(/Route::(get|post|put|patch|delete)\(\s*['"]([^'"]*)['"]/g)) {
      found.push({ method: methodOf(match[1]!)!, path: normal(joined(at(match.index), match[2]!)), from: file.path });
    }
    for (const match of text.matchAll(/Route::(?:api)?[rR]esource\(\s*['"]([^'"]*)['"]/g)) {
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
}

/** axum and actix-web: nested routers by the functions that return them, scopes by the handlers that they name. */
export function rustRoutes(files: readonly RepositoryFile[]): Route[] {
  const sources = files.filter(({ path }) => /\.rs$/.test(path)).map((file) => ({ file, text: withoutComments(file) }));
  const functions = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bfn\s+(\w+)\s*(?:<[^>]*>)?\(/g)].map((match): RustFunction => {
      const start = text.indexOf('{', match.index);
      return { name: match[1]!, file: file.path, text: start < 0 ? '' : bracketed(text, start, LONGEST_FUNCTION) };
    }),
  );
  const prefixes = new Map<string, string>();
  // Each pass hands prefixes one function further.
  for (let pass = 0; pass < 4; pass += 1) {
    for (const { name, text } of functions) {
      for (const { inner, prefix } of nestsIn(text)) {
        const whole = joined(prefixes.get(name) ?? '', prefix);
        for (const [, called] of inner.matchAll(/\b(\w+)\b/g)) {
          if (functions.some((each) => each.name === called) && called !== name) prefixes.set(called!, whole);
        }
      }
    }
  }
  return unique([
    ...functions.flatMap((each) => axumIn(each.text, prefixes.get(each.name) ?? '', each.file)),
    ...sources.flatMap(({ file, text }) => macrosIn(text, prefixes, file.path)),
  ]);
}

/** `.nest("/api", …)` and `web::scope("/api").service(…)`, with what stands inside. */
function nestsIn(text: string): { prefix: string; inner: string; start: number; end: number }[] {
  const nests = [...text.matchAll(/\.nest\(\s*"([^"]*)"\s*,/g)].map((match) => {
    const start = text.indexOf('(', match.index);
    const inner = bracketed(text, start, LONGEST_FUNCTION);
    return { prefix: match[1]!, inner: inner.slice(inner.indexOf(',')), start, end: start + inner.length };
  });
  const scopes = [...text.matchAll(/\bscope\(\s*"([^"]*)"\s*\)/g)].map((match) => {
    const start = match.index + match[0].length;
    let end = start;
    for (let link = /^\s*\.\w+\(/.exec(text.slice(end)); link !== null; link = /^\s*\.\w+\(/.exec(text.slice(end))) {
      const open = end + link[0].length - 1;
      end = open + bracketed(text, open).length;
    }
    return { prefix: match[1]!, inner: text.slice(start, end), start, end };
  });
  return [...nests, ...scopes];
}

function axumIn(text: string, prefix: string, from: string): Route[] {
  const nests = nestsIn(text);
  const at = (offset: number) =>
    nests
      .filter(({ start, end }) => start < offset && offset < end)
      .reduce((sum, each) => joined(sum, each.prefix), prefix);
  const routes = [...text.matchAll(/\.route\(\s*"([^"]*)"\s*,/g)].flatMap((match) => {
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
    /#\[(get|post|put|patch|delete)\(\s*"([^"]*)"[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?async\s+fn\s+(\w+)/g;
  return [...text.matchAll(handlers)].map(
    ([, verb, path, name]): Route => ({
      method: methodOf(verb!)!,
      path: normal(joined(prefixes.get(name!) ?? '', path!)),
      from,
    }),
  );
}
