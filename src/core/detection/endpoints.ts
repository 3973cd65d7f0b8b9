import type { Account, LoginSign } from './asking/logins.ts';
import { isNeverAsked } from './asking/never-asked.ts';
import { isBelow, isRequestPath, type LeftOut, slugOf } from './files.ts';
import type { Api } from './open-api.ts';
import type { Known } from './programs/program.ts';
import { isHealthPath, type Method, parametersOf, type Route } from './routes/route.ts';
import type { ServiceSign } from './services.ts';

export interface EndpointSign {
  name: string;
  from: string;
  method: Method;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  status: number;
  contentType: string | null;
  isGuess: boolean;
}

/** A request of a spec's `prepare`. */
export interface PrepareRequestSign {
  method: Method;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  status: number | null;
  repeat: number;
  take: Record<string, string>;
}

export interface FoundEndpoints {
  endpoints: EndpointSign[];
  /** Base path of every service, and the document that names it. */
  basePath: { value: string; from: string } | null;
  leftOut: LeftOut[];
  /** Only asking shows one. */
  login?: LoginSign | null;
  /** What makes something for them, before anything is measured. */
  prepare?: PrepareRequestSign[];
}

export const MOST_ENDPOINTS = 8;

/** What files show of what services that answer the same may be asked. */
export interface EndpointSources {
  /** The document nearest to them. */
  api: Api | null;
  /** Requests that people have written down, as documents. */
  written: Api[];
  /** Accounts that a README tells of. */
  accounts: Account[];
  /** What is made before anything is measured is there afterwards. */
  keepsData: boolean;
  /** What all of their code declares. */
  routes: Route[];
  basePath: Known<string> | null;
}

/** What people tell each other of the services. */
interface Told {
  written: readonly Api[];
  accounts: readonly Account[];
}

export function endpointSources(
  services: readonly ServiceSign[],
  apis: readonly Api[],
  { written, accounts }: Told,
): EndpointSources {
  const basePath = services[0]?.program?.basePath ?? null;
  const nearest = written.filter((api) => apiOf(services, [api]) !== null);
  const keepsData = services.some((service) => service.wantsDatabase || hasVolumes(service));
  return {
    api: apiOf(services, apis),
    written: nearest,
    routes: commonRoutes(services),
    basePath,
    accounts: [...accounts],
    keepsData,
  };
}

/** Whether something beside a service keeps data, so that a spec may prepare some. */
function hasVolumes({ dependencies }: Pick<ServiceSign, 'dependencies'>): boolean {
  return dependencies.some(({ volumes }) => volumes.length > 0);
}

/** What services are asked by what files alone show: what a document describes, else what their code declares. */
export function endpointsOf(services: readonly ServiceSign[], sources: EndpointSources): FoundEndpoints {
  const { api, routes, basePath } = sources;
  const described = api === null ? null : ofApi(api, routes);
  if (described !== null && described.endpoints.length > 0) return described;
  const found = ofRoutes(routes, basePath);
  const left = described?.leftOut ?? [];
  if (found.endpoints.length > 0) return { ...found, leftOut: [...found.leftOut, ...left] };
  const ready = services.find((each) => each.ready !== null)?.ready ?? null;
  const path = ready ?? '/';
  const guess = {
    ...plainRequest('GET', path),
    name: ready === null ? 'root' : 'health',
    from: '',
    isGuess: ready === null,
  };
  return { endpoints: [guess], basePath: null, leftOut: [...found.leftOut, ...left] };
}

function plainRequest(method: Method, path: string): Omit<EndpointSign, 'name' | 'from'> {
  return { method, path, headers: {}, body: null, status: 200, contentType: null, isGuess: false };
}

/** The document nearest to the services: in the folder of their code, else at the top. */
function apiOf(services: readonly ServiceSign[], apis: readonly Api[]): Api | null {
  const folders = services.map(({ folder }) => folder);
  const own = apis.find((api) => folders.some((folder) => folder !== '.' && isBelow(api.folder, folder)));
  if (own !== undefined) return own;
  const isOfOthers = (api: Api) => /^(?:services|apps|packages|servers|cmd)\//.test(api.folder);
  return apis.find((api) => folders.includes('.') || !isOfOthers(api)) ?? null;
}

function commonRoutes(services: readonly ServiceSign[]): Route[] {
  const [first = [], ...others] = services.map(({ program }) => program?.routes ?? []);
  const key = ({ method, path }: Route) => `${method} ${path}`;
  const known = others.map((routes) => new Set(routes.map(key)));
  return first.filter((route) => known.every((each) => each.has(key(route))));
}

function ofApi(api: Api, routes: readonly Route[]): FoundEndpoints {
  const known = new Set<string>();
  // A gateway may put the path before that the service itself does not know.
  const paths = new Set(routes.map(({ path }) => path));
  const serves = (prefix: string) => api.endpoints.some(({ template }) => paths.has(`${prefix}${template}`));
  const isServed = !serves('') || serves(api.basePath);
  const all = api.endpoints.flatMap(({ isSecured, template, ...each }): EndpointSign[] => {
    if (isSecured || isNeverAsked(each.path)) return [];
    const name = nameFor(each.method, template, known);
    return name === null ? [] : [{ ...each, name, from: api.from, isGuess: false }];
  });
  const secured = api.endpoints.filter(({ isSecured }) => isSecured);
  const leftOut = [
    ...api.left.map(({ operation, why }) => ({ what: `${operation} (${api.from})`, why })),
    ...secured.map(({ method, template }) => ({
      what: `${method} ${template} (${api.from})`,
      why: 'needs authorization: write it with the headers that it wants',
    })),
    ...beyond(
      all.map(({ method, path }) => `${method} ${path}`),
      api.from,
    ),
  ];
  return {
    endpoints: all.slice(0, MOST_ENDPOINTS),
    basePath: api.basePath !== '' && isServed ? { value: api.basePath, from: api.from } : null,
    leftOut,
  };
}

function ofRoutes(routes: readonly Route[], basePath: Known<string> | null): FoundEndpoints {
  const known = new Set<string>();
  const leftOut: LeftOut[] = [];
  const endpoints = routes.flatMap((route): EndpointSign[] => {
    const { method, path, from } = route;
    const what = `${method} ${path} (${from})`;
    const parameters = parametersOf(path);
    if (parameters.length > 0) leftOut.push({ what, why: `no file has a value for ${parameters.join(' and ')}` });
    else if (method !== 'GET') leftOut.push({ what, why: 'no file has a body for it' });
    else if (isRequestPath(path)) {
      const name = nameFor(method, path, known);
      if (name !== null) return [{ ...plainRequest(method, path), name, from }];
    } else leftOut.push({ what, why: 'its path cannot be asked' });
    return [];
  });
  const source = endpoints[0]?.from ?? '';
  return {
    endpoints: endpoints.slice(0, MOST_ENDPOINTS),
    basePath: basePath !== null && isRequestPath(basePath.value) ? basePath : null,
    leftOut: [
      ...leftOut,
      ...beyond(
        endpoints.map(({ method, path }) => `${method} ${path}`),
        source,
      ),
    ],
  };
}

function beyond(names: readonly string[], from: string): LeftOut[] {
  const left = names.slice(MOST_ENDPOINTS);
  if (left.length === 0) return [];
  return [
    {
      what: `${left.join(', ')} (${from})`,
      why: `${MOST_ENDPOINTS} endpoints are enough for a first spec: each makes cases of its own`,
    },
  ];
}

/** A name that no other endpoint has; null where nothing is left of the path. */
export function nameFor(method: Method, path: string, known: Set<string>): string | null {
  const plain = path === '/' ? 'root' : path.replaceAll(/[{}]/g, '');
  const name = slugOf(method === 'GET' ? plain : `${method}-${plain.replace(/^\//, '')}`);
  if (name === null || known.has(name)) return null;
  known.add(name);
  return name;
}

/** Services that are asked the same: one spec measures them beside each other. Each of the others has a spec of its own. */
export function groupsOf(services: readonly ServiceSign[]): ServiceSign[][] {
  const groups: ServiceSign[][] = [];
  for (const service of services) {
    const group = groups.find(([first]) => isAlike(first!, service));
    if (group === undefined) groups.push([service]);
    else group.push(service);
  }
  return groups;
}

/** At least half of what the two declare is declared by both. */
function isAlike(a: ServiceSign, b: ServiceSign): boolean {
  // One that stands beside the other is asked by that, and not as it is.
  const isBeside = (one: ServiceSign, other: ServiceSign) => one.dependencies.some(({ name }) => name === other.name);
  if (isBeside(a, b) || isBeside(b, a)) return false;
  const [left, right] = [a, b].map(
    ({ program }) => new Set((program?.routes ?? []).filter(isOwn).map(({ method, path }) => `${method} ${path}`)),
  ) as [Set<string>, Set<string>];
  if (left.size === 0 && right.size === 0) return [a, b].every(({ program }) => (program?.routes ?? []).length === 0);
  const both = [...left].filter((each) => right.has(each)).length;
  return both * 2 >= left.size + right.size - both;
}

/** What says something about a service: a start page and a health path have all of them. */
function isOwn({ path }: Route): boolean {
  return path !== '/' && !isHealthPath(path);
}
