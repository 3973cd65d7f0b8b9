import { isOwnHeader } from '../../config/endpoint-checks.ts';
import type { Plain } from '../api-examples.ts';
import type { Method } from '../routes/route.ts';

/**
 * A request as people write it down for each other. What only its reader knows stands in it as `{{name}}`, `$NAME`, `<name>` or
 * `:name`.
 */
export interface WrittenRequest {
  method: Method;
  /** With a host or without: `http://localhost:8080/items`, `{{host}}/items`, `:8080/items`, `/items`. */
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | null;
}

/** This machine, and names that are nobody's: https://www.rfc-editor.org/rfc/rfc2606 */
const LOCAL =
  /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal|(?:[\w-]+\.){0,4}example(?:\.(?:com|org|net))?|(?:[\w-]+\.){1,4}test)$/i;
const PLACEHOLDER = /\{\{\s{0,9}([\w.-]{1,64})\s{0,9}\}\}|\$\{?([A-Za-z_]\w{0,63})\}?|<([\w -]{1,64})>/g;
/** `:id` of a path; a number is a port. */
const PARAMETER = /(?<=\/):([A-Za-z_]\w{0,63})(?=\/|$)/g;
/** What a client sends of its own accord, whatever it asks for. */
const OF_A_CLIENT =
  /^(?:content-type|accept-encoding|user-agent|x-requested-with|postman-token|cache-control|sec-[\w-]{1,64})$/i;
const LONGEST = 5_000;

/** With the values that a file has; what nobody has given one stays as it stands. */
export function filledIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{\{\s{0,9}([\w.-]{1,64})\s{0,9}\}\}/g, (whole, name: string) => values.get(name) || whole);
}

/** The same of all that is sent. */
export function requestFilledIn(request: WrittenRequest, values: ReadonlyMap<string, string>): WrittenRequest {
  return {
    method: request.method,
    url: filledIn(request.url, values),
    headers: request.headers.map(([name, value]) => [name, filledIn(value, values)] as const),
    body: request.body === null ? null : filledIn(request.body, values),
  };
}

/** The requests as an OpenAPI document says the same, so that one reader knows what they tell: paths, examples, ways in. */
export function documentOf(requests: readonly WrittenRequest[]): Plain {
  const paths: Record<string, Plain> = {};
  let isBaseOpen = false;
  for (const request of requests) {
    const place = placeOf(request.url.slice(0, LONGEST));
    if (place === null) continue;
    const { template, query } = place;
    const operations = paths[template] ?? {};
    const method = request.method.toLowerCase();
    const before = operations[method] as Plain | undefined;
    // Of several, the first that says what is sent.
    if (before === undefined || (before.requestBody === undefined && request.body !== null)) {
      operations[method] = operationOf(request, template, query);
    }
    paths[template] = operations;
    isBaseOpen ||= place.isBaseOpen;
  }
  // `{{url}}/items`: only whoever sends it knows what belongs to the address.
  const base = isBaseOpen && !Object.keys(paths).some((path) => /^\/api(?:\/|$)/.test(path)) ? '/api' : '';
  return { servers: [{ url: base }], paths };
}

interface Place {
  template: string;
  query: string;
  isBaseOpen: boolean;
}

/** Null where it is sent somewhere else. */
function placeOf(url: string): Place | null {
  const whole = url.replace(/^https?:\/\//i, '');
  const isWhole = whole !== url;
  const end = /[/?#]/.exec(whole)?.index ?? whole.length;
  const host = whole.slice(0, end);
  const isOpen = host.replaceAll(PLACEHOLDER, '') !== host;
  const isLocal = LOCAL.test(host.replace(/:\d{1,5}$/, '')) || (!isWhole && /^(?::\d{1,5})?$/.test(host));
  if (!isOpen && !isLocal) return null;
  const [path = '', query = ''] = whole
    .slice(end)
    .split('#')[0]!
    .split(/\?(.*)/s);
  const template = path.replaceAll(PLACEHOLDER, parameter).replaceAll(PARAMETER, parameter);
  return { template: template === '' ? '/' : template, query, isBaseOpen: isOpen && !isWhole };
}

function parameter(_: string, ...names: unknown[]): string {
  const name = names.find((each) => typeof each === 'string') as string;
  // What an `.http` file takes from the answer to a request that it has named: `{{store.response.body.id}}`.
  return `{${name.replace(/\.response\..*$/s, '').replaceAll(/\W/g, '_')}}`;
}

function isOpenText(text: string): boolean {
  return text.replaceAll(PLACEHOLDER, '') !== text || HOLDS_A_PLACE.test(text);
}

/** `TOKEN`, `YOUR_API_KEY`, `your-token`, `xxxx`: what a reader is meant to put there. */
const HOLDS_A_PLACE =
  /^(?:(?:[A-Z\d]{1,20}[_-]){0,4}(?:TOKEN|KEY|SECRET|PASSWORD|JWT)|(?:your|my|some)[_-][\w-]{1,60}|[xX]{3,64}|\*{3,64}|\.{3})$/;

/** What lets in is not in what is written down. */
function isOpenKey([name, value]: readonly [string, string]): boolean {
  return isOpenText(value) && /(?:^|[_.-])(?:api_?key|key|(?:access_?)?token|secret|signature|sig)$/i.test(name);
}

function operationOf({ headers, body }: WrittenRequest, template: string, query: string): Plain {
  const known = headers.filter(([name, value]) => !isOpenText(value) && !/^(?:authorization|cookie)$/i.test(name));
  const asked = new URLSearchParams(query);
  const parameters = [
    ...[...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ in: 'path', name, required: true })),
    ...[...asked].filter(([, value]) => !isOpenText(value)).map(([name, example]) => of('query', name, example)),
    // Without it another request is sent, which may even be answered well.
    ...[...asked].filter(isOpenKey).map(([name]) => ({ in: 'query', name, required: true })),
    ...known
      .filter(([name]) => !isOwnHeader(name) && !OF_A_CLIENT.test(name))
      .map(([name, example]) => of('header', name, example)),
  ];
  const isSecured = headers.some(([name]) => /^authorization$/i.test(name));
  return {
    parameters,
    ...(isSecured ? { security: [{ written: [] }] } : {}),
    ...(body === null ? {} : { requestBody: { content: contentOf(body) } }),
  };
}

function of(place: 'query' | 'header', name: string, example: string): Plain {
  return { in: place, name, required: true, example };
}

function contentOf(body: string): Plain {
  const json = jsonOf(body);
  if (json !== undefined) return { 'application/json': { schema: schemaOf(json, 0) } };
  if (!/^[\w.[\]-]{1,64}=/.test(body)) return { 'text/plain': {} };
  const fields = Object.fromEntries(new URLSearchParams(body.slice(0, LONGEST)));
  return { 'application/x-www-form-urlencoded': { schema: schemaOf(fields, 0) } };
}

/** Undefined where it is none, whatever its placeholders would be. */
function jsonOf(body: string): unknown {
  const quoted = body.replaceAll(/([:[,]\s{0,20})(\{\{[^{}]{1,64}\}\})/g, '$1"$2"');
  for (const text of [body, quoted]) {
    try {
      const value = JSON.parse(text) as unknown;
      if (typeof value === 'object' && value !== null) return value;
    } catch {}
  }
  return undefined;
}

const DEEPEST = 6;

/** With the value as its example, as far as nothing in it is open. */
function schemaOf(value: unknown, depth: number): Plain {
  const isOpen = isOpenText(JSON.stringify(value));
  const own = isOpen ? {} : { example: value };
  if (value === null || typeof value !== 'object' || Array.isArray(value) || depth === DEEPEST) return own;
  const properties = Object.entries(value).map(([name, each]) => [name, schemaOf(each, depth + 1)] as const);
  return { ...own, properties: Object.fromEntries(properties), required: Object.keys(value) };
}
