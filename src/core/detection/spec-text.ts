import type { LoginSign, LoginStepSign } from './asking/logins.ts';
import type { EndpointSign, FoundEndpoints } from './endpoints.ts';
import { groupedLeftOut, type LeftOut } from './left-out.ts';
import { type LoadText, USUAL_LOAD } from './load-text.ts';
import { plain, scalar, source } from './scalar-text.ts';
import type { ServiceSign } from './service-sign.ts';
import { databaseLines, dependencyLines, prepareLines, serviceLines, stackOfAll } from './spec-stack.ts';

export { plain, scalar } from './scalar-text.ts';

/** Where editors find the schema that the spec is held against. */
const SCHEMA_URL = 'https://raw.githubusercontent.com/wrkbench/wrkbench/main/schema/spec.schema.json';

export interface SpecParts {
  name: string;
  services: readonly ServiceSign[];
  wantsDatabase: boolean;
  found: FoundEndpoints;
  /** Without what `found` has left out. */
  leftOut: readonly LeftOut[];
  trial: Trial;
}

/** What became of starting it. */
interface Trial {
  /** In a sentence, for the second line of the spec. */
  sentence: string;
  /** All of it was seen to work. */
  isGood: boolean;
  /** Service → why it did not come up. */
  failures: ReadonlyMap<string, string>;
  /** Of what was measured of the endpoints; null for the usual one. */
  load: LoadText | null;
}

/** Why, where nobody has asked for more. */
export const ONLY_READ = 'only files were read';

/** Nothing was started. */
export function untried(why: string): Trial {
  return {
    sentence: `Not tried: ${why}; \`wrkbench init\` again with Docker, or \`wrkbench validate\` and \`wrkbench plan\`.`,
    isGood: false,
    failures: new Map(),
    load: null,
  };
}

/** A line for each reason, of what the repository has and of the routes that are not asked: for a spec, and to be printed. */
export function leftOutShown(leftOut: readonly LeftOut[], ofRoutes: readonly LeftOut[] = []): LeftOut[] {
  return groupedLeftOut([...leftOut, ...ofRoutes.map((each): LeftOut => ({ kind: 'route', ...each }))]);
}

/** The text of a spec, with a comment at every guess and the file that showed the rest. */
export function specText(parts: SpecParts): string {
  const { name, services, wantsDatabase, found, trial } = parts;
  const { load, gate } = trial.load ?? USUAL_LOAD;
  const leftOut = leftOutShown(parts.leftOut, found.leftOut);
  const { database, client, dependencies, jobs } = stackOfAll(services);
  const lines = [
    `# yaml-language-server: $schema=${SCHEMA_URL}`,
    plain(`# ${trial.sentence}`),
    `name: ${scalar(name)}`,
    '',
    'services:',
    ...services.flatMap((service) => [
      ...failureLine(trial.failures.get(service.name)),
      ...serviceLines(service, found.basePath),
    ]),
    ...(wantsDatabase ? ['', ...databaseLines(database, client)] : []),
    ...dependencyLines(dependencies),
    ...prepareLines(jobs, found.prepare ?? [], wantsDatabase || dependencies.some(({ volumes }) => volumes.length > 0)),
    ...(found.login == null || found.login.steps.length === 0 ? [] : ['', ...loginLines(found.login)]),
    '',
    'endpoints:',
    ...found.endpoints.flatMap(endpointLines),
    ...(leftOut.length === 0
      ? []
      : ['', '# Left out:', ...leftOut.map(({ what, why }) => plain(`# - ${what}: ${why}`))]),
    '',
    'load:',
    ...load,
    '',
    'gate:                # a pull request fails where it is worse than this',
    ...gate,
    '  memory-peak: {max-increase: 10%}',
    ...(wantsDatabase ? ['  queries-per-request: {max-increase: 0}'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first line of it: what was printed last stands on the terminal. */
function failureLine(why: string | undefined): string[] {
  return why === undefined ? [] : [`  # did not come up: ${plain(why.split('\n')[0]!).slice(0, 300)}`];
}

function loginLines({ steps, take, from }: LoginSign): string[] {
  const head = plain(`login:   # with the account of ${from}`);
  const taken = `take: {token: ${scalar(take!)}}`;
  if (steps.length === 1) return [head, `  request: ${loginRequest(steps[0]!)}`, `  ${taken}`];
  return [
    head,
    '  steps:',
    ...steps.flatMap((step, index) => [
      `    - request: ${loginRequest(step)}`,
      ...(index === steps.length - 1 ? [`      ${taken}`] : takeLines(step)),
    ]),
  ];
}

function takeLines({ take = {} }: LoginStepSign): string[] {
  const places = Object.entries(take).map(([name, place]) => `${name}: ${scalar(place)}`);
  return places.length === 0 ? [] : [`      take: {${places.join(', ')}}`];
}

function loginRequest({ path, form, body, cookie, headers: own = {} }: LoginStepSign): string {
  if (form === null && body === null) return scalar(path);
  const fields = Object.entries(form ?? {}).map(([key, value]) => `${scalar(key)}: ${scalar(value)}`);
  const content = form === null ? `body: ${scalar(body!)}` : `form: {${fields.join(', ')}}`;
  const headers = [
    ...(form === null ? ['content-type: application/json'] : []),
    ...(cookie === undefined ? [] : [`cookie: ${scalar(cookie)}`]),
    ...Object.entries(own).map(([name, value]) => `${name}: ${scalar(value)}`),
  ];
  const shown = headers.length === 0 ? '' : `headers: {${headers.join(', ')}}, `;
  return `{method: POST, path: ${scalar(path)}, ${shown}${content}}`;
}

function endpointLines({
  name,
  from,
  method,
  path,
  headers,
  body,
  status,
  contentType,
  isGuess,
}: EndpointSign): string[] {
  const expected = `{status: ${status}${contentType === null ? '' : `, content-type: ${scalar(contentType)}`}}`;
  const own = Object.entries(headers);
  return [
    `  ${scalar(name)}:${isGuess ? '   # a guess: name the paths that matter' : source(from)}`,
    ...(method === 'GET' ? [] : [`    method: ${method}`]),
    `    path: ${scalar(path)}`,
    ...(own.length === 0
      ? []
      : [`    headers: {${own.map(([key, value]) => `${scalar(key)}: ${scalar(value)}`).join(', ')}}`]),
    ...(body === null ? [] : [`    body: ${scalar(body)}`]),
    `    expect: ${expected}${isGuess ? '   # and what the body must hold, such as json: {ok: true}' : ''}`,
  ];
}
