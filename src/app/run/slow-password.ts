import { judgedAnswer } from '../../core/detection/asking/answers.ts';
import type { AskedCandidate, EndpointCandidate } from '../../core/detection/asking/endpoint-candidate.ts';
import { keyHeaders, type LoginStepSign, TOKEN, tokenIn } from '../../core/detection/asking/logins.ts';
import type { LeftOut } from '../../core/detection/files.ts';
import type { MeasuringAdapters } from '../measuring/adapters.ts';
import type { LoggedInWay } from './asked-logins.ts';
import type { Requests } from './asked-requests.ts';

/** A password that is checked so long for each request hides most of what a request costs beside it. */
const SLOW_PASSWORD_MS = 20;
/** More wrong passwords might lock the account. */
const WRONG_PASSWORDS = 2;
/** Each makes something. */
const MOST_KEYS = 3;

type RequestsWith = (header: LoggedInWay['header'] | null) => Requests;

/**
 * With HTTP Basic many services hash the password for each request. Resolves to another way in where that is much: a key that the service
 * gives to whoever asks for one at one of these paths, else the same way, with what to write in its place. Rejects as `seen` does.
 */
export async function withoutSlowPassword(
  login: LoggedInWay | null,
  { asked, keyPaths }: { asked: readonly AskedCandidate[]; keyPaths: readonly string[] },
  requestsWith: RequestsWith,
  clock: Pick<MeasuringAdapters['clock'], 'monotonicNs'>,
): Promise<{ login: LoggedInWay | null; leftOut: LeftOut[] }> {
  const locked = asked.find(({ outcome }) => outcome === 'login')?.candidate;
  const account = login === null ? null : basicAccount(login.header.value);
  if (locked === undefined || account === null) return { login, leftOut: [] };
  const leastMs = async (header: LoggedInWay['header'] | null): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let time = 0; time < WRONG_PASSWORDS; time += 1) {
      const startedNs = clock.monotonicNs();
      await requestsWith(header).seen(locked);
      least = Math.min(least, (clock.monotonicNs() - startedNs) / 1e6);
    }
    return least;
  };
  const wrong = { name: login!.header.name, value: `Basic ${btoa(`${account}:not-the-password`)}` };
  const ms = (await leastMs(wrong)) - (await leastMs(null));
  if (ms < SLOW_PASSWORD_MS) return { login, leftOut: [] };
  const keyed = await withKey(login!, locked, keyPaths, requestsWith);
  if (keyed !== null) return { login: keyed, leftOut: [] };
  const why = `the service checks the password of HTTP Basic in each request, which takes about ${Math.round(ms)} ms: little else is seen beside that`;
  return { login, leftOut: [{ what: 'a token in place of the password', why }] };
}

async function withKey(
  { sign, header }: LoggedInWay,
  locked: EndpointCandidate,
  keyPaths: readonly string[],
  requestsWith: RequestsWith,
): Promise<LoggedInWay | null> {
  const body = JSON.stringify({ name: 'wrkbench', description: 'wrkbench' });
  for (const path of keyPaths.slice(0, MOST_KEYS)) {
    const headers = { 'content-type': 'application/json' };
    const answer = await requestsWith(header).seen({ method: 'POST', path, headers, body });
    const found = 'failure' in answer || answer.status >= 300 ? null : tokenIn(answer.body);
    if (found === null) continue;
    const step: LoginStepSign = { path, form: null, body, headers: { [header.name]: header.value } };
    for (const shown of keyHeaders) {
      const own = { name: shown.name, value: shown.value.replace(TOKEN, () => found.token) };
      if (typeof judgedAnswer(await requestsWith(own).seen(locked)) === 'string') continue;
      return { sign: { steps: [step], take: found.take, header: shown, from: sign.from }, header: own };
    }
  }
  return null;
}

/** Name of whoever a header of HTTP Basic shows; null where it is another header. */
function basicAccount(header: string): string | null {
  const [, encoded] = /^Basic (\S+)$/.exec(header) ?? [];
  return encoded === undefined ? null : atob(encoded).split(':')[0]!;
}
