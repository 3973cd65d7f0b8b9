import { filledRequest, RequestValueError } from '../../core/config/request-values.ts';
import type { Endpoint } from '../../core/config/resolved.ts';
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
      if (!(error instanceof RequestValueError)) throw error;
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
  const filled = (endpoint: Endpoint, origin: string): Endpoint | RequestValueError => {
    try {
      return filledEndpoint(endpoint, origin, values);
    } catch (error) {
      if (error instanceof RequestValueError) return error;
      throw error;
    }
  };
  return {
    async ask(origin, service, endpoint, signal) {
      const asked = filled(endpoint, origin);
      if (asked instanceof RequestValueError) return { kind: 'failed', message: unfilled(asked) };
      return await probe.ask(origin, service, asked, signal);
    },
    async askInTurn(origin, service, endpoint, count, signal) {
      const asked = filled(endpoint, origin);
      if (asked instanceof RequestValueError) return { answers: 0, failures: count, bytes: 0, constantSize: true };
      return await probe.askInTurn(origin, service, asked, count, signal);
    },
  };
}

/** Throws `RequestValueError`. */
function filledEndpoint(endpoint: Endpoint, origin: string, values: ValuesByOrigin): Endpoint {
  const [first] = values.at(origin) ?? [];
  return first === undefined ? endpoint : filledRequest(endpoint, first);
}

function unfilled({ message }: RequestValueError): string {
  return `its request cannot be filled in: ${message}`;
}
