import { asList, asMap } from './files.ts';

export type Plain = Record<string, unknown>;

/** No example of a document is nested deeper. */
const DEEPEST = 6;
/** Schemas that name each other would be followed along all ways between them. */
const MOST_STEPS = 2_000;

/** Of its JSON; undefined where there is none. */
export function exampleOfBody(document: Plain, requestBody: unknown): unknown {
  const content = asMap(resolved(document, requestBody).content);
  const [, media] = Object.entries(content).find(([type]) => /json/.test(type)) ?? [];
  return media === undefined ? undefined : exampleOf(document, asMap(media));
}

/** The example of a parameter, a media type or a schema; undefined where there is none. */
export function exampleOf(document: Plain, written: unknown, depth = 0, steps = { left: MOST_STEPS }): unknown {
  if (depth > DEEPEST || steps.left === 0) return undefined;
  steps.left -= 1;
  const holder = resolved(document, written);
  const [first] = Object.values(asMap(holder.examples));
  const listed = asList(holder.examples)[0];
  const named = first === undefined ? undefined : resolved(document, first).value;
  const own = [
    holder.example,
    holder['x-example'],
    named,
    listed,
    holder.default,
    asList(holder.enum)[0],
    holder.const,
  ];
  const direct = own.find((each) => each !== undefined);
  if (direct !== undefined) return direct;
  if (holder.schema !== undefined) return exampleOf(document, holder.schema, depth + 1, steps);
  if (holder.type === 'array' || holder.items !== undefined) {
    const item = exampleOf(document, holder.items, depth + 1, steps);
    return item === undefined ? undefined : [item];
  }
  return exampleOfObject(document, holder, depth, steps);
}

/** Of the properties that have one; undefined where a required one has none. */
function exampleOfObject(document: Plain, holder: Plain, depth: number, steps: { left: number }): unknown {
  const properties = Object.entries(asMap(holder.properties));
  if (properties.length === 0) return undefined;
  const examples = properties.map(([name, schema]) => [name, exampleOf(document, schema, depth + 1, steps)] as const);
  const known = examples.filter(([, example]) => example !== undefined);
  const names = new Set<unknown>(known.map(([name]) => name));
  const lacks = asList(holder.required).some((name) => !names.has(name));
  return lacks || known.length === 0 ? undefined : Object.fromEntries(known);
}

/** What a local `$ref` points at. */
export function resolved(document: Plain, value: unknown): Plain {
  let current = asMap(value);
  for (let step = 0; step < DEEPEST && typeof current.$ref === 'string'; step += 1) {
    if (!current.$ref.startsWith('#/')) return {};
    const keys = current.$ref.slice(2).split('/');
    let target: unknown = document;
    for (const key of keys) {
      const plain = key.replaceAll('~1', '/').replaceAll('~0', '~');
      const map = asMap(target);
      target = Object.hasOwn(map, plain) ? map[plain] : undefined;
    }
    current = asMap(target);
  }
  return current;
}
