/** Compose files as they are read without Compose: an override over its file, and services over those that they extend. */
import type { ComposeSource } from './compose-source.ts';
import { filled } from './compose-variables.ts';
import { mapOf, RESET } from './file-map.ts';
import { asList, asMap, folderOf, type RepositoryFile, textOf } from './files.ts';

type Written = Record<string, unknown>;
type Unread = { key: string; what: string }[];

interface Merged {
  services: Record<string, Written>;
  /** The rest of the files. */
  top: Written;
  unread: Unread;
}

/** With their variables filled in. */
export function mergedServices({ files: names, variables }: ComposeSource, files: readonly RepositoryFile[]): Merged {
  const maps = names
    .map((name) => files.find(({ path }) => path === name)!)
    .map((file) => ({ from: file.path, map: filledIn(mapOf(file), variables) as Written }));
  const unread: Unread = maps.flatMap(({ map }) =>
    [map.include ?? []].flat().map((each) => ({ key: '', what: `include ${textOf(asMap(each).path ?? each)}` })),
  );
  const services: Record<string, Written> = {};
  for (const { from, map } of maps) {
    const own = asMap(map.services);
    for (const key of Object.keys(own)) {
      const written = extended(key, own, from, unread);
      services[key] = Object.hasOwn(services, key) ? merged(services[key]!, written) : merged({}, written);
    }
  }
  const top = maps.map(({ map }) => map).reduce((base, map) => merged(base, { ...map, services: undefined }), {});
  return { services, top, unread };
}

/** No service extends another through more. */
const DEEPEST = 10;

/** With what it extends in the same file; what is in another one is named. */
function extended(key: string, services: Written, from: string, unread: Unread, depth = 0): Written {
  const own = normal(asMap(services[key]));
  if (own.extends === undefined) return own;
  const { service, file } = typeof own.extends === 'string' ? { service: own.extends, file: null } : asMap(own.extends);
  const base = textOf(service);
  if ((file ?? null) !== null || !Object.hasOwn(services, base) || depth > DEEPEST) {
    const folder = folderOf(from) === '.' ? '' : `${folderOf(from)}/`;
    const where = (file ?? null) === null ? from : `${folder}${textOf(file)}`;
    unread.push({ key, what: `extends ${base} (${where})` });
    return own;
  }
  // Compose does not hand these on.
  const { depends_on, volumes_from, extends: _, ...above } = extended(base, services, from, unread, depth + 1);
  return merged(above, own);
}

/** Maps for what may be written as a list, so that the one of an override goes over the one of its file. */
function normal(written: Written): Written {
  const { environment, build, depends_on: depends } = written;
  return {
    ...written,
    ...(environment === undefined || environment === RESET
      ? {}
      : { environment: Object.fromEntries(entriesOf(environment)) }),
    ...(typeof build === 'string' && build !== RESET ? { build: { context: build } } : {}),
    ...(Array.isArray(depends)
      ? { depends_on: Object.fromEntries(depends.map((each) => [textOf(each), { condition: 'service_started' }])) }
      : {}),
  };
}

/** Of these the later one stands in place of the other. */
const WHOLE = new Set(['command', 'entrypoint', 'test']);

function merged(base: Written, over: Written): Written {
  const result: Written = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    if (value === RESET) delete result[key];
    else if (value === undefined || (value === null && before !== undefined)) continue;
    else if (Array.isArray(value) && Array.isArray(before) && !WHOLE.has(key)) result[key] = [...before, ...value];
    else if (isMap(value)) result[key] = merged(isMap(before) ? before : {}, value);
    else result[key] = value;
  }
  return result;
}

function isMap(value: unknown): value is Written {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Of both ways to write it: a map, or a list of NAME=value. */
function entriesOf(environment: unknown): [string, unknown][] {
  if (!Array.isArray(environment)) return Object.entries(asMap(environment));
  return asList(environment).map((line): [string, string | null] => {
    const [name, ...value] = textOf(line).split('=');
    return [name!, value.length === 0 ? null : value.join('=')];
  });
}

function filledIn(value: unknown, variables: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return filled(value, variables);
  if (Array.isArray(value)) return value.map((each) => filledIn(each, variables));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, variables)]));
}
