import type { ApiLogins, LoginRequest } from '../api-logins.ts';
import type { RegistrationRequest } from '../api-registrations.ts';
import { asMap } from '../files.ts';
import { parsed } from './answers.ts';

/** Name and password that a service is started with. */
export interface Account {
  user: string;
  password: string;
  /** Variable that has the name. */
  from: string;
}

/** One request of a login: a POST with a form or a body, a GET with neither. */
export interface LoginStepSign {
  path: string;
  form: Record<string, string> | null;
  body: string | null;
  cookie?: string;
  /** Besides those of its content. */
  headers?: Record<string, string>;
  /** What it gives to those after it; that of the last one is the login's own. */
  take?: Record<string, string>;
}

/** What a spec's `login` asks for, and the header by which its endpoints show who they are. */
export interface LoginSign {
  /** None where the header needs no request before it. */
  steps: LoginStepSign[];
  /** Of `${login.token}` in the last answer. */
  take: string | null;
  /** With `${login.token}` in it. */
  header: { name: string; value: string };
  from: string;
}

/** A way in before it is tried: one of both. */
export interface LoginAttempt {
  from: string;
  step: LoginStepSign | null;
  /** Header without a request, as HTTP Basic has it. */
  header: LoginSign['header'] | null;
}

const MOST_ATTEMPTS = 8;
const PASSWORD =
  /^(.*(?:ADMIN|SUPERUSER|ROOT_USER|FIRST_USER|INITIAL_USER|DEFAULT_USER|OWNER).*?)_(?:PASSWORD|PASSWD|PASS)$/i;

/** Of the people that a service makes at its start; those of its database are none. */
export function accountsIn(env: Readonly<Record<string, string>>): Account[] {
  return Object.entries(env).flatMap(([name, password]) => {
    const stem = PASSWORD.exec(name)?.[1];
    if (stem === undefined || password === '' || password.includes('${')) return [];
    const users = [
      `${stem}_USERNAME`,
      `${stem}_USER`,
      `${stem}_NAME`,
      `${stem}_LOGIN`,
      stem,
      `${stem}_EMAIL`,
      `${stem}_MAIL`,
    ];
    return users.flatMap((each) => {
      const user = env[each];
      return user === undefined || user === '' || user.includes('${') ? [] : [{ user, password, from: each }];
    });
  });
}

/** Each way in with each account, those that a document describes first. */
export function loginAttempts(
  logins: readonly ApiLogins[],
  accounts: readonly Account[],
  isBasic: boolean,
): LoginAttempt[] {
  const asked = logins.flatMap(({ requests }) =>
    requests.flatMap((request) =>
      [...accounts, ...shownAccounts(request)].map((account) => attemptOf(request, account)),
    ),
  );
  const basic = isBasic || logins.some((each) => each.basic) ? accounts.flatMap(basicAttempt) : [];
  return [...asked, ...basic].slice(0, MOST_ATTEMPTS);
}

/** Whom the example of a login lets in, where somebody has filled it in. */
function shownAccounts({ path, account }: LoginRequest): Account[] {
  return account === undefined ? [] : [{ ...account, from: `the example of POST ${path}` }];
}

function attemptOf({ path, kind, inside, user, password }: LoginRequest, account: Account): LoginAttempt {
  const fields = { [user]: account.user, [password]: account.password };
  const form = kind === 'json' ? null : kind === 'oauth2' ? { grant_type: 'password', ...fields } : fields;
  const body = kind === 'json' ? JSON.stringify(inside === null ? fields : { [inside]: fields }) : null;
  return { from: account.from, step: { path, form, body }, header: null };
}

/** What makes an account, and the ways in with it. */
export function registrationAttempts(
  logins: readonly ApiLogins[],
): { registration: LoginStepSign; from: string; attempts: LoginAttempt[] }[] {
  return logins.flatMap(({ registrations, requests }) =>
    registrations.map((registration) => {
      const from = `POST ${registration.path}`;
      const attempts = requests.flatMap((request) =>
        namesFor(request, registration).map((user) =>
          attemptOf(request, { user, password: registration.password, from }),
        ),
      );
      return { registration: registrationStep(registration), from, attempts };
    }),
  );
}

/** Of who was registered, those that a login may ask for: OAuth2 calls an address `username` too. */
function namesFor({ user: field }: LoginRequest, { fields, user, email }: RegistrationRequest): string[] {
  const told = JSON.stringify(fields);
  const known = (/mail/i.test(field) ? [email, user] : [user, email]).filter((name) => told.includes(`"${name}"`));
  return known.length === 0 ? [user] : known;
}

function registrationStep({ path, kind, fields }: RegistrationRequest): LoginStepSign {
  const texts = () => Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  return kind === 'form' ? { path, form: texts(), body: null } : { path, form: null, body: JSON.stringify(fields) };
}

function basicAttempt({ user, password, from }: Account): LoginAttempt[] {
  if (!/^[ -~]*$/.test(user + password) || user.includes(':')) return [];
  return [{ from, step: null, header: { name: 'authorization', value: `Basic ${btoa(`${user}:${password}`)}` } }];
}

const TOKENS = /^(?:access_?token|token|auth_?token|id_?token|jwt|key|session_?token)$/i;

/** Where an answer to a login has its token, and the token; null where it has none. */
export function tokenIn(body: string): { take: string; token: string } | null {
  const json = parsed(body);
  if (typeof json === 'string' && isToken(json)) return { take: '$', token: json };
  const found = tokenOf(asMap(json), '$', 0);
  return found ?? null;
}

function tokenOf(map: Record<string, unknown>, path: string, depth: number): { take: string; token: string } | null {
  const names = Object.keys(map)
    .filter((name) => /^[A-Za-z_]\w{0,60}$/.test(name))
    .slice(0, 50);
  for (const name of [...names].sort((a, b) => Number(/access/i.test(b)) - Number(/access/i.test(a)))) {
    const value = map[name];
    if (TOKENS.test(name) && isToken(value)) return { take: `${path}.${name}`, token: value };
  }
  if (depth === 2) return null;
  for (const name of names) {
    const found = tokenOf(asMap(map[name]), `${path}.${name}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Name of the cookie that a login is known by from then on; null where an answer sets none. */
export function sessionCookieIn(setCookie: string): string | null {
  const names = [...setCookie.slice(0, 16_000).matchAll(/(?:^|,)\s*([\w.-]{1,64})=[^;,\s]{8,}/g)].map(
    ([, name]) => name!,
  );
  const isTelling = (name: string) => /sess|sid|auth|token|jwt/i.test(name) && !/csrf|xsrf/i.test(name);
  return names.find(isTelling) ?? names.find((name) => OF_FRAMEWORK.test(name)) ?? null;
}

/** Of sessions that nobody has called otherwise: actix-session and tower-sessions, ASP.NET. */
const OF_FRAMEWORK = /^(?:id|\.AspNetCore\.(?:Cookies|Identity\.Application))$/;

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{8,8000}$/.test(value);
}

/** The ways in which a token is shown, as `${login.token}`; the usual one first. */
export function tokenHeaders(logins: readonly ApiLogins[]): LoginSign['header'][] {
  const own = logins.flatMap(({ header }) => (header === null ? [] : [{ name: header, value: TOKEN }]));
  return [
    { name: 'authorization', value: `Bearer ${TOKEN}` },
    { name: 'authorization', value: `Token ${TOKEN}` },
    ...own,
    { name: 'authorization', value: TOKEN },
  ];
}

export const TOKEN = '${login.token}';

/** The ways in which a key of an API is shown that was made for a program. */
export const keyHeaders: readonly LoginSign['header'][] = [
  { name: 'x-auth-token', value: TOKEN },
  { name: 'x-api-key', value: TOKEN },
  ...tokenHeaders([]),
];

const KEYS = /\/(?:api[-_]?keys?|apikeys?|(?:api|access|personal[-_]access|auth)[-_]?tokens?|tokens)\/?$/i;

/** Paths of which one may give a key to whoever posts to it. */
export function keyPathsAmong(posted: readonly string[]): string[] {
  return [...new Set(posted.filter((path) => KEYS.test(path) && !/[{}]/.test(path)))];
}
