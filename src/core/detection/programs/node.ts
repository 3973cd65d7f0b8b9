import { mapOf } from '../file-map.ts';
import { asMap, folderOf, type RepositoryFile } from '../files.ts';
import { literal } from '../fitting.ts';
import { type ProgramReader, type ProgramSign, portIn, type Start } from './program.ts';

const SERVERS =
  /^(?:express|fastify|koa|@nestjs\/core|hono|@hono\/node-server|@hapi\/hapi|restify|polka|h3|@feathersjs\/feathers|@adonisjs\/core|next|nuxt)$/;
/** What runs in a browser: its start script serves its files to whoever writes it. */
const IN_A_BROWSER = /^(?:react-dom|vue|@angular\/core|svelte|preact|solid-js)$/;
const CLIENTS =
  /^(?:pg|pg-native|postgres|pg-promise|@prisma\/client|drizzle-orm|@databases\/pg|slonik|@mikro-orm\/postgresql)$/;
const PORTS = [
  /process\.env\.PORT\s*(?:\|\||\?\?)\s*['"]?(\d{2,5})/,
  /env\.PORT\)?\s*(?:\|\||\?\?)\s*['"]?(\d{2,5})/,
  /\bPORT\b[^\n]{0,60}?(?:\|\||\?\?|default\(|=)\s*['"]?(\d{2,5})/,
  /(?:\blisten|\bserve|[sS]erver)\(\s*(?:\{[^}]{0,200}?\bport\s*:\s*(?:[\w.()]{0,100}\s*(?:\|\||\?\?)\s*)?)?['"]?(\d{2,5})/,
];
/** Of a file that listens; in any other, a port is as likely that of a database. */
const NAMED_PORTS = [
  /\bport\s*(?::\s*number\s*)?=\s*(?:[\w.()]*\s*(?:\|\||\?\?)\s*)?['"]?(\d{4,5})/,
  // Not those of Postgres, MySQL, SQL Server, MongoDB and Redis, whose client may stand in the same file.
  /\bport\s*:\s*(?:[\w.()]*\s*(?:\|\||\?\?)\s*)?['"]?(?!(?:5432|3306|1433|27017|6379)\b)(\d{4,5})/,
];
/** By a call, by an option of one, or as the object that Bun and Deno serve. */
const LISTENS = /\blisten\s*[(:]|(?:\bserve|[sS]erver)\(|\bfetch\s*:/;

/** package.json: a server where it depends on a framework, or where it has a start script. */
export const nodeProgram: ProgramReader = {
  manifest: /^package\.json$/,
  read(manifest, files): ProgramSign | null {
    const { name, scripts, dependencies, main } = mapOf(manifest);
    const uses = Object.keys(asMap(dependencies));
    const start = startOf(asMap(scripts), main, files, manifest);
    if (start === null) return null;
    const sources = files.filter(({ path }) => /\.[cm]?[jt]s$/.test(path));
    const isListening = sources.some(({ content }) => /createServer\(|\.listen\(/.test(content));
    const isServer = isListening || uses.some((each) => SERVERS.test(each));
    if (!isServer && (typeof asMap(scripts).start !== 'string' || uses.some((each) => IN_A_BROWSER.test(each))))
      return null;
    return {
      name: typeof name === 'string' ? name : null,
      start,
      port:
        portIn(sources, PORTS) ??
        portIn(
          sources.filter(({ content }) => LISTENS.test(content)),
          NAMED_PORTS,
        ),
      portVariables: { PORT: '${port}' },
      listensUnseen: !isListening,
      client: uses.some((each) => CLIENTS.test(each)) && !usesOtherDatabase(files),
    };
  },
};

/** A Prisma schema says which database its client is for. */
function usesOtherDatabase(files: readonly RepositoryFile[]): boolean {
  const providers = files.map(({ path, content }) =>
    path.endsWith('schema.prisma')
      ? /^[ \t]*datasource\b[^}]{0,2000}?provider\s*=\s*"(\w+)"/m.exec(content)?.[1]
      : undefined,
  );
  return providers.some((each) => each !== undefined && each !== 'postgresql');
}

function startOf(
  scripts: Record<string, unknown>,
  main: unknown,
  files: readonly RepositoryFile[],
  { path }: RepositoryFile,
): Start | null {
  const name = ['start:prod', 'start:production', 'start'].find((each) => typeof scripts[each] === 'string');
  const folder = folderOf(path);
  const install = files.some((file) => file.path === (folder === '.' ? 'pnpm-lock.yaml' : `${folder}/pnpm-lock.yaml`))
    ? 'pnpm install'
    : 'npm install';
  if (name === undefined) {
    const entry = typeof main === 'string' ? main.replace(/^\.\//, '') : null;
    const known = [entry, 'server.js', 'index.js', 'app.js', 'src/server.js', 'src/index.js', 'src/app.js'].find(
      (each) => each !== null && files.some((file) => file.path === (folder === '.' ? each : `${folder}/${each}`)),
    );
    if (known == null) return null;
    return { command: ['node', literal(known)], from: path, before: install, isSlow: false };
  }
  const script = String(scripts[name]);
  const isBuilt =
    typeof scripts.build === 'string' && (/\b(?:dist|build|out|lib)\//.test(script) || /\bnext start\b/.test(script));
  return {
    command: startCommand(script, name),
    from: path,
    before: isBuilt ? `${install} && npm run build` : install,
    isSlow: false,
  };
}

/** The words of a start script; one that needs a shell, or a program of its packages, is left to npm. */
function startCommand(script: string, name: string): string[] {
  const words = script.trim().split(/\s+/);
  const isPlain = /^(?:node|bun|deno)$/.test(words[0]!) && words.every((word) => /^[\w./:=@-]+$/.test(word));
  if (isPlain) return words;
  return name === 'start' ? ['npm', 'start'] : ['npm', 'run', name];
}
