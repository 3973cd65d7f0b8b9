import { bodiesOf, propertiesOf } from './api-bodies.ts';
import { exampleOf, type Plain, resolved } from './api-examples.ts';
import { asList, textOf } from './files.ts';

/** A body that a schema describes and has no example of, with as little in it as makes sense. */
export interface FilledBody {
  headers: Record<string, string>;
  body: string;
}

const TEXT = 'wrkbench';
/** What things are called by, where nothing is said to be required. */
const NAME = /^(?:title|name|subject|label)$/i;
const DEEPEST = 3;

/** Null where an operation takes no JSON object, or one with something in it that nobody can make up. */
export function filledBodyOf(document: Plain, operation: Plain): FilledBody | null {
  const [, schema] = bodiesOf(document, operation).find(([type]) => /json/.test(type)) ?? [];
  const value = schema === undefined ? undefined : filledObject(document, schema, 0);
  return value === undefined || Object.keys(value).length === 0
    ? null
    : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** All that is required, and what it is called; undefined where one of them cannot be made up. */
function filledObject(document: Plain, schema: Plain, depth: number): Plain | undefined {
  const parts = [schema, ...asList(schema.allOf).map((each) => resolved(document, each))].slice(0, 10);
  const required = new Set(parts.flatMap((each) => asList(each.required)).map(textOf));
  const filled: [string, unknown][] = [];
  for (const [name, written] of propertiesOf(document, schema)) {
    const own = resolved(document, written);
    if (own.readOnly === true || !(required.has(name) || NAME.test(name))) continue;
    const value = exampleOf(document, own) ?? filledValue(document, own, depth);
    if (value !== undefined) filled.push([name, value]);
    else if (required.has(name)) return undefined;
  }
  return Object.fromEntries(filled);
}

function filledValue(document: Plain, schema: Plain, depth: number): unknown {
  const type = textOf(asList(schema.type)[0] ?? schema.type);
  if (type === 'string') return filledText(schema);
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(1, Math.ceil(Number(schema.minimum ?? 1)));
  if (type === 'array') return [];
  const isObject = type === 'object' || schema.properties !== undefined || schema.allOf !== undefined;
  return isObject && depth < DEEPEST ? filledObject(document, schema, depth + 1) : undefined;
}

/** Undefined where it is of a form that no plain word has. */
function filledText({ format, pattern, minLength, maxLength }: Plain): string | undefined {
  if (format === 'date-time') return '2024-01-01T00:00:00Z';
  if (format === 'date') return '2024-01-01';
  if (format === 'email') return `${TEXT}@example.com`;
  if (format !== undefined || pattern !== undefined) return undefined;
  if (Number(minLength ?? 0) > TEXT.length || Number(maxLength ?? TEXT.length) < TEXT.length) return undefined;
  return TEXT;
}
