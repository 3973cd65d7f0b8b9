import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';

/** GitHub's REST API as GitHub itself describes it, what of it is about requests: fixtures/github-api. */

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: Record<string, unknown>;
}

interface OperationObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, { schema?: Record<string, unknown> }> };
}

export interface DescribedOperation {
  id: string;
  /** Values of the path's parameters. */
  parameters: Record<string, string>;
}

interface ListedOperation extends OperationObject {
  method: string;
  path: string;
}

interface Route {
  pattern: RegExp;
  names: string[];
  /** Of the path; null where a parameter of it may have slashes in it. */
  parts: number | null;
  /** Parts that are no parameters: the most of them is the best fit. */
  literal: number;
  operation: OperationObject;
}

const ajv = new Ajv({ strict: false, coerceTypes: true, allErrors: true, validateFormats: false, logger: false });
const compiled = new Map<object, ValidateFunction>();
const routes = routesOf();

/** Of several that fit, the one with the most literal parts. Null where GitHub has no such operation. */
export function described(
  method: string,
  pathname: string,
): { operation: OperationObject; found: DescribedOperation } | null {
  const parts = pathname.split('/').length;
  for (const { pattern, names, operation, parts: wanted } of routes.get(method.toLowerCase()) ?? []) {
    const match = wanted === null || wanted === parts ? pattern.exec(pathname) : null;
    if (match === null) continue;
    const parameters = Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)]));
    return { operation, found: { id: operation.operationId, parameters } };
  }
  return null;
}

/** What is wrong with a request, a sentence each; none where GitHub would take it. */
export function diagnosticsOf(
  operation: OperationObject,
  parameters: Record<string, string>,
  query: URLSearchParams,
  body: unknown,
): string[] {
  const { parameters: declared = [], requestBody } = operation;
  const known = new Set(declared.filter((each) => each.in === 'query').map(({ name }) => name));
  const unknown = [...query.keys()]
    .filter((name) => !known.has(name))
    .map((name) => `there is no query parameter ${name}`);
  const values = declared.flatMap(({ name, in: place, required, schema }) => {
    const value = place === 'path' ? parameters[name] : place === 'query' ? query.get(name) : null;
    if (value === null || value === undefined) {
      return required === true && place === 'query' ? [`the query parameter ${name} is missing`] : [];
    }
    return schema === undefined ? [] : problems(schema, value, name);
  });
  const content = requestBody?.content?.['application/json']?.schema;
  const ofBody =
    content === undefined
      ? body === undefined
        ? []
        : ['it has a body, and none is described']
      : body === undefined
        ? requestBody?.required === true
          ? ['the body is missing']
          : []
        : problems(content, body, 'body');
  return [...unknown, ...values, ...ofBody];
}

function problems(schema: Record<string, unknown>, value: unknown, name: string): string[] {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile({ type: 'object', properties: { value: schema } });
    compiled.set(schema, validate);
  }
  // Coercion changes what it is given.
  if (validate({ value: structuredClone(value) })) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${name}${instancePath.slice('/value'.length)} ${message}`,
  );
}

/** By method, the best fit first: a thousand patterns for each request were a quarter of what tests of the forge took. */
function routesOf(): Map<string, Route[]> {
  const file = new URL('../../../fixtures/github-api/operations.json', import.meta.url);
  const { operations } = JSON.parse(readFileSync(file, 'utf8')) as { operations: ListedOperation[] };
  const methods = new Set(operations.map(({ method }) => method));
  const bestFirst = (method: string) =>
    operations
      .filter((operation) => operation.method === method)
      .map(routeOf)
      .toSorted((one, other) => other.literal - one.literal);
  return new Map([...methods].map((method) => [method, bestFirst(method)]));
}

function routeOf({ path: template, method: _, ...operation }: ListedOperation): Route {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  // Only a file's path has slashes in it.
  const source = template
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'path' ? '(.+)' : '([^/]+)'));
  const literal = template.split('/').filter((part) => part !== '' && !part.startsWith('{')).length;
  const parts = names.includes('path') ? null : template.split('/').length;
  return { pattern: new RegExp(`^${source}$`), names, parts, literal, operation };
}
