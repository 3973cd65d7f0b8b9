import { isUnread } from '../../core/config/asked-endpoint.ts';
import { buildSecretsOf, builtWithVariables } from '../../core/config/build-secrets.ts';
import {
  asRequestValues,
  missingVariablesText,
  specWithVariables,
  variablesOf,
  withVariables,
} from '../../core/config/caller-variables.ts';
import { casesOf } from '../../core/config/case.ts';
import type { ResolvedSpec } from '../../core/config/resolved.ts';
import { readingEndpoints } from '../../core/config/writes.ts';
import { plannedRound } from '../../core/plan/duets.ts';
import { serviceEstimate } from '../../core/plan/estimate.ts';
import { filledRequest, isOfLogin, type RequestValues, valuesOfRequest } from '../../core/requests/request-values.ts';
import { isServed } from '../../core/verification/expectation.ts';
import type { CallerVariables } from '../ports/caller-variables.ts';
import type { Progress } from '../ports/progress.ts';
import { type Testbed, TestbedError, type TestbedRequest, type TestbedRuntime } from '../ports/testbed.ts';
import { type LoggedIn, type LoginAdapters, loggedIn, OF_POOL, type Patience } from './login.ts';
import type { ValuesByOrigin } from './values-by-origin.ts';

export interface LoggedInAdapters extends Omit<LoginAdapters, 'onTaken'> {
  variables: CallerVariables;
  progress: Pick<Progress, 'warn'>;
}

/**
 * The same runtime, whose testbeds are up once the login of their spec is made: `values` then has what that took, and the caller's
 * variables, for as long as they stand. A spec without either is none of its business. `start` rejects with `TestbedError`
 * 'variable-missing' before anything is started, and with 'login-failed' once all of the testbed is gone again.
 */
export function withLogin(runtime: TestbedRuntime, values: ValuesByOrigin, adapters: LoggedInAdapters): TestbedRuntime {
  const warned = new Set<string>();
  return {
    ...runtime,
    async prepare(request, signal) {
      if (buildSecretsOf(request.spec).length === 0) return await runtime.prepare(request, signal);
      try {
        const spec = builtWithVariables(request.spec, variableValues(request.spec, adapters.variables));
        const services = request.services.map(
          (service) => spec.services.find(({ name }) => name === service.name) ?? service,
        );
        return await runtime.prepare({ ...request, spec, services }, signal);
      } catch (error) {
        if (!(error instanceof TestbedError) || error.code !== 'variable-missing') throw error;
        return request.services.map(({ name }) => ({ service: name, artifact: '', failure: error }));
      }
    },
    async start(request, signal) {
      const { spec, service, variant } = request;
      const variables = variableValues(spec, adapters.variables);
      const testbed = await runtime.start(withVariablesOf(request, variables), signal);
      const before = { ...variables, ...testbed.values };
      if (spec.login === undefined && Object.keys(before).length === 0) return testbed;
      let users: readonly RequestValues[] = [];
      const logIn = async (linked: AbortSignal, patience?: Patience) => {
        const onTaken = (taken: RequestValues) => values.learn(taken);
        if (spec.login !== undefined) request.onActivity?.({ kind: 'login' });
        const found = await valuesOn(testbed, spec, before, { ...adapters, onTaken }, linked, patience).finally(() =>
          request.onActivity?.(null),
        );
        users = found.values;
        values.set(testbed, users);
        // Who has logged in may be in the data: that is no change of theirs.
        if (spec.login !== undefined) await testbed.rememberData?.();
        return found;
      };
      try {
        const found = await logIn(signal);
        const about = `${service.name} ${variant}`;
        // Each start says the same.
        if (!warned.has(about)) for (const warning of expiryWarning(found, request)) adapters.progress.warn(warning);
        warned.add(about);
        return {
          ...testbed,
          // As it is written: what was filled in is nobody's to read.
          service,
          ...(testbed.restoreData === undefined || spec.login === undefined
            ? {}
            : {
                restoreData: restoredWithLogin(testbed, {
                  logIn: async (linked) => void (await logIn(linked, OF_POOL)),
                  isServed: (linked) => isServedTo(users[0] ?? {}, testbed, spec, adapters, linked),
                }),
              }),
          async stop() {
            values.forget(testbed, users);
            await testbed.stop();
          },
        };
      } catch (error) {
        await testbed.stop();
        throw error;
      }
    },
  };
}

interface AfterRestoring {
  logIn(signal: AbortSignal): Promise<void>;
  /** Whether what is behind the login is answered. */
  isServed(signal: AbortSignal): Promise<boolean>;
}

/**
 * The data that are put back are from before anybody had logged in. What is behind the login may need what nothing else does, such as
 * the sessions in Redis: a service that never opens its connection to that again is started anew.
 */
function restoredWithLogin(testbed: Testbed, { logIn, isServed }: AfterRestoring): NonNullable<Testbed['restoreData']> {
  let isInVain = false;
  const goesOn = async (signal: AbortSignal) => {
    try {
      await logIn(signal);
    } catch (error) {
      if (error instanceof TestbedError && error.code === 'login-failed') return false;
      throw error;
    }
    return isInVain || (await isServed(signal));
  };
  return async (signal) => {
    const restored = await testbed.restoreData!(signal);
    if (restored.serviceRestarted) {
      await logIn(signal);
      return restored;
    }
    if (await goesOn(signal)) return restored;
    await testbed.restartService!(signal);
    await logIn(signal);
    // What fails all the same is not asked for again: its case says so.
    isInVain = !(await isServed(signal));
    return { serviceRestarted: true };
  };
}

/** Whether each endpoint that only reads, and only who is logged in, is answered again, as far as it can be asked as it stands. */
async function isServedTo(
  user: RequestValues,
  testbed: Testbed,
  { endpoints }: ResolvedSpec,
  { probe, clock }: Pick<LoginAdapters, 'probe' | 'clock'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { service, origins } = testbed;
  for (const endpoint of readingEndpoints(endpoints, service)) {
    const isKnown = valuesOfRequest(endpoint).every((name) => Object.hasOwn(user, name));
    if (!isOfLogin(endpoint) || isUnread(endpoint) || !isKnown) continue;
    const asked = filledRequest(endpoint, user);
    for (let attempt = 1; !isServed(await probe.ask(origins.direct!, service, asked, signal), asked); attempt += 1) {
      if (attempt === OF_POOL.attempts) return false;
      await clock.sleep(OF_POOL.pauseSeconds, signal);
    }
  }
  return true;
}

/** Throws `TestbedError` where one that the spec names is not set. */
function variableValues(spec: ResolvedSpec, variables: CallerVariables): RequestValues {
  const named = variablesOf(spec).map((each) => ({ ...each, value: variables.value(each.name) }));
  const missing = named.filter(({ value }) => value === undefined);
  if (missing.length > 0) throw new TestbedError('variable-missing', missingVariablesText(missing));
  return asRequestValues(Object.fromEntries(named.map(({ name, value }) => [name, value!])));
}

/** Endpoints too: whether the service is up is asked by the request of one. */
function withVariablesOf(request: TestbedRequest, variables: RequestValues): TestbedRequest {
  if (Object.keys(variables).length === 0) return request;
  const { spec, service } = request;
  return { ...request, service: withVariables(service, variables), spec: specWithVariables(spec, variables) };
}

async function valuesOn(
  testbed: Testbed,
  { login }: ResolvedSpec,
  before: RequestValues,
  adapters: LoginAdapters,
  signal: AbortSignal,
  patience?: Patience,
): Promise<LoggedIn> {
  if (login === undefined) return { values: [before], expires: null };
  return await loggedIn(testbed, login, before, adapters, signal, patience);
}

/** A sentence where a value is over before the testbed is meant to be; none where it is not, as far as anybody says. */
function expiryWarning({ expires }: LoggedIn, request: TestbedRequest): string[] {
  if (expires === null) return [];
  const { service } = request;
  const seconds = standingSeconds(request);
  if (expires.seconds >= seconds) return [];
  return [
    `\`\${${expires.name}}\` of ${service.name} is good for ${Math.max(0, Math.round(expires.seconds))} s, and what is measured with it takes about ${Math.ceil(seconds)} s: what comes after that fails. Let the application give out tokens that last longer, or measure fewer cases at a time.`,
  ];
}

/** How long the testbed is meant to stand: for all of its cases, or for one round of a comparison. */
function standingSeconds({ spec, service, cases, isBrief = false }: TestbedRequest): number {
  const own = [...(cases ?? casesOf({ ...spec, services: [service] }))];
  return isBrief ? plannedRound(own, spec, 'interleaved').seconds : serviceEstimate(spec, { cases: own }).wallSeconds;
}
