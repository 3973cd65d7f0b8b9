import { stringify } from 'yaml';
import type { LoginSign, LoginStepSign } from './asking/logins.ts';
import type { EndpointSign, FoundEndpoints } from './endpoints.ts';
import type { LeftOut } from './files.ts';
import { shortened } from './fitting.ts';
import { type LoadText, USUAL_LOAD } from './load-text.ts';
import type { DatabaseSign } from './postgres.ts';
import type { ServiceSign } from './services.ts';

/** Where editors find the schema that the spec is held against. */
const SCHEMA_URL = 'https://raw.githubusercontent.com/wrkbench/wrkbench/main/schema/spec.schema.json';

export interface SpecParts {
  name: string;
  services: readonly ServiceSign[];
  database: DatabaseSign | null;
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

/** Of what is left out, in a spec and in what is printed. */
const MOST_LEFT_OUT = 60;

/** Each named once, as many as anybody reads. */
export function leftOutShown(leftOut: readonly LeftOut[]): LeftOut[] {
  return shortened(leftOut, MOST_LEFT_OUT);
}

/** The text of a spec, with a comment at every guess and the file that showed the rest. */
export function specText(parts: SpecParts): string {
  const { name, services, database, wantsDatabase, found, trial } = parts;
  const { load, gate } = trial.load ?? USUAL_LOAD;
  const leftOut = leftOutShown([...parts.leftOut, ...found.leftOut]);
  const client = services.find(({ program }) => program?.client != null)?.program?.client ?? '';
  const lines = [
    `# yaml-language-server: $schema=${SCHEMA_URL}`,
    plain(`# ${trial.sentence}`),
    `name: ${scalar(name)}`,
    '',
    'services:',
    ...services.flatMap((service) => [
      ...failureLine(trial.failures.get(service.name)),
      ...serviceLines(service, found),
    ]),
    ...(wantsDatabase ? ['', ...databaseLines(database, client)] : []),
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
    '  cpu-per-request: {max-increase: 3%}',
    '  throughput: {max-decrease: 5%}',
    '  latency-p50: {max-increase: 5%}',
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

function loginRequest({ path, form, body, cookie }: LoginStepSign): string {
  if (form === null && body === null) return scalar(path);
  const fields = Object.entries(form ?? {}).map(([key, value]) => `${scalar(key)}: ${scalar(value)}`);
  const content = form === null ? `body: ${scalar(body!)}` : `form: {${fields.join(', ')}}`;
  const headers = [
    ...(form === null ? ['content-type: application/json'] : []),
    ...(cookie === undefined ? [] : [`cookie: ${scalar(cookie)}`]),
  ];
  const shown = headers.length === 0 ? '' : `headers: {${headers.join(', ')}}, `;
  return `{method: POST, path: ${scalar(path)}, ${shown}${content}}`;
}

function serviceLines(service: ServiceSign, { basePath }: FoundEndpoints): string[] {
  const { build, start, env, from, port, ready, unset, workingDirectory } = service;
  const lines = [`  ${scalar(service.name)}:`];
  if (build !== null) {
    const { context, dockerfile, target } = build;
    const stage = target === null ? '' : `, target: ${scalar(target)}`;
    lines.push(`    build: {context: ${scalar(context)}, dockerfile: ${scalar(dockerfile)}${stage}}${source(from)}`);
  }
  if (start !== null) {
    if (start.before !== null) lines.push(plain(`    # run before: ${start.before}`));
    if (start.command[0] === 'go')
      lines.push('    # better a program that is built before: go build -o bin/server, and command: [bin/server]');
    lines.push(`    command: [${start.command.map(scalar).join(', ')}]${source(start.from)}`);
  }
  if (workingDirectory !== '.') lines.push(`    working-directory: ${scalar(workingDirectory)}`);
  lines.push(
    port === null
      ? `    port: ${service.usualPort}   # a guess: no file names it`
      : `    port: ${port.value}${source(port.from)}`,
  );
  if (env.length > 0) lines.push('    env:');
  for (const { name, value, from: file, note } of env) {
    lines.push(`      ${name}: ${scalar(value)}${source([file, note].filter((each) => each !== '').join(': '))}`);
  }
  for (const { name, from: file, why } of unset) lines.push(plain(`      # ${name}: left out, since ${why} (${file})`));
  const timeout = start?.isSlow === true ? '120s' : start?.command[0] === 'java' ? '60s' : '30s';
  if (ready !== null) lines.push(`    ready: {path: ${scalar(ready)}, timeout: ${timeout}}`);
  else if (timeout !== '30s') lines.push(`    ready: {timeout: ${timeout}}`);
  if (basePath !== null) lines.push(`    base-path: ${scalar(basePath.value)}${source(basePath.from)}`);
  lines.push('    # memory: 512m');
  return lines;
}

function databaseLines(database: DatabaseSign | null, client: string): string[] {
  if (database === null) return [`database: {image: "postgres:18"}${source(client)}`];
  const lines = ['database:', `  image: ${scalar(database.image)}${source(database.from)}`];
  if (database.name !== null) lines.push(`  name: ${scalar(database.name)}`);
  if (database.user !== null) lines.push(`  user: ${scalar(database.user)}`);
  const settings = Object.entries(database.settings);
  if (settings.length > 0)
    lines.push(`  settings: {${settings.map(([name, value]) => `${name}: ${scalar(value)}`).join(', ')}}`);
  if (database.init.length > 0) lines.push(`  init: [${database.init.map(scalar).join(', ')}]`);
  if (database.pooler !== null) {
    const pooler = Object.entries(database.pooler).map(
      ([name, value]) => `${name}: ${typeof value === 'number' ? value : scalar(value)}`,
    );
    lines.push(`  pooler: {${pooler.join(', ')}}`);
  }
  return lines;
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

/** The comment that says where a line comes from. */
function source(from: string): string {
  return from === '' ? '' : plain(`   # ${from}`);
}

/** Fit for a comment: nothing in it ends the line, or shows as something else. */
export function plain(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?');
}

/** What YAML takes in no quoted text, and what is not seen or turns what is seen around. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\ufffd-\uffff]/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

/** Fit for a flow map or list: quoted wherever YAML could take it for something else. */
export function scalar(text: string): string {
  if (/^[A-Za-z/][\w./-]*$/.test(text) && stringify(text).trim() === text && !/^(?:on|off|yes|no)$/i.test(text))
    return text;
  return text === '.' ? text : JSON.stringify(text).replaceAll(UNSEEN, escaped);
}
