import { isRequestPath } from '../files.ts';
import type { Account, LoginStepSign } from './logins.ts';

/** The form of a page for logging in. */
export interface LoginPage {
  path: string;
  user: string;
  password: string;
  /** Cookie whose value its hidden field repeats, as Django has it; null where it has no such field. */
  csrfCookie: string | null;
}

const LONGEST_PAGE = 500_000;

/** Path of a page that an answer sends to; null where that is elsewhere. */
export function loginPagePath(location: string): string | null {
  const path = location
    .slice(0, 2_000)
    .replace(/^https?:\/\/[^/?#]*/, '')
    .split(/[?#]/)[0]!;
  return isRequestPath(path) ? path : null;
}

/** Null where a page has no such form, or one with a hidden value that only the page knows. */
export function loginPageIn(path: string, page: string, setCookie: string): LoginPage | null {
  const inputs = [...page.slice(0, LONGEST_PAGE).matchAll(/<input\b([^>]{0,1000})>/gi)]
    .slice(0, 50)
    .map(([, text]) => ({
      name: attribute(text!, 'name'),
      type: attribute(text!, 'type').toLowerCase(),
    }));
  const password = inputs.find(({ type, name }) => type === 'password' && isField(name));
  const user = inputs.find(({ type, name }) => ['', 'text', 'email'].includes(type) && isField(name));
  if (password === undefined || user === undefined) return null;
  const secrets = inputs.filter(({ type, name }) => type === 'hidden' && /csrf|token|xsrf/i.test(name));
  const hasField = secrets.some(({ name }) => name === CSRF_FIELD);
  const csrfCookie = hasField ? (CSRF_COOKIE.exec(setCookie.slice(0, LONGEST_PAGE))?.[1] ?? null) : null;
  if (secrets.length > (csrfCookie === null ? 0 : 1)) return null;
  return { path, user: user.name, password: password.name, csrfCookie };
}

function attribute(text: string, name: string): string {
  return new RegExp(`\\b${name}\\s*=\\s*["']?([^"'\\s>]{0,100})`, 'i').exec(text)?.[1] ?? '';
}

function isField(name: string): boolean {
  return /^[\w.[\]-]{1,64}$/.test(name);
}

const CSRF_FIELD = 'csrfmiddlewaretoken';
/** Called `csrftoken` where nobody has called it otherwise. */
const CSRF_COOKIE = /(?:^|,)\s*([\w.-]{0,60}csrf[\w.-]{0,20})=[^;,\s]/i;

/** What is asked for to log in by a page. */
export function pageSteps({ path, user, password, csrfCookie }: LoginPage, account: Account): LoginStepSign[] {
  const form = { [user]: account.user, [password]: account.password };
  if (csrfCookie === null) return [{ path, form, body: null }];
  const csrf = '${login.csrf}';
  return [
    { path, form: null, body: null, take: { csrf: `cookie:${csrfCookie}` } },
    { path, form: { ...form, [CSRF_FIELD]: csrf }, body: null, cookie: `${csrfCookie}=${csrf}` },
  ];
}
