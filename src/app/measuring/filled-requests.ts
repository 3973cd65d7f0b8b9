import { askedByUsers } from '../../core/config/asked-by-users.ts';
import type { AskedEndpoint } from '../../core/config/asked-endpoint.ts';
import { UnusableRequests } from '../../core/requests/request-set.ts';
import { RequestValueError, type RequestValues } from '../../core/requests/request-values.ts';
import { GeneratorNotStarted, type GeneratorRunner, type GeneratorRunRequest } from '../ports/generators.ts';
import type { HttpProbe } from '../ports/http-probe.ts';
import type { ValuesByOrigin } from './values-by-origin.ts';

/**
 * The same generators, which are given each request as the testbed that it goes to is asked: with what its login has taken. Everything
 * before them has the written request, and so have plans, journals and records. One that cannot be filled in is a `GeneratorNotStarted`.
 */
export function withFilledRequests(generators: GeneratorRunner, values: ValuesByOrigin): GeneratorRunner {
  const filled = (request: GeneratorRunRequest): GeneratorRunRequest => {
    const { case: testCase, origin } = request;
    try {
      const endpoint = filledEndpoint(testCase.endpoint, origin, values);
      return endpoint === testCase.endpoint ? request : { ...request, case: { ...testCase, endpoint } };
    } catch (error) {
      if (!isUnfilled(error)) throw error;
      throw new GeneratorNotStarted(unfilled(error));
    }
  };
  return {
    version: (name) => generators.version(name),
    run: async (request, signal) => await generators.run(filled(request), signal),
    runTogether: async ([first, second], signal) =>
      await generators.runTogether([filled(first), filled(second)], signal),
  };
}

/** The same of who asks without load; what cannot be filled in is not answered. */
export function withFilledAnswers(probe: HttpProbe, values: ValuesByOrigin): HttpProbe {
  const filled = (endpoint: AskedEndpoint, origin: string): AskedEndpoint | UnfilledError => {
    try {
      return filledEndpoint(endpoint, origin, values);
    } catch (error) {
      if (isUnfilled(error)) return error;
      throw error;
    }
  };
  return {
    async ask(origin, service, endpoint, signal) {
      const asked = filled(endpoint, origin);
      if (isUnfilled(asked)) return { kind: 'failed', message: unfilled(asked) };
      return await probe.ask(origin, service, asked, signal);
    },
    async askInTurn(origin, service, endpoint, count, signal) {
      const asked = filled(endpoint, origin);
      if (isUnfilled(asked)) return { answers: 0, failures: count, bytes: 0, constantSize: true };
      return await probe.askInTurn(origin, service, asked, count, signal);
    },
  };
}

type UnfilledError = RequestValueError | UnusableRequests;

function isUnfilled(error: unknown): error is UnfilledError {
  return error instanceof RequestValueError || error instanceof UnusableRequests;
}

/** What each of many requests is filled in with is the same for all trials of a start. */
const made = new WeakMap<AskedEndpoint, { users: readonly RequestValues[]; asked: AskedEndpoint }>();

/** Throws `RequestValueError` and `UnusableRequests`. */
function filledEndpoint(endpoint: AskedEndpoint, origin: string, values: ValuesByOrigin): AskedEndpoint {
  const users = values.at(origin);
  if (users === null) return endpoint;
  const known = made.get(endpoint);
  if (known?.users === users) return known.asked;
  const asked = askedByUsers(endpoint, users);
  made.set(endpoint, { users, asked });
  return asked;
}

function unfilled({ message }: UnfilledError): string {
  return `its request cannot be filled in: ${message}`;
}
