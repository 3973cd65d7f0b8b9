import { isOwnHeader } from '../config/endpoint-checks.ts';
import { headerName, headerValue } from '../values/scalars.ts';
import { mapOf } from './file-map.ts';
import { asList, asMap, filesCalled, folderOf, isRequestPath, type RepositoryFile, textOf } from './files.ts';
import { type Method, methodOf } from './routes/route.ts';

interface ApiEndpoint {
  method: Method;
  /** With the examples of its parameters in it. */
  path: string;
  /** As the document has it. */
  template: string;
  headers: Record<string, string>;
  body: string | null;
  status: number;
  contentType: string | null;
}

export interface Api {
  from: string;
  /** Folder of the document: which service it describes. */
  folder: string;
  basePath: string;
  endpoints: ApiEndpoint[];
  /** Operations that cannot be asked as they stand. */
  left: { operation: string; why: string }[];
}

/** What an OpenAPI or Swagger document says can be asked, for each document that says something. */
export function apisIn(files: readonly RepositoryFile[]): Api[] {
  return filesCalled(files, /(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$/i).flatMap((file) => {
    const document = mapOf(file);
    const api: Api = {
      from: file.path,
      folder: folderOf(file.path),
      basePath: basePathOf(document),
      endpoints: [],
      left: [],
    };
    for (const [template, item] of Object.entries(asMap(document.paths)))
      addOperations(api, document, template, asMap(item));
    return api.endpoints.length + api.left.length > 0 ? [api] : [];
  });
}

type Plain = Record<string, unknown>;

function addOperations(api: Api, document: Plain, template: string, item: Plain): void {
  for (const [verb, value] of Object.entries(item)) {
    if (api.endpoints.length + api.left.length >= MOST_OPERATIONS) return;
    const method = methodOf(verb);
    if (method === null || method === 'OPTIONS' || method === 'HEAD') continue;
    const operation = asMap(value);
    const name = `${method} ${template}`;
    const leave = (why: string) => api.left.push({ operation: name, why });
    if (asList(operation.security ?? document.security).length > 0) {
      leave('needs authorization: write it with the headers that it wants');
      continue;
    }
    if (method === 'DELETE') {
      leave('is answered differently the second time');
      continue;
    }
    const asked = requestOf(
      document,
      verb,
      template,
      [...asList(item.parameters), ...asList(operation.parameters)],
      operation,
    );
    if (typeof asked === 'string') {
      leave(asked);
      continue;
    }
    const [status, response] = Object.entries(asMap(operation.responses)).find(([code]) => /^2\d\d$/.test(code)) ?? [
      '200',
      {},
    ];
    const types = Object.keys(asMap(resolved(document, response).content));
    const produces = asList(operation.produces ?? document.produces).map(textOf);
    const contentType = [...types, ...(method === 'GET' ? produces : [])].find(
      (type) => /^[\w.+-]+\/[\w.+-]+$/.test(type) && headerValue.safeParse(type).success,
    );
    api.endpoints.push({ method, template, ...asked, status: Number(status), contentType: contentType ?? null });
  }
}

type Asked = Pick<ApiEndpoint, 'path' | 'headers' | 'body'>;

/** The request with the document's own examples; else a sentence about what is missing. */
function requestOf(
  document: Plain,
  verb: string,
  template: string,
  written: unknown[],
  operation: Plain,
): Asked | string {
  const parameters = written.map((each) => resolved(document, each));
  const query: string[] = [];
  const headers: Record<string, string> = {};
  let path = template;
  let body: unknown = exampleOfBody(document, operation.requestBody);
  let isBodyNeeded = operation.requestBody !== undefined || !['get', 'delete'].includes(verb);
  for (const parameter of parameters) {
    const name = textOf(parameter.name);
    const example = exampleOf(document, parameter);
    if (parameter.in === 'body') {
      body = exampleOf(document, { schema: parameter.schema });
      isBodyNeeded = true;
      continue;
    }
    const isNeeded = parameter.in === 'path' || parameter.required === true;
    if (!isNeeded || parameter.in === 'cookie') continue;
    if (example === undefined || (typeof example === 'object' && example !== null)) {
      return `has no example for its parameter ${name}`;
    }
    const text = textOf(example);
    if (HALF.test(text) || HALF.test(name)) return `has an example for its parameter ${name} that cannot be sent`;
    if (parameter.in === 'path') path = path.replaceAll(`{${name}}`, encodeURIComponent(text));
    else if (parameter.in === 'query') query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
    else if (
      parameter.in === 'header' &&
      headerName.safeParse(name).success &&
      headerValue.safeParse(text).success &&
      !isOwnHeader(name)
    )
      headers[name.toLowerCase()] = text;
  }
  if (isBodyNeeded && body === undefined) return 'has no example of its body';
  if (isBodyNeeded) headers['content-type'] = 'application/json';
  const whole = query.length === 0 ? path : `${path}?${query.join('&')}`;
  if (/[{}]/.test(whole)) return `has no example for its parameter ${/\{(\w*)/.exec(whole)?.[1] ?? ''}`;
  if (!isRequestPath(whole)) return 'has a path that cannot be asked';
  const text = isBodyNeeded ? JSON.stringify(body) : null;
  if ((text ?? '').length > LONGEST_BODY) return 'has an example of its body that is too long for a spec';
  return { path: whole, headers, body: text };
}

function exampleOfBody(document: Plain, requestBody: unknown): unknown {
  const content = asMap(resolved(document, requestBody).content);
  const [, media] = Object.entries(content).find(([type]) => /json/.test(type)) ?? [];
  return media === undefined ? undefined : exampleOf(document, asMap(media));
}

const DEEPEST = 6;
/** Schemas that name each other would be followed along all ways between them. */
const MOST_STEPS = 2_000;
const LONGEST_BODY = 10_000;
const LONGEST_URL = 5_000;
/** With more it was made by a program, and nobody reads which are left out. */
const MOST_OPERATIONS = 500;
/** Half of a character, which no URL holds. */
const HALF = /\p{Cs}/u;

/** The example of a parameter, a media type or a schema; undefined where there is none. */
function exampleOf(document: Plain, written: unknown, depth = 0, steps = { left: MOST_STEPS }): unknown {
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
function resolved(document: Plain, value: unknown): Plain {
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

/** Path of the first server (OpenAPI 3) or `basePath` (2). */
function basePathOf({ servers, basePath }: Plain): string {
  const url = asMap(asList(servers)[0]).url ?? basePath;
  const path = textOf(url)
    .slice(0, LONGEST_URL)
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/\/+$/, '');
  return isRequestPath(path) ? path : '';
}
