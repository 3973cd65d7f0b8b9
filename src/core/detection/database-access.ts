/** What stands in code and in files about how a service reaches its database, and no variable says. */
import type { ComposeService } from './compose.ts';
import { isComposeFile, type RepositoryFile } from './files.ts';
import type { DatabaseSign } from './postgres.ts';
import { connectsTo } from './references.ts';
import { withoutWaiting } from './waiting.ts';

interface Written {
  files: readonly RepositoryFile[];
  /** The code of the service. */
  sources: readonly RepositoryFile[];
}

type Access = Partial<Pick<DatabaseSign, 'user' | 'password' | 'name'>>;

/** Null where nothing says it, or variables do. */
export function accessOf(database: ComposeService, own: ComposeService | null, written: Written): Access | null {
  return inCode(database.names, written) ?? inSecret(database, own, written);
}

/** The whole address, user and password with it. */
function inCode(hosts: readonly string[], { sources }: Written): Access | null {
  for (const { content } of sources) {
    const address =
      /\bpostgres(?:ql)?(?:\+\w+)?:\/\/([a-z_]\w{0,62}):([^\s:@/'"`$%]{1,100})@([\w.-]{1,100})(?::\d+)?\/([a-z_]\w{0,62})/g;
    for (const [, user, password, host, name] of content.matchAll(address)) {
      if (hosts.includes(host!)) return { user: user!, password: password!, name: name! };
    }
  }
  return null;
}

/** A file that both of them have mounted, and that is checked in. */
function inSecret(database: ComposeService, own: ComposeService | null, { files }: Written): Access | null {
  const told = (name: string) => database.environment.find((each) => each.name === name)?.value ?? null;
  const place = told('POSTGRES_PASSWORD_FILE');
  const source = database.mounts.find(({ target }) => target === place)?.source ?? null;
  if (source === null || own?.mounts.some((mount) => mount.source === source) !== true) return null;
  const password = files.find(({ path }) => path === source)?.content.trim() ?? '';
  if (!/^[!-~]{1,100}$/.test(password)) return null;
  return { user: told('POSTGRES_USER') ?? 'postgres', password };
}

/** Host names of the database that stand where nothing fills them in: in commands, scripts and settings. */
export function aliasOf(
  database: ComposeService,
  started: readonly (ComposeService | null)[],
  { files, sources }: Written,
): string[] {
  const words = started.flatMap((each) =>
    each === null ? [] : [each.entrypoint, each.command].flatMap((part) => withoutWaiting(part ?? [])),
  );
  const told = files.filter((file) => mayConnect(file.path) || sources.includes(file));
  const texts = [...words, ...told.map(({ content }) => content)];
  return database.names.filter((name) => name !== 'database' && texts.some((text) => connectsTo(text, name)));
}

/** Scripts that an image starts, and settings that it holds. */
function mayConnect(path: string): boolean {
  return /\.(?:sh|properties|ya?ml|json)$|(?:^|\/)Dockerfile[\w.-]*$/.test(path) && !isComposeFile(path);
}
