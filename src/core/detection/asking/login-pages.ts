import { isRequestPath } from '../files.ts';
import type { Account, LoginStepSign } from './logins.ts';

/** The form of a page for logging in. */
export interface LoginPage {
  path: string;
  user: string;
  password: string;
  /** Its hidden value is that of a cookie, as Django has it. */
  hasCsrfCookie: boolean;
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
export function loginPageIn(path: string, page: string): LoginPage | null {
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
  const hasCsrfCookie = secrets.some(({ name }) => name === CSRF_FIELD);
  if (secrets.length > (hasCsrfCookie ? 1 : 0)) return null;
  return { path, user: user.name, password: password.name, hasCsrfCookie };
}

function attribute(text: string, name: string): string {
  return new RegExp(`\\b${name}\\s*=\\s*["']?([^"'\\s>]{0,100})`, 'i').exec(text)?.[1] ?? '';
}

function isField(name: string): boolean {
  return /^[\w.[\]-]{1,64}$/.test(name);
}

const CSRF_FIELD = 'csrfmiddlewaretoken';
const CSRF_COOKIE = 'csrftoken';

/** What is asked for to log in by a page. */
export function pageSteps({ path, user, password, hasCsrfCookie }: LoginPage, account: Account): LoginStepSign[] {
  const form = { [user]: account.user, [password]: account.password };
  if (!hasCsrfCookie) return [{ path, form, body: null }];
  const csrf = '${login.csrf}';
  return [
    { path, form: null, body: null, take: { csrf: `cookie:${CSRF_COOKIE}` } },
    { path, form: { ...form, [CSRF_FIELD]: csrf }, body: null, cookie: `${CSRF_COOKIE}=${csrf}` },
  ];
}
