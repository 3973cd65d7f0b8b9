export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** What a service answers, as its code declares it. */
export interface Route {
  method: Method;
  /** Parameters as `{name}`, whatever the framework calls them. */
  path: string;
  /** File that declares it. */
  from: string;
}

/** Routers of a framework: what each declares, and which is mounted where. A router is named by its file and variable. */
export interface Routers {
  /** Router → the prefix that it has of its own. */
  declared: Map<string, { prefix: string; isApp: boolean }>;
  routes: (Route & { router: string })[];
  mounts: { parent: string; child: string; prefix: string; replaces?: boolean }[];
}

const DEEPEST = 8;
/** Nor are blocks of groups nested deeper. */
export const DEEPEST_BLOCK = 20;
/** Ways from an application to a router: with routers that mount each other they grow with every level. */
const MOST_WAYS = 5_000;
/** More are not told apart by anybody who reads a spec. */
export const MOST_ROUTES = 5_000;
export const MOST_MOUNTS = 5_000;
/** Nor could a longer path be asked. */
export const LONGEST_PATH = 4_000;

/** Every route below every router that nothing mounts. */
export function mountedRoutes({ declared, routes, mounts }: Routers, join: typeof joined): Route[] {
  const ofRouter = grouped(routes, ({ router }) => router);
  const below = grouped(mounts, ({ parent }) => parent);
  const all = new Set([
    ...declared.keys(),
    ...routes.map(({ router }) => router),
    ...mounts.map(({ parent }) => parent),
  ]);
  const mounted = new Set(mounts.map(({ child }) => child));
  const free = [...all].filter((router) => !mounted.has(router));
  const apps = free.filter((router) => declared.get(router)?.isApp ?? true);
  const found: Route[] = [];
  let ways = MOST_WAYS;
  const visit = (router: string, prefix: string, depth: number): void => {
    if (depth > DEEPEST || ways === 0 || found.length > MOST_ROUTES) return;
    ways -= 1;
    for (const route of ofRouter.get(router) ?? []) {
      found.push({ method: route.method, path: normal(join(prefix, route.path)), from: route.from });
    }
    for (const mount of below.get(router) ?? []) {
      const own = mount.replaces === true ? '' : (declared.get(mount.child)?.prefix ?? '');
      visit(mount.child, join(join(prefix, mount.prefix), own), depth + 1);
    }
  };
  for (const router of apps.length > 0 ? apps : free) visit(router, declared.get(router)?.prefix ?? '', 0);
  return unique(found);
}

/** Items by a key, in their order. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

export function unique(routes: readonly Route[]): Route[] {
  return [...new Map(routes.map((route) => [`${route.method} ${route.path}`, route])).values()];
}

/** For frameworks to which `/x/` under a prefix is `/x`. */
export function joined(prefix: string, path: string): string {
  return `/${prefix}/${path}`
    .slice(0, LONGEST_PATH)
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '');
}

/** For frameworks that take a path as it is written. */
export function concatenated(prefix: string, path: string): string {
  return prefix === '' && path === '' ? '' : `/${prefix}${path}`.slice(0, LONGEST_PATH).replaceAll(/\/{2,}/g, '/');
}

/** Part of a text whose routes have a prefix. */
export interface Block {
  start: number;
  end: number;
  prefix: string;
}

/** A prefix with those of the blocks around a place. */
export function prefixAt(blocks: readonly Block[], at: number, prefix: string, join: typeof joined): string {
  const around = blocks.filter(({ start, end }) => start < at && at < end);
  return around.slice(0, DEEPEST_BLOCK).reduce((sum, each) => join(sum, each.prefix), prefix);
}

/** Parameters of all frameworks as `{name}`. */
export function normal(path: string): string {
  const plain = path
    .replaceAll(/<(?:\w+:)?(\w+)>/g, '{$1}')
    .replaceAll(/\{\$\}/g, '')
    .replaceAll(/\{\*{0,2}(\w+)[^{}]*\}/g, '{$1}')
    .replaceAll(/(?<=[/.-]|^):(\w+)(?:\([^)]*\))?[?*+]?/g, '{$1}')
    .replaceAll(/(?<=[/]|^)\*(\w*)/g, (_, name: string) => `{${name === '' ? 'path' : name}}`);
  return plain.startsWith('/') ? plain : `/${plain}`;
}

/** Names of a path's parameters. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w*)\}/g)].map(([, name]) => name!);
}

const HEALTH =
  /\/(?:_?health(?:z|check|-check|_check)?|healthcheck|readyz?|readiness|livez?|liveness|alive|ping|status|up)\/?$/i;

/** What is asked to see whether a service is up. */
export function isHealthPath(path: string): boolean {
  return HEALTH.test(path);
}

/** The one that says the most of whether it is up: what is called so before a `/status` of something, and what lies higher up. */
export function healthRoute(routes: readonly Route[]): Route | undefined {
  const fit = routes.filter(({ method, path }) => method === 'GET' && isHealthPath(path) && !path.includes('{'));
  const rank = ({ path }: Route) => (/\/status\/?$/i.test(path) ? 100 : 0) + path.split('/').length;
  return fit.toSorted((a, b) => rank(a) - rank(b))[0];
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export function methodOf(text: string): Method | null {
  const upper = text.toUpperCase();
  return METHODS.includes(upper) ? (upper as Method) : null;
}
