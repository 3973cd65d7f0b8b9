import type { ApiLogins } from '../../core/detection/api-logins.ts';
import { judgedAnswer } from '../../core/detection/asking/answers.ts';
import type { EndpointCandidate } from '../../core/detection/asking/endpoint-candidate.ts';
import {
  type Account,
  type LoginAttempt,
  type LoginSign,
  loginAttempts,
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

/** Tries the ways in that documents describe, with the accounts that the service was started with; null where none works. */
export async function workingLogin(
  logins: readonly ApiLogins[],
  accounts: readonly Account[],
  { locked, isBasic }: { locked: readonly EndpointCandidate[]; isBasic: boolean },
  requestsWith: (header: LoggedInWay['header'] | null) => Requests,
): Promise<LoggedInWay | null> {
  for (const attempt of loginAttempts(logins, accounts, isBasic)) {
    for (const way of await waysOf(attempt, logins, requestsWith(null))) {
      const requests = requestsWith(way.header);
      for (const candidate of locked.slice(0, MOST_LOCKED)) {
        if (typeof judgedAnswer(await requests.seen(candidate)) !== 'string') return way;
      }
    }
  }
  return null;
}

/** What an attempt gives to show with every request; nothing where it is refused. */
async function waysOf(attempt: LoginAttempt, logins: readonly ApiLogins[], requests: Requests): Promise<LoggedInWay[]> {
  const { request, header, from } = attempt;
  if (request === null) return [{ sign: { request, take: null, header: header!, from }, header: header! }];
  const isForm = request.form !== null;
  const answer = await requests.seen({
    method: 'POST',
    path: request.path,
    headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: isForm ? formBody(request.form!) : request.body,
  });
  if ('failure' in answer || answer.status >= 400) return [];
  const way = (take: string, token: string, shown: LoginSign['header']): LoggedInWay => ({
    sign: { request, take, header: shown, from },
    header: { name: shown.name, value: shown.value.replace(TOKEN, () => token) },
  });
  const found = tokenIn(answer.body);
  if (found !== null) return tokenHeaders(logins).map((shown) => way(found.take, found.token, shown));
  const cookie = sessionCookieIn(answer.cookies);
  if (cookie === null) return [];
  const take = `cookie:${cookie}`;
  const { values } = takenValues(
    {
      kind: 'answered',
      status: answer.status,
      headers: { 'set-cookie': answer.cookies },
      body: new Uint8Array(),
      wireBytes: 0,
    },
    { token: take },
  );
  return values.token === undefined ? [] : [way(take, values.token, { name: 'cookie', value: `${cookie}=${TOKEN}` })];
}
