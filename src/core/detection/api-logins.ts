import { isOwnHeader } from '../config/endpoint-checks.ts';
import { bodiesOf, propertiesOf } from './api-bodies.ts';
import { exampleOf, type Plain, resolved } from './api-examples.ts';
import { type RegistrationRequest, registrationsIn } from './api-registrations.ts';
import { isNeverAsked } from './asking/never-asked.ts';
import { asMap, isRequestPath, textOf } from './files.ts';
import type { Route } from './routes/route.ts';

/** A request that a document describes for logging in with a name and a password. */
export interface LoginRequest {
  path: string;
  /** A token is asked for as OAuth2 has it, or a body of the operation is filled in. */
  kind: 'oauth2' | 'form' | 'json';
  /** Member of the body that holds both: `{user: {email, password}}`. */
  inside: string | null;
  user: string;
  password: string;
  /** Somebody whom its example lets in. */
  account?: { user: string; password: string };
}

export interface ApiLogins {
  requests: LoginRequest[];
  registrations: RegistrationRequest[];
  /** HTTP Basic is a way in. */
  basic: boolean;
  /** Header that takes a key of the document's own; null where it is the usual one. */
  header: string | null;
}

/** Of one document. */
const MOST_REQUESTS = 4;
/** Of all code. */
const MOST_PATHS = 2;

const LOGIN =
  /(?:^|[/_.-])(?:log-?_?in|sign-?_?in|access-?token|tokens?|auth(?:enticate|entication)?|sessions?)(?:$|[/_.-])/i;
const LOGIN_NAME = /log_?-?in|sign_?-?in|authenticate|access_?-?token/i;
const PASSWORD = /^(?:password|passwd|pass|pwd)(?:_?hash)?$/i;
const USER = /^(?:user_?name|e-?mail|login|user|identifier|email_?or_?username|user_?name_?or_?email|name)$/i;

/** The ways in that a document describes. */
export function loginsIn(document: Plain): ApiLogins {
  const schemes = Object.values({
    ...asMap(asMap(document.components).securitySchemes),
    ...asMap(document.securityDefinitions),
  }).map((each) => resolved(document, each));
  const tokens = schemes.flatMap((scheme): LoginRequest[] => {
    const flow = textOf(scheme.flow) === 'password' ? scheme : asMap(asMap(scheme.flows).password);
    const path = pathOf(textOf(flow.tokenUrl));
    return path === null ? [] : [{ path, kind: 'oauth2', inside: null, user: 'username', password: 'password' }];
  });
  const operations = Object.entries(asMap(document.paths)).flatMap(([path, item]) => loginAt(document, path, item));
  const keys = schemes.filter((scheme) => scheme.type === 'apiKey' && scheme.in === 'header').map(({ name }) => name);
  const header = keys
    .map(textOf)
    .find((name) => /^[\w-]{1,64}$/.test(name) && !isOwnHeader(name) && !/^authorization$/i.test(name));
  return {
    requests: [...tokens, ...operations].slice(0, MOST_REQUESTS),
    registrations: registrationsIn(document),
    basic: schemes.some(({ type, scheme }) => type === 'basic' || (type === 'http' && /^basic$/i.test(textOf(scheme)))),
    header: header?.toLowerCase() ?? null,
  };
}

/** The ways in that code declares and no document describes: fields are called as most people call them. */
export function loginsOfRoutes(routes: readonly Route[], basePath: string): ApiLogins {
  const paths = routes
    .filter(({ method, path }) => method === 'POST' && LOGIN.test(path) && !path.includes('{'))
    .map(({ path }) => `${basePath}${path}`)
    .filter((path) => isRequestPath(path) && !isNeverAsked(path));
  const requests = ['username', 'email'].flatMap((user) =>
    paths
      .slice(0, MOST_PATHS)
      .map((path): LoginRequest => ({ path, kind: 'json', inside: null, user, password: 'password' })),
  );
  return { requests, registrations: [], basic: false, header: null };
}

/** `token`, `/api/login`, `https://shop.test/api/login`: all of them on the service itself. */
function pathOf(url: string): string | null {
  const path = url.slice(0, 2_000).replace(/^https?:\/\/[^/]*/, '');
  const whole = path.startsWith('/') ? path : `/${path}`;
  return url !== '' && isRequestPath(whole) ? whole : null;
}

function loginAt(document: Plain, path: string, item: unknown): LoginRequest[] {
  const operation = asMap(resolved(document, item).post);
  const isCalledSo = LOGIN.test(path) || LOGIN_NAME.test(textOf(operation.operationId).slice(0, 200));
  if (!isCalledSo || !isRequestPath(path) || path.includes('{')) return [];
  for (const [kind, schema] of bodiesOf(document, operation)) {
    const fields = fieldsOf(document, schema);
    if (fields !== null) return [{ path, kind, ...fields, ...accountIn(document, schema, fields) }];
  }
  return [];
}

type Fields = Pick<LoginRequest, 'inside' | 'user' | 'password'>;

function accountIn(document: Plain, schema: Plain, { inside, user, password }: Fields): Pick<LoginRequest, 'account'> {
  const example = asMap(exampleOf(document, schema));
  const holder = inside === null ? example : asMap(example[inside]);
  const account = { user: textOf(holder[user]), password: textOf(holder[password]) };
  return account.user === '' || account.password === '' ? {} : { account };
}

function fieldsOf(document: Plain, schema: Plain): Fields | null {
  const own = propertiesOf(document, schema);
  const direct = namesIn(own);
  if (direct !== null) return { inside: null, ...direct };
  for (const [name, inner] of own) {
    const nested = namesIn(propertiesOf(document, resolved(document, inner)));
    if (nested !== null) return { inside: name, ...nested };
  }
  return null;
}

function namesIn(properties: readonly [string, unknown][]): { user: string; password: string } | null {
  const names = properties.map(([name]) => name);
  const user = names.find((name) => USER.test(name));
  const password = names.find((name) => PASSWORD.test(name));
  return user === undefined || password === undefined ? null : { user, password };
}
