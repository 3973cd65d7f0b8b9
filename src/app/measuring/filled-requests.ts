import { askedByUsers } from '../../core/config/asked-by-users.ts';
import type { AskedEndpoint } from '../../core/config/asked-endpoint.ts';
import type { Case } from '../../core/config/case.ts';
import { generators } from '../../core/generators/registry.ts';
import { whyUnsendable } from '../../core/generators/sendable-requests.ts';
import { UnusableRequests } from '../../core/requests/request-set.ts';
import { RequestValueError, type RequestValues } from '../../core/requests/request-values.ts';
import { GeneratorNotStarted, type GeneratorRunner, type GeneratorRunRequest } from '../ports/generators.ts';
import type { HttpProbe } from '../ports/http-probe.ts';
import type { ValuesByOrigin } from './values-by-origin.ts';

/**
 * The same generators, which are given each request as the testbed that it goes to is asked: with what its login has taken. Everything
 * before them has the written request, and so have plans, journals and records. One that cannot be filled in is a `GeneratorNotStarted`.
 */
export function withFilledRequests(runner: GeneratorRunner, values: ValuesByOrigin): GeneratorRunner {
  const filled = (request: GeneratorRunRequest): GeneratorRunRequest => {
    const { case: testCase, origin } = request;
    try {
      const endpoint = filledEndpoint(testCase.endpoint, origin, values);
      if (endpoint === testCase.endpoint) return request;
      const why = whyNot(testCase, endpoint);
      if (why !== null) throw new GeneratorNotStarted(why);
      return { ...request, case: { ...testCase, endpoint } };
    } catch (error) {
      if (!isUnfillable(error)) throw error;
      throw new GeneratorNotStarted(unfilled(error));
    }
  };
  return {
    version: (name) => runner.version(name),
    run: async (request, signal) => await runner.run(filled(request), signal),
    runTogether: async ([first, second], signal) => await runner.runTogether([filled(first), filled(second)], signal),
  };
}

/** The same of who asks without load; what cannot be filled in is not answered. */
export function withFilledAnswers(probe: HttpProbe, values: ValuesByOrigin): HttpProbe {
  const filled = (endpoint: AskedEndpoint, origin: string): AskedEndpoint | Error => {
    try {
      return filledEndpoint(endpoint, origin, values);
    } catch (error) {
      if (isUnfillable(error)) return error;
      throw error;
    }
  };
  return {
    async ask(origin, service, endpoint, signal) {
      const asked = filled(endpoint, origin);
      if (asked instanceof Error) return { kind: 'failed', message: unfilled(asked) };
      return await probe.ask(origin, service, asked, signal);
    },
    async askInTurn(origin, service, endpoint, count, signal) {
      const asked = filled(endpoint, origin);
      if (asked instanceof Error) return { answers: 0, failures: count, bytes: 0, constantSize: true, connections: 0 };
      return await probe.askInTurn(origin, service, asked, count, signal);
    },
  };
}

/** What a set of requests came to, for as long as its users are logged in: a set may be large, and is asked for again and again. */
const filledSets = new WeakMap<readonly RequestValues[], WeakMap<AskedEndpoint, AskedEndpoint>>();

/** Throws `RequestValueError` and `UnusableRequests`. */
function filledEndpoint(endpoint: AskedEndpoint, origin: string, values: ValuesByOrigin): AskedEndpoint {
  const users = values.at(origin);
  if (users === null) return endpoint;
  const known = filledSets.get(users) ?? new WeakMap();
  filledSets.set(users, known);
  const filled = known.get(endpoint) ?? askedByUsers(endpoint, users);
  known.set(endpoint, filled);
  return filled;
}

/** Why its generator cannot send what the users of a testbed ask for in turn; null where it can. */
function whyNot({ generator, load }: Case, { name, requestSet }: AskedEndpoint): string | null {
  if (requestSet === undefined) return null;
  const definition = generators[generator];
  return whyUnsendable(definition, requestSet, {
    script: definition.load.scriptOf(load),
    what: `The requests of ${name}, by users in turn,`,
  });
}

function isUnfillable(error: unknown): error is Error {
  return error instanceof RequestValueError || error instanceof UnusableRequests;
}

function unfilled({ message }: Error): string {
  return `its request cannot be filled in: ${message}`;
}
