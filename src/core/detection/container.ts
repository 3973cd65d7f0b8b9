import { identifier, imageReference, relativePath } from '../values/scalars.ts';
import {
  asMap,
  filesCalled,
  folderOf,
  isRequestPath,
  mapOf,
  portOf,
  type RepositoryFile,
  type ServiceSign,
  slugOf,
} from './files.ts';

export interface DatabaseSign {
  from: string;
  image: string;
  name: string | null;
  user: string | null;
  init: string[];
}

/** One service for each Dockerfile, called after its folder. */
export function dockerfileServices(files: readonly RepositoryFile[], rootName: string): ServiceSign[] {
  return filesCalled(files, /^Dockerfile$/).flatMap(({ path, content }) => {
    const context = folderOf(path);
    const name = context === '.' ? rootName : slugOf(context.split('/').at(-1)!);
    if (name === null || !relativePath.safeParse(context).success) return [];
    return [
      {
        name,
        from: path,
        build: { context, dockerfile: 'Dockerfile' },
        command: null,
        workingDirectory: '.',
        port: exposedPort(content),
        env: {},
        ready: healthPath(content),
      },
    ];
  });
}

/** The services that a compose file builds; those that it pulls are taken for what stands beside them. */
export function composeServices(files: readonly RepositoryFile[]): ServiceSign[] {
  return filesCalled(files, /compose\.ya?ml$/).flatMap(({ path, content }) =>
    Object.entries(asMap(mapOf(content).services)).flatMap(([key, value]) => {
      const written = asMap(value);
      const build = typeof written.build === 'string' ? { context: written.build } : asMap(written.build);
      const name = slugOf(key);
      const context = under(folderOf(path), build.context);
      if (name === null || context === null) return [];
      const dockerfile = typeof build.dockerfile === 'string' ? build.dockerfile : 'Dockerfile';
      if (!relativePath.safeParse(dockerfile).success) return [];
      const recipe = files.find((file) => file.path === (context === '.' ? dockerfile : `${context}/${dockerfile}`));
      return [
        {
          name,
          from: path,
          build: { context, dockerfile },
          command: null,
          workingDirectory: '.',
          port: composePort(written) ?? (recipe === undefined ? null : exposedPort(recipe.content)),
          env: databaseEnv(written.environment),
          ready: healthPath(JSON.stringify(asMap(written.healthcheck).test ?? '')),
        },
      ];
    }),
  );
}

/** The first Postgres of the compose files. */
export function composeDatabase(files: readonly RepositoryFile[]): DatabaseSign | null {
  for (const { path, content } of filesCalled(files, /compose\.ya?ml$/)) {
    for (const value of Object.values(asMap(mapOf(content).services))) {
      const { image, environment, volumes } = asMap(value);
      if (typeof image !== 'string' || !/(?:^|\/)(?:postgres|postgis|timescaledb|pgvector)(?:$|[:@])/.test(image))
        continue;
      if (!imageReference.safeParse(image).success) continue;
      const env = new Map(envEntries(environment));
      const named = (key: string) => (identifier.safeParse(env.get(key)).success ? env.get(key)! : null);
      return {
        from: path,
        image,
        name: named('POSTGRES_DB'),
        user: named('POSTGRES_USER'),
        init: initFiles(folderOf(path), volumes),
      };
    }
  }
  return null;
}

/** The last port that a Dockerfile exposes, variables filled in from its ARG and ENV. */
function exposedPort(dockerfile: string): number | null {
  const variables = new Map<string, string>();
  for (const [, name, value] of dockerfile.matchAll(/^\s*(?:ARG|ENV)\s+(\w+)(?:=|\s+)"?([^\s"]+)/gim)) {
    variables.set(name!, value!);
  }
  const exposed = [...dockerfile.matchAll(/^\s*EXPOSE\s+(\S+)/gim)].at(-1)?.[1]?.replace(/\/(?:tcp|udp)$/i, '');
  const variable = /^\$\{?(\w+)/.exec(exposed ?? '')?.[1];
  return portOf(variable === undefined ? exposed : variables.get(variable));
}

/** Path of a health check that asks by HTTP. */
function healthPath(text: string): string | null {
  const path = /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?::[\w${}]+)?(\/[\w./-]*)/.exec(text)?.[1];
  return /HEALTHCHECK|^["[]/.test(text) && isRequestPath(path) ? path : null;
}

function composePort({ ports, expose }: Record<string, unknown>): number | null {
  const [published, exposed] = [ports, expose].map((list) => (Array.isArray(list) ? list[0] : undefined));
  const target = asMap(published).target ?? exposed ?? published;
  return portOf(
    String(target ?? '')
      .replace(/\/\w+$/, '')
      .split(':')
      .at(-1),
  );
}

/** What a service is told about its database; everything else a compose file says may be a secret of somebody's. */
function databaseEnv(environment: unknown): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [key, value] of envEntries(environment)) {
    const part = /^(?:PG|DB_|DATABASE_|POSTGRES_)(HOST|PORT|NAME|DATABASE|DB|USER|USERNAME|PASSWORD|PASS)$/.exec(
      key,
    )?.[1];
    if (/^postgres(?:ql)?:\/\//.test(value)) result[key] = `\${database.url}`;
    else if (part !== undefined) result[key] = `\${database.${PARTS[part] ?? part.toLowerCase()}}`;
  }
  return result;
}

const PARTS: Record<string, string> = { DATABASE: 'name', DB: 'name', USERNAME: 'user', PASS: 'password' };

/** Of both ways to write it: a map, or a list of NAME=value. */
function envEntries(environment: unknown): [string, string][] {
  const entries = Array.isArray(environment)
    ? environment.map((line): [string, string] => {
        const [name, ...value] = String(line).split('=');
        return [name!, value.join('=')];
      })
    : Object.entries(asMap(environment)).map(([name, value]): [string, string] => [name, String(value ?? '')]);
  return entries.filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]{0,254}$/.test(name));
}

/** SQL files that are mounted to be run at the first start. */
function initFiles(folder: string, volumes: unknown): string[] {
  return (Array.isArray(volumes) ? volumes : []).flatMap((volume) => {
    const { source, target } = asMap(volume);
    const [from, to] = typeof volume === 'string' ? volume.split(':') : [source, target];
    const path = under(folder, from);
    const isInit = String(to ?? '').startsWith('/docker-entrypoint-initdb.d/');
    return isInit && path?.endsWith('.sql') ? [path] : [];
  });
}

/** A path as seen from the root, without `./`; null where it leaves the repository. */
function under(folder: string, path: unknown): string | null {
  if (typeof path !== 'string') return null;
  const joined = `${folder}/${path}`
    .split('/')
    .filter((part, index) => part !== '.' && (part !== '' || index === 0))
    .join('/');
  const result = joined === '' ? '.' : joined;
  return !path.startsWith('/') && !path.includes('$') && relativePath.safeParse(result).success ? result : null;
}
