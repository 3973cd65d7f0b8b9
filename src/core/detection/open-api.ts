import { isOwnHeader } from '../config/endpoint-checks.ts';
import { headerName, headerValue } from '../values/scalars.ts';
import { exampleOf, exampleOfBody, type Plain, resolved } from './api-examples.ts';
import { filledBodyOf } from './api-filled-bodies.ts';
import { type ApiLogins, loginsIn } from './api-logins.ts';
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
  /** Answers only those who are logged in. */
  isSecured: boolean;
}

export interface Api {
  from: string;
  /** Folder of the document: which service it describes. */
  folder: string;
  basePath: string;
  endpoints: ApiEndpoint[];
  /** Paths of GETs with one parameter, which an answer to another request may have a value for: `/items/{id}`. */
  items: string[];
  /** Requests whose body no example shows: filled in by what its schema wants, they make something, or are refused. */
  unshown: Pick<ApiEndpoint, 'method' | 'path' | 'headers' | 'body'>[];
  /** What is sent to one item, at a path with one parameter: `/items/{id}/parts`. */
  inner: Pick<ApiEndpoint, 'method' | 'path' | 'headers' | 'body'>[];
  /** Operations that cannot be asked as they stand. */
  left: { operation: string; why: string }[];
  logins: ApiLogins;
}

const DOCUMENT = /(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$/i;

/** What an OpenAPI or Swagger document says can be asked, for each document that says something. */
export function apisIn(files: readonly RepositoryFile[]): Api[] {
  return filesCalled(files, DOCUMENT).flatMap((file) => apiIn(file) ?? []);
}

/** The same of one text; null where it describes nothing. */
export function apiIn(file: RepositoryFile): Api | null {
  return apiDescribed(mapOf(file), file.path);
}

/** What a document says, whatever the file that holds it or says the same; null where it describes nothing. */
export function apiDescribed(document: Plain, from: string): Api | null {
  const api: Api = {
    from,
    folder: folderOf(from),
    basePath: basePathOf(document),
    endpoints: [],
    items: [],
    unshown: [],
    inner: [],
    left: [],
    logins: loginsIn(document),
  };
  for (const [template, item] of Object.entries(asMap(document.paths)))
    addOperations(api, document, template, resolved(document, item));
  return api.endpoints.length + api.left.length > 0 ? api : null;
}

function addOperations(api: Api, document: Plain, template: string, item: Plain): void {
  for (const [verb, value] of Object.entries(item)) {
    if (api.endpoints.length + api.left.length >= MOST_OPERATIONS) return;
    const method = methodOf(verb);
    if (method === null || method === 'OPTIONS' || method === 'HEAD') continue;
    const operation = asMap(value);
    const never = whyNever(method, operation);
    const parameters = [...asList(item.parameters), ...asList(operation.parameters)];
    const asked = never ?? requestOf(document, verb, template, parameters, operation);
    const hasOne = never === null && template.split('{').length === 2;
    const isItem = hasOne && method === 'GET';
    const sent =
      hasOne && /^(?:POST|PUT)$/.test(method) ? sentToItem(document, verb, template, parameters, operation) : null;
    if (sent !== null) api.inner.push({ method, path: template, ...sent });
    if (isItem && isRequestPath(template.replaceAll(/[{}]/g, ''))) api.items.push(template);
    if (typeof asked === 'string') {
      const filled = never === null && template.split('{').length === 1 ? filledBodyOf(document, operation) : null;
      if (filled !== null && isRequestPath(template)) api.unshown.push({ method, path: template, ...filled });
      api.left.push({ operation: `${method} ${template}`, why: asked });
      continue;
    }
    api.endpoints.push({
      method,
      template,
      ...asked,
      ...answerOf(document, method, operation),
      isSecured: isSecured(operation.security ?? document.security),
    });
  }
}

/** Null where it takes no body, or more than its item that nobody knows. */
function sentToItem(
  document: Plain,
  verb: string,
  template: string,
  written: readonly unknown[],
  operation: Plain,
): Pick<ApiEndpoint, 'headers' | 'body'> | null {
  const others = written.filter((each) => resolved(document, each).in !== 'path');
  const asked = requestOf(document, verb, template.replace(/\{[^{}]*\}/, '1'), others, operation);
  if (asked === NO_BODY) return filledBodyOf(document, operation);
  return typeof asked === 'string' || asked.body === null ? null : { headers: asked.headers, body: asked.body };
}

/** Why nobody who measures asks for it; null where somebody may. */
function whyNever(method: Method, operation: Plain): string | null {
  if (method === 'DELETE') return 'is answered differently the second time';
  if (operation.deprecated === true) return 'is deprecated';
  const codes = Object.keys(asMap(operation.responses));
  const fails = codes.length > 0 && codes.every((code) => /^[45]/.test(code));
  const says = /\balways (?:fails?|returns? an error|throws)\b/i;
  return fails || says.test(textOf(operation.summary)) || says.test(textOf(operation.description).slice(0, LONGEST_URL))
    ? 'always fails, as its description says'
    : null;
}

/** An empty requirement among others lets anybody in. */
function isSecured(security: unknown): boolean {
  const all = asList(security);
  return all.length > 0 && all.every((each) => Object.keys(asMap(each)).length > 0);
}

function answerOf(document: Plain, method: Method, operation: Plain): Pick<ApiEndpoint, 'status' | 'contentType'> {
  const responses = Object.entries(asMap(operation.responses));
  const [status, response] = responses.find(([code]) => /^2\d\d$/.test(code)) ?? ['200', {}];
  const types = Object.keys(asMap(resolved(document, response).content));
  const produces = asList(operation.produces ?? document.produces).map(textOf);
  const contentType = [...types, ...(method === 'GET' ? produces : [])].find(
    (type) => /^[\w.+-]+\/[\w.+-]+$/.test(type) && headerValue.safeParse(type).success,
  );
  return { status: Number(status), contentType: contentType ?? null };
}

type Asked = Pick<ApiEndpoint, 'path' | 'headers' | 'body'>;

const NO_BODY = 'has no example of its body';
const LONGEST_BODY = 10_000;
const LONGEST_URL = 5_000;
/** With more it was made by a program, and nobody reads which are left out. */
const MOST_OPERATIONS = 500;
/** Half of a character, which no URL holds. */
const HALF = /\p{Cs}/u;

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
  if (isBodyNeeded && body === undefined) return NO_BODY;
  if (isBodyNeeded) headers['content-type'] = 'application/json';
  const whole = query.length === 0 ? path : `${path}?${query.join('&')}`;
  if (/[{}]/.test(whole)) return `has no example for its parameter ${/\{(\w*)/.exec(whole)?.[1] ?? ''}`;
  if (!isRequestPath(whole)) return 'has a path that cannot be asked';
  const text = isBodyNeeded ? JSON.stringify(body) : null;
  if ([whole, text ?? '', ...Object.values(headers)].some((each) => each.includes('${')))
    return 'has an example that a spec would fill in: a $ before a brace';
  if ((text ?? '').length > LONGEST_BODY) return 'has an example of its body that is too long for a spec';
  return { path: whole, headers, body: text };
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
