import type { ApiLogins } from '../../core/detection/api-logins.ts';
import { judgedAnswer, type SeenAnswer } from '../../core/detection/asking/answers.ts';
import type { EndpointCandidate } from '../../core/detection/asking/endpoint-candidate.ts';
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

/** Of those that nobody gets an answer from without a login, so many show whether one has worked. */
const MOST_LOCKED = 2;

interface Locked {
  locked: readonly EndpointCandidate[];
  /** The service asks for HTTP Basic. */
  isBasic: boolean;
}

/**
 * Tries the ways in that documents describe with the accounts that the service was started with, else with one that anybody can make;
 * null where none works.
 */
export async function workingLogin(
  logins: readonly ApiLogins[],
  accounts: readonly Account[],
  { locked, isBasic }: Locked,
  requestsWith: (header: LoggedInWay['header'] | null) => Requests,
): Promise<LoggedInWay | null> {
  const requests = requestsWith(null);
  const working = async (ways: readonly LoggedInWay[]): Promise<LoggedInWay | null> => {
    for (const way of ways) {
      const asking = requestsWith(way.header);
      for (const candidate of locked.slice(0, MOST_LOCKED)) {
        if (typeof judgedAnswer(await asking.seen(candidate)) !== 'string') return way;
      }
    }
    return null;
  };
  for (const attempt of loginAttempts(logins, accounts, isBasic)) {
    const way = await working(await waysOf(attempt, [], logins, requests));
    if (way !== null) return way;
  }
  for (const { registration, from, attempts } of registrationAttempts(logins)) {
    const answer = await stepAnswer(registration, requests);
    if (answer === null) continue;
    const at = { steps: [registration], from, logins };
    const way = await working(shownWays(answer, at));
    if (way !== null) return way;
    for (const attempt of attempts) {
      const behind = await working(await waysOf(attempt, [registration], logins, requests));
      if (behind !== null) return behind;
    }
  }
  return null;
}

type Answered = Extract<SeenAnswer, { status: number }>;

/** Null where it is refused. */
async function stepAnswer({ path, form, body }: LoginStepSign, requests: Requests): Promise<Answered | null> {
  const type = form === null ? 'application/json' : 'application/x-www-form-urlencoded';
  const answer = await requests.seen({
    method: 'POST',
    path,
    headers: { 'content-type': type },
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
  const headers = { 'set-cookie': answer.cookies };
  const whole = { kind: 'answered' as const, status: answer.status, headers, body: new Uint8Array(), wireBytes: 0 };
  const { token } = takenValues(whole, { token: take }).values;
  return token === undefined ? [] : [way(take, token, { name: 'cookie', value: `${cookie}=${TOKEN}` })];
}
