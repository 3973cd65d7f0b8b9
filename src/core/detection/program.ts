import {
  asMap,
  filesCalled,
  folderOf,
  isRequestPath,
  mapOf,
  type RepositoryFile,
  type ServiceSign,
  slugOf,
} from './files.ts';

/** What the repository calls itself; null where no file says. */
export function programName(files: readonly RepositoryFile[]): string | null {
  const [manifest] = filesCalled(files, /^package\.json$/).filter(({ path }) => folderOf(path) === '.');
  const name = manifest === undefined ? undefined : mapOf(manifest.content).name;
  const module = /^module\s+(\S+)/m.exec(filesCalled(files, /^go\.mod$/)[0]?.content ?? '')?.[1];
  const last = (typeof name === 'string' ? name : module)
    ?.replace(/\/v\d+$/, '')
    .split('/')
    .at(-1);
  return last === undefined ? null : slugOf(last);
}

/** A service that is started as a process, where the root shows how. */
export function programService(files: readonly RepositoryFile[], name: string): ServiceSign | null {
  const [manifest] = filesCalled(files, /^package\.json$/).filter(({ path }) => folderOf(path) === '.');
  const start = manifest === undefined ? undefined : asMap(mapOf(manifest.content).scripts).start;
  const sign = { name, build: null, workingDirectory: '.', port: null, env: {}, ready: null };
  if (typeof start === 'string')
    return { ...sign, from: 'package.json', command: startCommand(start), env: { PORT: `\${port}` } };
  if (files.some(({ path }) => path === 'go.mod')) return { ...sign, from: 'go.mod', command: ['go', 'run', '.'] };
  return null;
}

/** The words of a start script; one that needs a shell is left to npm. */
function startCommand(script: string): string[] {
  const words = script.trim().split(/\s+/);
  const isPlain = /^(?:node|bun|deno)$/.test(words[0]!) && words.every((word) => /^[\w./:=@-]+$/.test(word));
  return isPlain ? words : ['npm', 'start'];
}

/** Whether a manifest names a Postgres client. */
export function usesPostgres(files: readonly RepositoryFile[]): string | null {
  const clients = /"(?:pg|postgres|pg-promise|@prisma\/client)"\s*:|github\.com\/(?:jackc\/pgx|lib\/pq)/;
  return filesCalled(files, /^(?:package\.json|go\.mod)$/).find(({ content }) => clients.test(content))?.path ?? null;
}

export interface ApiSign {
  from: string;
  basePath: string;
  endpoints: { name: string; path: string; status: number; contentType: string | null }[];
}

const MOST_ENDPOINTS = 8;

/** The GET paths of an OpenAPI file that need no parameter. */
export function openApi(files: readonly RepositoryFile[]): ApiSign | null {
  for (const { path: from, content } of filesCalled(files, /^(?:openapi|swagger)\./)) {
    const document = mapOf(content);
    const endpoints: ApiSign['endpoints'] = [];
    for (const [path, item] of Object.entries(asMap(document.paths))) {
      const { get, parameters } = asMap(item);
      const name = slugOf(path === '/' ? 'root' : path);
      const isTaken = endpoints.some((endpoint) => endpoint.name === name);
      if (get === undefined || path.includes('{') || !isRequestPath(path) || name === null || isTaken) continue;
      if ([parameters, asMap(get).parameters].some(hasRequired)) continue;
      const [status, response] = Object.entries(asMap(asMap(get).responses)).find(([code]) => /^2\d\d$/.test(code)) ?? [
        '200',
        {},
      ];
      const [contentType] = Object.keys(asMap(asMap(response).content)).filter((type) =>
        /^[\w.+-]+\/[\w.+-]+$/.test(type),
      );
      endpoints.push({ name, path, status: Number(status), contentType: contentType ?? null });
    }
    if (endpoints.length > 0)
      return { from, basePath: basePathOf(document), endpoints: endpoints.slice(0, MOST_ENDPOINTS) };
  }
  return null;
}

function hasRequired(parameters: unknown): boolean {
  return Array.isArray(parameters) && parameters.some((parameter) => asMap(parameter).required === true);
}

/** Path of the first server (OpenAPI 3) or `basePath` (2). */
function basePathOf({ servers, basePath }: Record<string, unknown>): string {
  const url = asMap(Array.isArray(servers) ? servers[0] : undefined).url ?? basePath;
  const path = String(url ?? '')
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/\/+$/, '');
  return isRequestPath(path) ? path : '';
}
