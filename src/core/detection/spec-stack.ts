/** Services, their database, what stands beside them and what runs before them, in the text of a spec. */
import type { ComposeBuild } from './compose.ts';
import type { DependencySign, JobSign } from './dependencies.ts';
import type { PrepareRequestSign } from './endpoints.ts';
import type { DatabaseSign } from './postgres.ts';
import type { Known } from './programs/program.ts';
import { plain, scalar, source } from './scalar-text.ts';
import type { ServiceSign } from './service-sign.ts';

/** What the services of one spec have together: each thing once, by its name. */
export function stackOfAll(services: readonly ServiceSign[]): {
  database: DatabaseSign | null;
  /** The manifest that names a client of the database. */
  client: string;
  dependencies: DependencySign[];
  jobs: JobSign[];
} {
  const own = services.find(({ database, wantsDatabase }) => wantsDatabase && database !== null);
  return {
    database: own?.database ?? null,
    client: services.find(({ program }) => program?.client != null)?.program?.client ?? '',
    dependencies: distinct(services.flatMap(({ dependencies }) => dependencies).map((each) => [each.name, each])),
    jobs: distinct(services.flatMap(({ jobs }) => jobs).map((each) => [each.key, each])),
  };
}

function distinct<T>(named: readonly [string, T][]): T[] {
  return [...new Map(named).values()];
}

export function serviceLines(service: ServiceSign, basePath: Known<string> | null): string[] {
  const { build, start, env, from, port, ready, workingDirectory, entrypoint, user, files, volumes, memory } = service;
  const lines = [`  ${scalar(service.name)}:`];
  if (build !== null) lines.push(`    build: ${buildText(build)}${source(from)}`);
  if (entrypoint !== null) lines.push(`    entrypoint: ${list(entrypoint)}${source(from)}`);
  if (start !== null) {
    if (start.before !== null) lines.push(plain(`    # run before: ${start.before}`));
    if (start.command[0] === 'go')
      lines.push('    # better a program that is built before: go build -o bin/server, and command: [bin/server]');
    lines.push(`    command: ${list(start.command)}${source(start.from)}`);
  }
  if (user !== null) lines.push(`    user: ${scalar(user)}`);
  if (workingDirectory !== '.') lines.push(`    working-directory: ${scalar(workingDirectory)}`);
  lines.push(
    port === null
      ? `    port: ${service.usualPort}   # a guess: no file names it`
      : `    port: ${port.value}${source(port.from)}`,
  );
  lines.push(...mapLines('files', files, '    '));
  if (volumes.length > 0) lines.push(`    volumes: ${list(volumes)}`);
  if (env.length > 0) lines.push('    env:');
  for (const { name, value, from: file, note } of env) {
    lines.push(`      ${name}: ${scalar(value)}${source([file, note].filter((each) => each !== '').join(': '))}`);
  }
  const timeout = startTimeout(service);
  if (ready !== null) lines.push(`    ready: {path: ${scalar(ready)}, timeout: ${timeout}}`);
  else if (timeout !== '30s') lines.push(`    ready: {timeout: ${timeout}}`);
  if (basePath !== null) lines.push(`    base-path: ${scalar(basePath.value)}${source(basePath.from)}`);
  if (service.closesConnections === true)
    lines.push('    keep-alive: closes   # it was asked three times in turn, and closed each connection');
  lines.push(memory === null ? '    # memory: 512m' : `    memory: ${memory}${source(from)}`);
  return lines;
}

/** By what it is started with, and at least three times as long as it was seen to take: another machine may be busy. */
function startTimeout({ start, startSeconds = 0 }: ServiceSign): string {
  const usual = start?.isSlow === true ? 120 : start?.command[0] === 'java' ? 60 : 30;
  return `${Math.max(usual, Math.ceil((startSeconds * 3) / 30) * 30)}s`;
}

export function databaseLines(database: DatabaseSign | null, client: string): string[] {
  if (database === null) return [`database: {image: "postgres:18"}${source(client)}`];
  const { build, image, from } = database;
  const lines = [
    'database:',
    `  ${build === null ? `image: ${scalar(image!)}` : `build: ${buildText(build)}`}${source(from)}`,
  ];
  if (database.alias.length > 0)
    lines.push(`  alias: ${oneOrList(database.alias)}   # a command, a script or a setting names it`);
  if (database.name !== null) lines.push(`  name: ${scalar(database.name)}`);
  if (database.user !== null) lines.push(`  user: ${scalar(database.user)}`);
  if (database.password !== null)
    lines.push(`  password: ${scalar(database.password)}   # as the service has it in its code or a file`);
  const settings = Object.entries(database.settings);
  if (settings.length > 0) lines.push(`  settings: ${map(settings)}`);
  if (database.init.length > 0) lines.push(`  init: ${list(database.init)}`);
  if (database.pooler !== null) {
    const pooler = Object.entries(database.pooler).map(
      ([name, value]) => `${name}: ${typeof value === 'number' ? value : scalar(value)}`,
    );
    lines.push(`  pooler: {${pooler.join(', ')}}`);
  }
  return lines;
}

export function dependencyLines(dependencies: readonly DependencySign[]): string[] {
  if (dependencies.length === 0) return [];
  return ['', 'dependencies:', ...dependencies.flatMap(ofDependency)];
}

function ofDependency({ name, from, image, build, port, ...rest }: DependencySign): string[] {
  const { entrypoint, command, user, env, files, volumes, ready, timeout, memory, alias } = rest;
  const up = [
    ...(ready === null ? [] : [`command: ${list(ready)}`]),
    ...(timeout === null ? [] : [`timeout: ${timeout}`]),
  ];
  return [
    `  ${scalar(name)}:`,
    `    ${build === null ? `image: ${scalar(image!)}` : `build: ${buildText(build)}`}${source(from)}`,
    ...(entrypoint === null ? [] : [`    entrypoint: ${list(entrypoint)}`]),
    ...(command === null ? [] : [`    command: ${list(command)}`]),
    ...(user === null ? [] : [`    user: ${scalar(user)}`]),
    ...(port === null ? [] : [`    port: ${port}`]),
    ...(alias.length === 0 ? [] : [`    alias: ${oneOrList(alias)}`]),
    ...mapLines('env', Object.entries(env), '    '),
    ...mapLines('files', files, '    '),
    ...(volumes.length === 0 ? [] : [`    volumes: ${list(volumes)}`]),
    ...(up.length === 0 ? [] : [`    ready: {${up.join(', ')}}`]),
    ...(memory === null ? [] : [`    memory: ${memory}`]),
  ];
}

/** Nothing where nothing keeps what they make. */
export function prepareLines(
  jobs: readonly JobSign[],
  requests: readonly PrepareRequestSign[],
  isKept: boolean,
): string[] {
  if (jobs.length + requests.length === 0 || !isKept) return [];
  const made =
    requests.length === 0 ? [] : ['  - requests:   # so that there is something to read', ...requests.map(ofRequest)];
  return ['', 'prepare:', ...jobs.flatMap(ofJob), ...made];
}

function ofRequest({ method, path, headers, body, status, repeat, take }: PrepareRequestSign): string {
  const parts = [
    ...(method === 'GET' ? [] : [`method: ${method}`]),
    `path: ${scalar(path)}`,
    ...(Object.keys(headers).length === 0 ? [] : [`headers: ${map(Object.entries(headers))}`]),
    ...(body === null ? [] : [`body: ${scalar(body)}`]),
    ...(status === null ? [] : [`expect: ${status}`]),
    ...(repeat === 1 ? [] : [`repeat: ${repeat}`]),
    ...(Object.keys(take).length === 0 ? [] : [`take: ${map(Object.entries(take))}`]),
  ];
  return `      - {${parts.join(', ')}}`;
}

function ofJob({ key, from, command, entrypoint, image, env }: JobSign): string[] {
  return [
    `  - job: ${list(command)}${source(key === '' ? `a guess: ${from} is there, and nothing that was read runs it` : `${key} of ${from}`)}`,
    ...(image === null ? [] : [`    image: ${scalar(image)}`]),
    ...(entrypoint === null ? [] : [`    entrypoint: ${list(entrypoint)}`]),
    ...mapLines('env', Object.entries(env), '    '),
  ];
}

function buildText({ context, dockerfile, target, args }: ComposeBuild): string {
  const own = Object.entries(args);
  return `{${[
    `context: ${scalar(context)}`,
    `dockerfile: ${scalar(dockerfile)}`,
    ...(target === null ? [] : [`target: ${scalar(target)}`]),
    ...(own.length === 0 ? [] : [`args: ${map(own)}`]),
  ].join(', ')}}`;
}

function mapLines(key: string, entries: readonly (readonly [string, string])[], indent: string): string[] {
  if (entries.length === 0) return [];
  return [`${indent}${key}:`, ...entries.map(([name, value]) => `${indent}  ${scalar(name)}: ${scalar(value)}`)];
}

function list(words: readonly string[]): string {
  return `[${words.map(scalar).join(', ')}]`;
}

function oneOrList(words: readonly string[]): string {
  return words.length === 1 ? scalar(words[0]!) : list(words);
}

function map(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([name, value]) => `${scalar(name)}: ${scalar(value)}`).join(', ')}}`;
}
