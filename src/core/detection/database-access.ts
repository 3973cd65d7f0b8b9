/** What stands in code and in files about how a service reaches its database, and no variable says. */
import type { ComposeService } from './compose.ts';
import { isOwnEnvironment, variablesIn } from './compose-variables.ts';
import type { Recipe } from './dockerfile.ts';
import { isComposeFile, nameOf, type RepositoryFile } from './files.ts';
import type { DatabaseSign } from './postgres.ts';
import { connectsTo } from './references.ts';
import { withoutWaiting } from './waiting.ts';

interface Written {
  files: readonly RepositoryFile[];
  /** The code of the service. */
  sources: readonly RepositoryFile[];
  /** Of its image. */
  recipe: Recipe | null;
}

type Access = Partial<Pick<DatabaseSign, 'user' | 'password' | 'name'>>;

/** Null where nothing says it, or variables do. */
export function accessOf(database: ComposeService, own: ComposeService | null, written: Written): Access | null {
  return inCode(database.names, written) ?? inSecret(database, own, written) ?? inImage(database, written);
}

/** The whole address, user and password with it. */
function inCode(hosts: readonly string[], { sources, files }: Written): Access | null {
  // What migrates may have an address of its own, which no variable changes.
  const ofMigrations = files.filter(({ path }) => nameOf(path) === 'alembic.ini');
  for (const { content } of [...sources, ...ofMigrations]) {
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
  const place = toldTo(database, 'POSTGRES_PASSWORD_FILE');
  const source = database.mounts.find(({ target }) => target === place)?.source ?? null;
  if (source === null || own?.mounts.some((mount) => mount.source === source) !== true) return null;
  const password = files.find(({ path }) => path === source)?.content.trim() ?? '';
  if (!isPassword(password)) return null;
  return { user: toldTo(database, 'POSTGRES_USER') ?? 'postgres', password };
}

/** Settings that its image holds: env-cmd and its like put them before the environment of the container. */
function inImage(database: ComposeService, written: Written): Access | null {
  const password = toldTo(database, 'POSTGRES_PASSWORD') ?? '';
  const isHeld = imageSettings(written).some((value) => value === password || value.includes(`:${password}@`));
  if (!isPassword(password) || !isHeld) return null;
  return { user: toldTo(database, 'POSTGRES_USER') ?? 'postgres', password };
}

/** Values of an `.env` that is checked in, or that the Dockerfile makes of an example. */
function imageSettings({ files, recipe }: Written): string[] {
  if (recipe === null) return [];
  const made = /\b(?:cp|mv|COPY|ADD)\s+(?:-\S+\s+)*(\S{0,200}env\S{0,200})\s+(?:\S{0,200}\/)?\.env(?![\w.-])/g;
  const names = [...recipe.content.matchAll(made)].map(([, from]) => nameOf(from!));
  const held = files.filter(
    ({ path }) => (recipe.copiesCode && isOwnEnvironment(path)) || names.includes(nameOf(path)),
  );
  return held.flatMap(({ content }) => variablesIn(content)).map(([, value]) => value);
}

function toldTo({ environment }: ComposeService, name: string): string | null {
  return environment.find((each) => each.name === name)?.value ?? null;
}

function isPassword(text: string): boolean {
  return /^[!-~]{1,100}$/.test(text);
}

/** Host names of the database that stand where nothing fills them in: in commands, scripts and settings. */
export function aliasOf(
  database: ComposeService,
  started: readonly (ComposeService | null)[],
  written: Written,
): string[] {
  const { files, sources } = written;
  const words = started.flatMap((each) =>
    each === null ? [] : [each.entrypoint, each.command].flatMap((part) => withoutWaiting(part ?? [])),
  );
  const told = files.filter((file) => mayConnect(file.path) || sources.includes(file));
  const texts = [...words, ...told.map(({ content }) => content)];
  const values = imageSettings(written);
  return database.names.filter(
    (name) =>
      name !== 'database' && (values.includes(name) || [...texts, ...values].some((text) => connectsTo(text, name))),
  );
}

/** Scripts that an image starts, and settings that it holds. */
function mayConnect(path: string): boolean {
  return /\.(?:sh|properties|ya?ml|json|ini)$|(?:^|\/)Dockerfile[\w.-]*$/.test(path) && !isComposeFile(path);
}
