import { stringify } from 'yaml';
import { UserError } from '../user-error.ts';
import { composeDatabase, composeServices, type DatabaseSign, dockerfileServices } from './container.ts';
import { type RepositoryFile, type ServiceSign, slugOf } from './files.ts';
import { type ApiSign, openApi, programName, programService, usesPostgres } from './program.ts';

export { isTelling, type RepositoryFile } from './files.ts';

export const SPEC_FILE = 'wrkbench.yml';
const MOST_SERVICES = 15;
/** What most servers listen on that say nothing. */
const USUAL_PORT = 8080;

/** The repository has a spec already; it stays as it is. */
export class AlreadyThere extends UserError {
  override name = 'AlreadyThere';
}

/**
 * A first spec with comments, from what a repository shows; what it does not show is guessed, and marked so. The text
 * is a right spec. `fallbackName` is for a repository that does not say what it is called. Throws `AlreadyThere`.
 */
export function proposal(files: readonly RepositoryFile[], fallbackName = 'service'): RepositoryFile[] {
  if (files.some(({ path }) => path === SPEC_FILE)) {
    throw new AlreadyThere(
      `${SPEC_FILE} is there already and stays as it is. Remove or rename it to have a new one written.`,
    );
  }
  const name = programName(files) ?? slugOf(fallbackName) ?? 'service';
  const services = servicesOf(files, name);
  const database = composeDatabase(files);
  const client = usesPostgres(files);
  const api = openApi(files);
  const wantsDatabase = database !== null || client !== null || services.some(({ env }) => usesDatabase(env));
  const lines = [
    '# What wrkbench measures here. `wrkbench validate` checks this file, `wrkbench plan` shows what it comes to.',
    `name: ${scalar(name)}`,
    '',
    'services:',
    ...services.flatMap((service) => serviceLines(service, api, wantsDatabase)),
    ...(wantsDatabase ? ['', ...databaseLines(database, client)] : []),
    '',
    'endpoints:',
    ...endpointLines(api, services),
    '',
    'load:',
    '  preset: standard   # wrk: 4 threads, 100 and 1000 connections, keep-alive on and off, 10 s; `quick` for a first look',
    '  k6: {rate: 60%}    # latency at 60 % of what the service can do',
    '',
    'gate:                # a pull request fails where it is worse than this',
    '  cpu-per-request: {max-increase: 3%}',
    '  throughput: {max-decrease: 5%}',
    '  latency-p50: {max-increase: 5%}',
    '  memory-peak: {max-increase: 10%}',
    ...(wantsDatabase ? ['  queries-per-request: {max-increase: 0}'] : []),
  ];
  return [{ path: SPEC_FILE, content: `${lines.join('\n')}\n` }];
}

/** Of a compose file, else of Dockerfiles, else of a manifest, else one to be filled in; names are unique. */
function servicesOf(files: readonly RepositoryFile[], name: string): ServiceSign[] {
  const program = programService(files, name);
  const sources = [composeServices(files), dockerfileServices(files, name), program === null ? [] : [program]];
  const found = sources.find((services) => services.length > 0) ?? [
    {
      name,
      from: '',
      build: { context: '.', dockerfile: 'Dockerfile' },
      command: null,
      workingDirectory: '.',
      port: null,
      env: {},
      ready: null,
    },
  ];
  return [...new Map(found.map((service) => [service.name, service])).values()].slice(0, MOST_SERVICES);
}

function usesDatabase(env: Record<string, string>): boolean {
  return Object.values(env).some((value) => value.startsWith('${database.'));
}

function serviceLines(service: ServiceSign, api: ApiSign | null, hasDatabase: boolean): string[] {
  const { build, command, env, from, port, ready } = service;
  const variables = hasDatabase && !usesDatabase(env) ? { ...env, DATABASE_URL: '${database.url}' } : env;
  const lines = [
    `  ${scalar(service.name)}:${from === '' ? '   # nothing shows how it is started: correct build, image or command' : ''}`,
  ];
  if (build !== null) {
    const { context, dockerfile } = build;
    lines.push(`    build: {context: ${scalar(context)}, dockerfile: ${scalar(dockerfile)}}${source(from)}`);
  }
  if (command !== null) {
    lines.push(`    command: [${command.map(scalar).join(', ')}]${source(from)}`);
    if (command[1] === 'run')
      lines.push('    # better a binary that is built before: go build -o bin/server . && command: [bin/server]');
  }
  lines.push(port === null ? `    port: ${USUAL_PORT}   # a guess: no file names it` : `    port: ${port}`);
  if (Object.keys(variables).length > 0) {
    lines.push('    env:');
    for (const [key, value] of Object.entries(variables)) lines.push(`      ${key}: ${scalar(value)}`);
  }
  if (ready !== null) lines.push(`    ready: {path: ${scalar(ready)}, timeout: 30s}`);
  if (api !== null && api.basePath !== '') lines.push(`    base-path: ${scalar(api.basePath)}${source(api.from)}`);
  lines.push('    # memory: 512m');
  return lines;
}

function databaseLines(database: DatabaseSign | null, client: string | null): string[] {
  if (database === null) return [`database: {image: "postgres:18"}${client === null ? '' : source(client)}`];
  const lines = ['database:', `  image: ${scalar(database.image)}${source(database.from)}`];
  if (database.name !== null) lines.push(`  name: ${scalar(database.name)}`);
  if (database.user !== null) lines.push(`  user: ${scalar(database.user)}`);
  if (database.init.length > 0) lines.push(`  init: [${database.init.map(scalar).join(', ')}]`);
  return lines;
}

function endpointLines(api: ApiSign | null, services: readonly ServiceSign[]): string[] {
  if (api === null) {
    const health = services.find(({ ready }) => ready !== null)?.ready;
    const path = health ?? '/';
    return [
      `  ${path === '/' ? 'root' : 'health'}:${health === undefined ? '   # a guess: name the paths that matter' : ''}`,
      `    path: ${scalar(path)}`,
      '    expect: {status: 200}   # and what the body must hold, such as json: {ok: true}',
    ];
  }
  return api.endpoints.flatMap(({ name, path, status, contentType }, index) => [
    `  ${scalar(name)}:${index === 0 ? source(api.from) : ''}`,
    `    path: ${scalar(path)}`,
    `    expect: {status: ${status}${contentType === null ? '' : `, content-type: ${scalar(contentType)}`}}`,
  ]);
}

/** The comment that says where a line comes from. */
function source(from: string): string {
  return from === '' ? '' : `   # ${from.replaceAll(/[^ -~]/g, '?')}`;
}

/** Fit for a flow map or list: quoted wherever YAML could take it for something else. */
function scalar(text: string): string {
  if (/^[A-Za-z/][\w./-]*$/.test(text) && stringify(text).trim() === text && !/^(?:on|off|yes|no)$/i.test(text))
    return text;
  return text === '.' ? text : JSON.stringify(text);
}
