import type { Login, LoginStep } from '../../core/config/login.ts';
import type { Endpoint, Expectation } from '../../core/config/resolved.ts';
import { answerShown } from '../../core/record/answer-shown.ts';
import { filledRequest, type RequestValues } from '../../core/requests/request-values.ts';
import type { Answer } from '../../core/verification/answer.ts';
import { differencesOf } from '../../core/verification/expectation.ts';
import { takenValues } from '../../core/verification/taken-values.ts';
import { lifetimeSeconds } from '../../core/verification/token-lifetime.ts';
import type { Clock } from '../ports/machine.ts';
import { type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';

export interface LoginAdapters extends Pick<MeasuringAdapters, 'probe' | 'bodySearch' | 'clock'> {
  /** Told all values after each step: a failure of the next one may print them. */
  onTaken(values: RequestValues): void;
}

export interface LoggedIn {
  /** Of each user. */
  values: RequestValues[];
  /** The value that is good for the shortest time, and for how long; null where none says. */
  expires: { name: string; seconds: number } | null;
}

/**
 * Makes the steps of a login against a testbed that is up, once for each user. `values` are known before. Rejects with `TestbedError`
 * 'login-failed' where a step is not answered as expected or a value is not in its answer, and with what became of the testbed where
 * that has fallen over.
 */
export async function loggedIn(
  testbed: Testbed,
  login: Login,
  values: RequestValues,
  adapters: LoginAdapters,
  signal: AbortSignal,
  patience: Patience = OF_START,
): Promise<LoggedIn> {
  const users: RequestValues[] = [];
  let expires: LoggedIn['expires'] = null;
  for (let user = 1; user <= (login.users ?? 1); user += 1) {
    let own: RequestValues = { ...values, user: String(user) };
    for (const step of login.steps) {
      const { taken, lifetimes } = await stepTaken(testbed, step, own, adapters, signal, patience);
      own = { ...own, ...taken };
      adapters.onTaken(taken);
      for (const [name, seconds] of lifetimes) {
        if (expires === null || seconds < expires.seconds) expires = { name, seconds };
      }
    }
    const { user: _, ...kept } = own;
    users.push(kept);
  }
  return { values: users, expires };
}

async function stepTaken(
  testbed: Testbed,
  step: LoginStep,
  values: RequestValues,
  adapters: LoginAdapters,
  signal: AbortSignal,
  patience: Patience,
): Promise<{ taken: RequestValues; lifetimes: [string, number][] }> {
  const answer = await answerTo(testbed, step, values, adapters, signal, patience);
  const found = takenValues(answer, step.take);
  if (found.missing.length > 0) {
    const shown = answerShown(answer, [...Object.values(values), ...Object.values(found.values)]);
    throw failed(testbed, step, `${found.missing.join('; ')} (status ${answer.status}, ${shown})`);
  }
  return {
    taken: named(found.values),
    lifetimes: Object.entries(found.values).flatMap(([name, value]): [string, number][] => {
      const seconds = lifetimeSeconds(value, step.take[name]!, answer, nowMs(adapters.clock));
      return seconds === null ? [] : [[`login.${name}`, seconds]];
    }),
  };
}

function named(values: Record<string, string>): RequestValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`login.${name}`, value]));
}

function nowMs(clock: Clock): number {
  return clock.now().getTime();
}

/** The answer that the step expects. */
async function answerTo(
  testbed: Testbed,
  step: LoginStep,
  values: RequestValues,
  { probe, bodySearch, clock }: LoginAdapters,
  signal: AbortSignal,
  { attempts, pauseSeconds }: Patience,
): Promise<Extract<Answer, { kind: 'answered' }>> {
  const endpoint: Endpoint = { ...filledRequest(step.request, values), name: step.name, expect: step.expect ?? ANY };
  const ask = () => probe.ask(testbed.origins.direct!, testbed.service, endpoint, signal);
  let answer = await ask();
  for (let again = 1; again < attempts && isPassing(answer); again += 1) {
    await clock.sleep(pauseSeconds, signal);
    answer = await ask();
  }
  if (answer.kind === 'failed') {
    const fallen = await testbed.failure();
    if (fallen !== null) throw fallen;
    throw failed(testbed, step, answer.message);
  }
  const search = (expression: string, body: string) => bodySearch.search(expression, body, signal);
  const isGood =
    step.expect === null ? answer.status < 400 : (await differencesOf(answer, step.expect, search)).length === 0;
  if (isGood) return answer;
  const wanted = step.expect === null ? 'below 400' : String(step.expect.status);
  const what =
    step.expect === null || answer.status !== step.expect.status
      ? `status ${answer.status} came, and ${wanted} was expected`
      : 'the answer is not what `expect` says';
  const lines = answer.status >= 500 ? await testbed.logLines('service', LOG_LINES) : [];
  throw failed(testbed, step, `${what} (${answerShown(answer, Object.values(values))})`, lines);
}

const LOG_LINES = 10;
/** How often a request is made that fails by itself. */
export interface Patience {
  attempts: number;
  pauseSeconds: number;
}

/** What has just opened its port may not have come as far as its database yet. */
const OF_START: Patience = { attempts: 3, pauseSeconds: 1 };
/** A pool that has lost its connections fails a request on each before it opens a new one. */
export const OF_POOL: Patience = { attempts: 100, pauseSeconds: 0.1 };

function isPassing(answer: Answer): boolean {
  return answer.kind === 'failed' || answer.status >= 500;
}

/** Only its form is needed by who asks; a step without an expectation is judged by its status alone. */
const ANY: Expectation = { status: 200, contentType: null, body: null, sizeBytes: null, matches: null };

/** The request is told as the spec writes it: what is filled in is nobody's to read. */
function failed({ service }: Testbed, { name, request }: LoginStep, what: string, lines: string[] = []): TestbedError {
  const asked = `${request.method} ${service.basePath}${request.path}`;
  return new TestbedError(
    'login-failed',
    `The login failed at step ${name}, ${asked}: ${what}. Correct \`login\` in the spec, or what the application has by then.`,
    lines,
  );
}
