import type { ApiLogins } from '../../core/detection/api-logins.ts';
import { judgedAnswer, type SeenAnswer } from '../../core/detection/asking/answers.ts';
import { type EndpointCandidate, isOfAnApi, readingCandidate } from '../../core/detection/asking/endpoint-candidate.ts';
import { type LoginPage, loginPageIn, loginPagePath, pageSteps } from '../../core/detection/asking/login-pages.ts';
import {
  type Account,
  type LoginAttempt,
  type LoginSign,
  type LoginStepSign,
  loginAttempts,
  registrationAttempts,
  sessionCookieIn,
  TOKEN,
  tokenHeaders,
  tokenIn,
} from '../../core/detection/asking/logins.ts';
import { formBody } from '../../core/requests/content/form.ts';
import { takenValues } from '../../core/verification/taken-values.ts';
import type { Requests } from './asked-requests.ts';

/** A way in that was seen to work. */
export interface LoggedInWay {
  sign: LoginSign;
  /** As it is sent now. */
  header: { name: string; value: string };
}

interface Locked {
  locked: readonly EndpointCandidate[];
  /** What the first of them is answered without a login. */
  first: SeenAnswer;
}

/**
 * Tries the ways in that documents describe with the accounts that the service was started with, else with one that anybody can make;
 * null where none works.
 */
export async function workingLogin(
  logins: readonly ApiLogins[],
  accounts: readonly Account[],
  { locked, first }: Locked,
  requestsWith: (header: LoggedInWay['header'] | null) => Requests,
): Promise<LoggedInWay | null> {
  const requests = requestsWith(null);
  const working = async (ways: readonly LoggedInWay[]): Promise<LoggedInWay | null> => {
    for (const way of ways) {
      const asking = requestsWith(way.header);
      for (const candidate of ofEachKind(locked)) {
        if (typeof judgedAnswer(await asking.seen(candidate)) !== 'string') return way;
      }
    }
    return null;
  };
  const isBasic = !('failure' in first) && /^basic\b/i.test(first.challenge);
  for (const attempt of loginAttempts(logins, accounts, isBasic)) {
    const way = await working(await waysOf(attempt, [], logins, requests));
    if (way !== null) return way;
  }
  const page = await loginPageOf({ locked, first }, requests);
  for (const account of page === null ? [] : accounts) {
    const way = await working(await pageWays(page!, account, requests));
    if (way !== null) return way;
  }
  for (const { registration, from, attempts } of registrationAttempts(logins)) {
    const answer = await stepAnswer(registration, requests);
    if (answer === null) continue;
    // Whoever logs in after it can do that once more, when the account was made before anything is measured.
    for (const attempt of attempts) {
      const behind = await working(await waysOf(attempt, [registration], logins, requests));
      if (behind !== null) return behind;
    }
    const way = await working(shownWays(answer, { steps: [registration], from, logins }));
    if (way !== null) return way;
  }
  return null;
}

/** One of an API and one of the pages: what lets into the one may not let into the other, and only pages show a form. */
function ofEachKind(locked: readonly EndpointCandidate[]): EndpointCandidate[] {
  const other = locked.find(({ path }) => isOfAnApi(path) !== isOfAnApi(locked[0]!.path));
  return other === undefined ? locked.slice(0, 2) : [locked[0]!, other];
}

/** The page that shows itself in place of what was asked for, or that an answer sends to. */
async function loginPageOf({ locked, first }: Locked, requests: Requests): Promise<LoginPage | null> {
  for (const [index, candidate] of ofEachKind(locked).entries()) {
    const page = await pageFrom(candidate, index === 0 ? first : await requests.seen(candidate), requests);
    if (page !== null) return page;
  }
  return null;
}

async function pageFrom({ path }: EndpointCandidate, first: SeenAnswer, requests: Requests): Promise<LoginPage | null> {
  if ('failure' in first) return null;
  if (first.status < 300) return loginPageIn(path.split('?')[0]!, first.body, first.cookies);
  let answer = first;
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    const own = answer.location === '' ? null : loginPagePath(answer.location);
    if (own === null) return null;
    const next = await requests.seen(readingCandidate(own, ''));
    if ('failure' in next) return null;
    if (next.status < 300) return loginPageIn(own, next.body, next.cookies);
    answer = next;
  }
  return null;
}

/** To the page, and to its own address with a slash at its end. */
const MOST_HOPS = 3;

async function pageWays(page: LoginPage, account: Account, requests: Requests): Promise<LoggedInWay[]> {
  const steps = pageSteps(page, account);
  let taken: Record<string, string> = {};
  let answer: Answered | null = null;
  for (const step of steps) {
    answer = await stepAnswer(filled(step, taken), requests);
    if (answer === null) return [];
    taken = { ...taken, ...takenFrom(answer, step.take ?? {}) };
  }
  return shownWays(answer!, { steps, from: account.from, logins: [] });
}

function filled(step: LoginStepSign, taken: Readonly<Record<string, string>>): LoginStepSign {
  const fill = (text: string) =>
    Object.entries(taken).reduce((all, [name, value]) => all.replaceAll(`\${login.${name}}`, () => value), text);
  const { form, cookie, ...rest } = step;
  return {
    ...rest,
    form: form === null ? null : Object.fromEntries(Object.entries(form).map(([name, value]) => [name, fill(value)])),
    ...(cookie === undefined ? {} : { cookie: fill(cookie) }),
  };
}

function takenFrom({ status, cookies }: Answered, take: Readonly<Record<string, string>>): Record<string, string> {
  const headers = { 'set-cookie': cookies };
  return takenValues({ kind: 'answered', status, headers, body: new Uint8Array(), wireBytes: 0 }, take).values;
}

type Answered = Extract<SeenAnswer, { status: number }>;

/** Null where it is refused. */
async function stepAnswer({ path, form, body, cookie }: LoginStepSign, requests: Requests): Promise<Answered | null> {
  const type = form === null ? 'application/json' : 'application/x-www-form-urlencoded';
  const isRead = form === null && body === null;
  const answer = await requests.seen({
    method: isRead ? 'GET' : 'POST',
    path,
    headers: { ...(isRead ? {} : { 'content-type': type }), ...(cookie === undefined ? {} : { cookie }) },
    body: form === null ? body : formBody(form),
  });
  return 'failure' in answer || answer.status >= 400 ? null : answer;
}

/** What an attempt gives to show with every request; nothing where it is refused. */
async function waysOf(
  { step, header, from }: LoginAttempt,
  before: readonly LoginStepSign[],
  logins: readonly ApiLogins[],
  requests: Requests,
): Promise<LoggedInWay[]> {
  if (step === null) return [{ sign: { steps: [], take: null, header: header!, from }, header: header! }];
  const answer = await stepAnswer(step, requests);
  return answer === null ? [] : shownWays(answer, { steps: [...before, step], from, logins });
}

/** The token or the cookie of an answer, in each way in which it may be shown. */
function shownWays(
  answer: Answered,
  { steps, from, logins }: { steps: LoginStepSign[]; from: string; logins: readonly ApiLogins[] },
): LoggedInWay[] {
  const way = (take: string, token: string, shown: LoginSign['header']): LoggedInWay => ({
    sign: { steps, take, header: shown, from },
    header: { name: shown.name, value: shown.value.replace(TOKEN, () => token) },
  });
  const found = tokenIn(answer.body);
  if (found !== null) return tokenHeaders(logins).map((shown) => way(found.take, found.token, shown));
  const cookie = sessionCookieIn(answer.cookies);
  if (cookie === null) return [];
  const take = `cookie:${cookie}`;
  const { token } = takenFrom(answer, { token: take });
  return token === undefined ? [] : [way(take, token, { name: 'cookie', value: `${cookie}=${TOKEN}` })];
}
