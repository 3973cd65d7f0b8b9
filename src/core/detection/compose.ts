import { relativePath } from '../values/scalars.ts';
import { bindMountsOf, type ComposeExtras, entriesOf, extended, extrasOf, startedBy } from './compose-extras.ts';
import { healthPath } from './dockerfile.ts';
import { mapOf } from './file-map.ts';
import {
  asList,
  asMap,
  filesCalled,
  folderOf,
  type LeftOut,
  nameOf,
  portOf,
  type RepositoryFile,
  textOf,
  under,
} from './files.ts';
import { isStage } from './fitting.ts';

export interface ComposeService extends ComposeExtras {
  /** Null where it is not built; `problem` where what it says cannot be followed. */
  build: { context: string; dockerfile: string; target: string | null } | { problem: string } | null;
  image: string | null;
  /** In place of the image's own. */
  command: string[] | null;
  /** Values with their variables filled in; null where one of them has no value. */
  environment: { name: string; value: string | null; from: string }[];
  port: number | null;
  ready: string | null;
  dependsOn: string[];
  /** Host path (null for a volume) and path in the container. */
  mounts: { source: string | null; target: string }[];
}

/** With more they were made by a program. */
export const MOST_COMPOSE_SERVICES = 200;

/** Services of the compose files, each name of a folder once. Files for development or tests count only where there are no others. */
export function composeServices(files: readonly RepositoryFile[]): ComposeService[] {
  const all = filesCalled(files, /^(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/);
  const plain = all.filter(({ path }) => /^(?:docker-)?compose\.ya?ml$/.test(nameOf(path)));
  const found = new Map<string, ComposeService>();
  for (const file of plain.length > 0 ? plain : all) {
    const services = asMap(mapOf(file).services);
    for (const key of Object.keys(services)) {
      if (found.size >= MOST_COMPOSE_SERVICES) return [...found.values()];
      const place = `${folderOf(file.path)}/${key}`;
      if (!found.has(place)) found.set(place, serviceOf(key, services, file, files));
    }
  }
  return [...found.values()];
}

function serviceOf(
  key: string,
  services: Record<string, unknown>,
  { path }: RepositoryFile,
  files: readonly RepositoryFile[],
): ComposeService {
  const folder = folderOf(path);
  const defaults = defaultsOf(files, folder);
  const { written, missing } = extended(key, services, path);
  const { healthcheck, depends_on: depends, image, volumes, entrypoint, env_file: envFile } = written;
  const place = { key, from: path };
  const command = commandOf(written.command, defaults);
  const started = startedBy(commandOf(entrypoint, defaults), command, place);
  const fromFiles = envFiles(envFile, place, files);
  const environment = entriesOf(written.environment).map(([name, value]) => ({
    name,
    // A name alone is taken from the shell that starts it.
    value: value === null ? (defaults.get(name) ?? null) : filled(value, defaults),
    from: path,
  }));
  const named = new Set(environment.map(({ name }) => name));
  return {
    key,
    from: path,
    build: buildOf(written.build, folder),
    image: typeof image === 'string' ? filled(image, defaults) : null,
    command: started.command,
    environment: [...environment, ...fromFiles.environment.filter(({ name }) => !named.has(name))].filter(({ name }) =>
      VARIABLE_NAME.test(name),
    ),
    port: portIn(written, defaults),
    ready: healthPath(JSON.stringify(asMap(healthcheck).test ?? '')),
    dependsOn: Array.isArray(depends) ? depends.map(textOf) : Object.keys(asMap(depends)),
    mounts: asList(volumes).map((volume) => {
      const { source, target } = asMap(volume);
      const [from, to] = typeof volume === 'string' ? volume.split(':') : [source, target];
      return { source: under(folder, from), target: textOf(to) };
    }),
    extras: extrasOf(written),
    bindMounts: bindMountsOf(volumes),
    missing: [...missing, ...started.missing, ...fromFiles.missing],
  };
}

/** What its files of variables say, a later one over an earlier one; those that are not there to be read are named. */
function envFiles(
  written: unknown,
  { key, from }: { key: string; from: string },
  files: readonly RepositoryFile[],
): { environment: ComposeService['environment']; missing: LeftOut[] } {
  const environment = new Map<string, ComposeService['environment'][number]>();
  const missing: LeftOut[] = [];
  const names = (Array.isArray(written) ? written : [written]).map((each) => textOf(asMap(each).path ?? each));
  for (const name of names.filter((each) => each !== '')) {
    const path = under(folderOf(from), name);
    const file = files.find((each) => each.path === path);
    if (file === undefined) {
      const why = 'no such file is read here: write the variables that the service needs into its env';
      missing.push({ what: `env_file ${name.slice(0, 200)} of ${key} (${from})`, why });
    }
    for (const [variable, value] of file === undefined ? [] : variablesIn(file.content))
      environment.set(variable, { name: variable, value, from: file!.path });
  }
  return { environment: [...environment.values()], missing };
}

function buildOf(written: unknown, folder: string): ComposeService['build'] {
  if (written === undefined || written === null) return null;
  const build = typeof written === 'string' ? { context: written } : asMap(written);
  const context = under(folder, build.context ?? '.');
  if (context === null)
    return { problem: `its build context ${shown(build.context)} is not a folder of this repository` };
  const dockerfile = build.dockerfile ?? 'Dockerfile';
  if (typeof dockerfile !== 'string' || !relativePath.safeParse(dockerfile).success) {
    return { problem: `its Dockerfile ${shown(dockerfile)} is not inside its build context` };
  }
  const target = isStage(build.target) ? build.target : null;
  return { context, dockerfile: dockerfile.replace(/^\.\//, ''), target };
}

function shown(value: unknown): string {
  return JSON.stringify(value ?? null).slice(0, 80);
}

function portIn({ ports, expose }: Record<string, unknown>, defaults: ReadonlyMap<string, string>): number | null {
  const [published, exposed] = [ports, expose].map((list) => asList(list)[0]);
  const target = textOf(asMap(published).target ?? (typeof published === 'object' ? '' : (published ?? exposed)));
  const text = filled(target, defaults) ?? target;
  return (
    portOf(
      text
        .replace(/\/\w+$/, '')
        .split(':')
        .at(-1),
    ) ?? portOf(exposed)
  );
}

/** `.env.example` and its like beside a file: what its variables usually hold. */
function defaultsOf(files: readonly RepositoryFile[], folder: string): Map<string, string> {
  return new Map(
    files
      .filter(({ path }) => isExampleEnvironment(path) && folderOf(path) === folder)
      .flatMap(({ content }) => variablesIn(content)),
  );
}

export function isExampleEnvironment(path: string): boolean {
  return /^(?:\.env\.(?:example|sample|template|dist)|(?:example|sample)\.env|env\.(?:example|sample))$/.test(
    nameOf(path),
  );
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** A longer value is in no spec, and is no longer one when it is cut here. */
const LONGEST_LINE = 2_000;
const MOST_LINES = 2_000;

/** Lines of `NAME=value`. */
export function variablesIn(content: string): [string, string][] {
  return content.split('\n', MOST_LINES).flatMap((line): [string, string][] => {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line.slice(0, LONGEST_LINE)) ?? [];
    if (name === undefined || !VARIABLE_NAME.test(name)) return [];
    const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(value!)?.[2];
    return [[name, quoted ?? value!.replace(/\s+#.*$/, '')]];
  });
}

/** With `${NAME:-default}` and `$NAME` filled in; null where one has no value. */
function filled(text: string, defaults: ReadonlyMap<string, string>): string | null {
  let isWhole = true;
  const result = text.replaceAll(
    /\$\$|\$\{(\w+)(?::?[-?](?:([^{}]*))?)?\}|\$(\w+)/g,
    (whole: string, braced: string | undefined, fallback: string | undefined, plain: string | undefined) => {
      if (whole === '$$') return '$';
      const isRequired = /^\$\{\w+:?\?/.test(whole);
      const value = defaults.get(braced ?? plain!) ?? (isRequired ? undefined : fallback);
      if (value === undefined) isWhole = false;
      return value ?? '';
    },
  );
  return isWhole ? result : null;
}

/** As words; what only a shell understands is left to a shell. */
function commandOf(written: unknown, defaults: ReadonlyMap<string, string>): string[] | null {
  if (Array.isArray(written)) {
    const words = written.map((word) => filled(textOf(word), defaults));
    return words.length > 0 && words.every((word) => word !== null) ? (words as string[]) : null;
  }
  if (typeof written !== 'string' || written.trim() === '') return null;
  const text = filled(written, defaults);
  return text === null ? null : wordsOf(text);
}

/** The words of a command line. */
function wordsOf(line: string): string[] {
  const text = line.trim().replaceAll(/\\\n/g, ' ');
  if (/[;&|<>`$\n]/.test(text)) return ['sh', '-c', text];
  return (text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []).map((word) => word.replaceAll(/["']/g, ''));
}
