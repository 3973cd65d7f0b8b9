/** A compose project: a folder with a compose file, as Compose itself would read it, or as it is read here without. */
import { mergedServices } from './compose-merge.ts';
import type { ComposeSource } from './compose-source.ts';
import { mapOf } from './file-map.ts';
import { asMap, type RepositoryFile, textOf, under } from './files.ts';

/** Compose's own reading of a source, as `docker compose config --format json` prints it. */
export interface ReadProject {
  /** As of the source. */
  file: string;
  /** Folder of the repository on the machine that it was read on: what the paths in it begin with. */
  root: string;
  json: string;
}

export interface ComposeProject {
  folder: string;
  /** The compose file. */
  from: string;
  /** As they are written, with their variables filled in and what they extend merged in. */
  services: Record<string, Record<string, unknown>>;
  /** Names → files, relative to the repository. */
  given: { secrets: Map<string, string>; configs: Map<string, string> };
  /** What is not read of it here, with the service that it is of. */
  unread: { key: string; what: string }[];
  /** A path as the project has it, relative to the repository; null where it leads out of it. */
  place(path: unknown): string | null;
}

/** By Compose's own reading where there is one. */
export function composeProject(
  source: ComposeSource,
  files: readonly RepositoryFile[],
  read: readonly ReadProject[],
): ComposeProject {
  const own = read.find(({ file }) => file === source.files[0]);
  const known = ofFiles(source, files);
  return (own === undefined ? null : ofCompose(own, source, known)) ?? known;
}

function ofFiles(source: ComposeSource, files: readonly RepositoryFile[]): ComposeProject {
  const { folder } = source;
  const place = (path: unknown) => under(folder, path);
  const { services, top, unread } = mergedServices(source, files);
  return { folder, from: source.files[0]!, services, given: givenIn(top, place), unread, place };
}

/** Null where it is not what Compose prints. */
function ofCompose(
  { json, root }: ReadProject,
  { folder, files }: ComposeSource,
  known: ComposeProject,
): ComposeProject | null {
  const top = unescaped(mapOf({ path: 'compose.json', content: json }));
  const services = asMap(top.services);
  if (Object.keys(services).length === 0) return null;
  const place = (path: unknown) => {
    const text = textOf(path);
    if (text === root) return '.';
    return text.startsWith(`${root}/`) ? under('.', text.slice(root.length + 1)) : under(folder, text);
  };
  return {
    folder,
    from: files[0]!,
    services: inOrder(
      Object.entries(services).map(([key, service]) => [key, withOwn(asMap(service), known.services[key])]),
      known.services,
    ),
    given: givenIn(top, place),
    unread: [],
    place,
  };
}

/** With its files of variables, which Compose was kept from, and its variables in the order of the file. */
function withOwn(service: Record<string, unknown>, own: Record<string, unknown> = {}): Record<string, unknown> {
  const environment = inOrder(Object.entries(asMap(service.environment)), asMap(own.environment));
  return { ...service, environment, ...(own.env_file === undefined ? {} : { env_file: own.env_file }) };
}

/** Compose prints all by the alphabet; people think in the order in which they wrote it. */
function inOrder<T>(entries: readonly [string, T][], known: Record<string, unknown>): Record<string, T> {
  const places = new Map(Object.keys(known).map((name, place) => [name, place]));
  const place = (name: string) => places.get(name) ?? places.size;
  return Object.fromEntries([...entries].sort(([a], [b]) => place(a) - place(b)));
}

/** A dollar is printed twice, since the output is to be read as a compose file again. */
function unescaped<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('$$', () => '$') as T;
  if (Array.isArray(value)) return value.map(unescaped) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unescaped(each)])) as T;
}

function givenIn(top: Record<string, unknown>, place: (path: unknown) => string | null): ComposeProject['given'] {
  const filesIn = (section: unknown) =>
    new Map(
      Object.entries(asMap(section)).flatMap(([name, each]): [string, string][] => {
        const path = asMap(each).file === undefined ? null : place(asMap(each).file);
        return path === null ? [] : [[name, path]];
      }),
    );
  return { secrets: filesIn(top.secrets), configs: filesIn(top.configs) };
}
