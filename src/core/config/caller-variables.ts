import {
  filledPartly,
  partlyFilledRequest,
  type RequestValues,
  valuesIn,
  valuesOfRequest,
} from '../requests/request-values.ts';
import { buildSecretsOf } from './build-secrets.ts';
import type { Login } from './login.ts';
import type { PrepareStep } from './prepare.ts';
import type { Endpoint, ResolvedSpec, Service } from './resolved.ts';

/** A variable of the caller's that a spec names as `${env.NAME}`, and the first place where it does. */
export interface NamedVariable {
  name: string;
  /** `services.web.env.API_KEY` */
  place: string;
}

const PREFIX = 'env.';

/** Each once, in the order of the spec. */
export function variablesOf({
  services,
  database,
  dependencies = [],
  prepare = [],
  endpoints,
  login,
}: ResolvedSpec): NamedVariable[] {
  const named = [
    ...buildSecretsOf({ services, dependencies, database }).flatMap(({ place, value }) =>
      placed(valuesIn(value), place),
    ),
    ...services.flatMap(({ name, env }) => variablesOfEnvironment(env, `services.${name}`)),
    ...dependencies.flatMap(({ name, env }) => variablesOfEnvironment(env, `dependencies.${name}`)),
    ...prepare.flatMap((step, index) => variablesOfStep(step, `prepare.${index}`)),
    ...endpoints.flatMap((endpoint) => placed(valuesOfEndpoint(endpoint), `endpoints.${endpoint.name}`)),
    ...(login === undefined ? [] : variablesOfLogin(login)),
  ];
  return named.filter(({ name }, index) => named.findIndex((each) => each.name === name) === index);
}

/** A form with files is made of texts as well. */
function valuesOfEndpoint(endpoint: Endpoint): string[] {
  return [...valuesOfRequest(endpoint), ...valuesIn(JSON.stringify(endpoint.content ?? null))];
}

function variablesOfEnvironment(env: Record<string, string>, place: string): NamedVariable[] {
  return Object.entries(env).flatMap(([variable, value]) => placed(valuesIn(value), `${place}.env.${variable}`));
}

function variablesOfStep(step: PrepareStep, place: string): NamedVariable[] {
  if (step.kind === 'job') return variablesOfEnvironment(step.env, place);
  if (step.kind !== 'requests') return [];
  return step.requests.flatMap((request) => placed(valuesOfRequest(request), `${place}.requests`));
}

function variablesOfLogin({ steps }: Login): NamedVariable[] {
  return steps.flatMap(({ name, request }) => placed(valuesOfRequest(request), `login (step ${name})`));
}

function placed(values: readonly string[], place: string): NamedVariable[] {
  return values.flatMap((value) => (value.startsWith(PREFIX) ? [{ name: value.slice(PREFIX.length), place }] : []));
}

/** As they stand for `${env.NAME}`. */
export function asRequestValues(variables: Readonly<Record<string, string>>): RequestValues {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [`${PREFIX}${name}`, value]));
}

/**
 * The service with the caller's variables in its environment and in the path that tells whether it is up. Placeholders of its
 * environment are still to be filled in, and no value becomes one.
 */
export function withVariables(service: Service, values: RequestValues): Service {
  const { path } = service.ready;
  const ready = { ...service.ready, path: path === null ? null : filledPartly(path, values, encodeURIComponent) };
  return { ...withEnvironment(service, values), ready };
}

/** The same of all that a spec starts and asks. */
export function specWithVariables(spec: ResolvedSpec, values: RequestValues): ResolvedSpec {
  const { services, dependencies, prepare, endpoints } = spec;
  return {
    ...spec,
    services: services.map((each) => withVariables(each, values)),
    ...(dependencies === undefined ? {} : { dependencies: dependencies.map((each) => withEnvironment(each, values)) }),
    ...(prepare === undefined ? {} : { prepare: prepare.map((step) => stepWithVariables(step, values)) }),
    endpoints: endpoints.map((endpoint) => partlyFilledRequest(endpoint, values)),
  };
}

function stepWithVariables(step: PrepareStep, values: RequestValues): PrepareStep {
  if (step.kind === 'job') return withEnvironment(step, values);
  if (step.kind !== 'requests') return step;
  return { ...step, requests: step.requests.map((request) => partlyFilledRequest(request, values)) };
}

function withEnvironment<Started extends { env: Record<string, string> }>(
  started: Started,
  values: RequestValues,
): Started {
  const env = Object.entries(started.env).map(([name, text]) => [
    name,
    filledPartly(text, values, (value) => value.replaceAll('${', () => '$${')),
  ]);
  return { ...started, env: Object.fromEntries(env) };
}

/** What a run says before it hands them on: who runs a spec of somebody else's did not write their names. */
export function handedVariablesText(named: readonly NamedVariable[]): string {
  return `The spec names variables of yours, which what is started or asked gets: ${named.map(({ name, place }) => `${name} (${place})`).join(', ')}.`;
}

/** What a run says that lacks some of them, and what to do. */
export function missingVariablesText(missing: readonly NamedVariable[]): string {
  const named = missing.map(({ name, place }) => `\`\${env.${name}}\` (${place})`).join(', ');
  const names = missing.map(({ name }) => name).join(', ');
  const [are, them, values] = missing.length === 1 ? ['is', 'it', 'its value'] : ['are', 'them', 'their values'];
  const call = [...missing.map(({ name }) => `${name}=…`), 'wrkbench run'].join(' ');
  return `The spec names ${named}, and ${names} ${are} not set. Set ${them} before the call, as in \`${call}\`; in a workflow, name ${them} in the input \`secrets\` and give ${values}.`;
}
