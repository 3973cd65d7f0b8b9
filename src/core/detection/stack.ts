/** What a compose file says of one service: its database, what stands beside it and what runs before it. */
import type { Checkout } from './checkout.ts';
import type { ComposeService } from './compose.ts';
import { accessOf, aliasOf } from './database-access.ts';
import { type DependencySign, dependencyOf, type JobSign, jobOf, reachables, unfitDependency } from './dependencies.ts';
import type { Recipe } from './dockerfile.ts';
import { databasePrefixes, type EnvironmentContext } from './environment.ts';
import type { LeftOut, RepositoryFile } from './files.ts';
import { type DatabaseSign, databaseOf, isPostgres } from './postgres.ts';
import { needs, type Reach, reachOf } from './reach.ts';
import { connectsTo, prefixesOf, type Reachable } from './references.ts';
import { isPoolerImage, OF_TESTS, plainName, usualImage } from './usual-images.ts';

export interface Stack {
  database: DatabaseSign | null;
  /** Whether the service waits for its database, or is told of it. */
  dependsOnDatabase: boolean;
  /** Its address stands in the code, which is told nothing. */
  isWritten: boolean;
  dependencies: DependencySign[];
  jobs: JobSign[];
  /** How values are read that name any of it. */
  context: EnvironmentContext;
  leftOut: LeftOut[];
  /** Services of the project that are in the spec, in whatever way. */
  taken: Set<ComposeService>;
}

export interface StackRequest {
  /** Null for a program that a compose file stands beside and does not start. */
  own: ComposeService | null;
  project: readonly ComposeService[];
  files: readonly RepositoryFile[];
  /** Variables that the service may be told. */
  variables: readonly Variable[];
  port: number | null;
  /** Whether its code has a client for Postgres. */
  hasClient: boolean;
  /** Its code. */
  sources: readonly RepositoryFile[];
  recipe: Recipe | null;
  checkout: Checkout;
  baseOf(service: ComposeService): string | null;
  isSecret(name: string, value: string): boolean;
}

export function stackOf(request: StackRequest): Stack {
  const { own, project, files, sources, variables, port, hasClient, checkout, baseOf, isSecret } = request;
  const isDatabase = (each: ComposeService) => isPostgres(each, baseOf);
  const wanted = own === null ? [] : project.filter((each) => isDatabase(each) && needs(own, each));
  const ownDatabases = project.filter((each) => wanted.length === 0 || !isDatabase(each) || wanted.includes(each));
  const found = databaseOf(ownDatabases, files, baseOf);
  const isOutside = own === null;
  const named = (each: ComposeService) => (isOutside ? isNamedBy(each, variables) : isNamedIn(each, sources));
  const { beside: reached, jobs }: Reach = reachOf(own, project, isDatabase, named);
  const beside = reached.filter((each) => unfitDependency(each, checkout) === null);
  // The same for each service of the project: one spec may hold several.
  const asked = portsAsked([
    variables,
    ...project.filter(({ key }) => !OF_TESTS.test(key)).map(({ environment }) => environment),
  ]);
  const known = reachables(project, asked);
  const all = beside.map((each) => known[project.indexOf(each)]!);
  const hosts = new Set(project.filter((each) => isDatabase(each) || isPooler(each)).flatMap(({ names }) => names));
  const shared = beside.flatMap(({ environment }) => environment.map(({ value }) => value ?? ''));
  const holdsData = beside.some(({ image }) => image !== null && usualImage(image)?.data !== undefined);
  const others = project.filter(
    (each) => each !== own && !beside.includes(each) && !isDatabase(each) && !isPooler(each),
  );
  const context: EnvironmentContext = {
    hasDatabase: found.database !== null || (((hasClient && isOutside) || variables.some(namesPostgres)) && !holdsData),
    port: port ?? 0,
    absentHosts: new Map(others.flatMap((each) => each.names.map((name) => [name, titleOf(each)] as const))),
    databaseHosts: hosts,
    databasePrefixes: databasePrefixes(variables, hosts),
    beside: all,
    prefixes: prefixesOf(variables, all, isOutside),
    isOutside,
    shared: new Set(shared.filter((value) => value.length > 0)),
    isSecret,
  };
  const leftOut: LeftOut[] = [
    ...found.leftOut,
    ...reached.flatMap((each): LeftOut[] => {
      const why = unfitDependency(each, checkout);
      return why === null ? [] : [{ what: `${each.key} (${each.from})`, why, kind: 'needed' }];
    }),
  ];
  const waiting = new Map<string, string[]>();
  const dependencies = beside.map((each, index) => {
    const self = all[index]!;
    const others = all.filter((other) => other !== self && !waitsFor(other.name, self.name, waiting));
    const result = dependencyOf(each, self, ofDependency(context, each, others), checkout);
    leftOut.push(...result.leftOut);
    const text = JSON.stringify(result.dependency);
    waiting.set(
      self.name,
      others.map(({ name }) => name).filter((name) => text.includes(`\${${name}.`)),
    );
    return result.dependency;
  });
  const told = new Map((own?.environment ?? []).map(({ name, value }) => [name, value ?? '']));
  const steps = jobs.flatMap((job) => {
    const result = jobOf(job, own!, ofJob(context, job), told);
    leftOut.push(...result.leftOut);
    return result.job ?? [];
  });
  const service = found.service;
  const dependsOnDatabase = service !== null && [own, ...jobs].some((each) => each?.dependsOn.has(service.key));
  const access = service === null ? null : accessOf(service, own, request);
  return {
    database:
      found.database === null
        ? null
        : { ...found.database, ...access, alias: aliasOf(service!, [own, ...beside, ...jobs], request) },
    isWritten: access !== null,
    dependsOnDatabase,
    dependencies: kept(dependencies, steps, found.database !== null),
    jobs: steps,
    context,
    leftOut,
    taken: new Set([...reached, ...jobs, ...project.filter((each) => isDatabase(each) || isPooler(each))]),
  };
}

/** A store or a queue whose name stands in the code, where no variable has it; one of a profile nobody starts without being asked. */
function isNamedIn({ image, names, profiles }: ComposeService, sources: readonly RepositoryFile[]): boolean {
  if (image === null || usualImage(image) === null || profiles.length > 0) return false;
  return names.some((name) => sources.some(({ content }) => connectsTo(content, name)));
}

function isPooler({ build, image }: ComposeService): boolean {
  return build === null && isPoolerImage(image);
}

function titleOf({ key, image }: ComposeService): string {
  return image === null ? key : `${key} (${image})`;
}

/** Of a program that is started by hand: it names a port of the machine, or the kind of what is there. */
function isNamedBy({ published, image, key, names }: ComposeService, variables: readonly Variable[]): boolean {
  const kinds = [key, image === null ? '' : plainName(image)].filter((kind) => kind !== '');
  return variables.some(({ name, value }) => {
    const text = value ?? '';
    const isByPort = [...published.keys()].some(
      (port) =>
        new RegExp(`(?:localhost|127\\.0\\.0\\.1|host\\.docker\\.internal):${port}(?!\\d)`).test(text) ||
        (/PORT$/.test(name) && text === String(port)),
    );
    const isByName = kinds.some(
      (kind) => name.toLowerCase().split('_').includes(kind) && /HOST|URL|URI/i.test(name) && text !== '',
    );
    return isByPort || isByName || names.some((host) => text.includes(`://${host}:`) || text.includes(`@${host}:`));
  });
}

interface Variable {
  name: string;
  value: string | null;
}

/** Hosts → the first port that each is asked at: by `MAIL_HOST: mail` with `MAIL_PORT: 1025` beside it, else by `cache:6379`. */
function portsAsked(environments: readonly (readonly Variable[])[]): Map<string, number> {
  const ports = new Map<string, number>();
  const set = (host: string, port: string | null | undefined) => {
    if (/^\d{2,5}$/.test(port ?? '') && !ports.has(host)) ports.set(host, Number(port));
  };
  for (const own of environments) {
    const values = new Map(own.map(({ name, value }) => [name, value]));
    for (const [name, value] of values) {
      if (value !== null && /HOST$/i.test(name)) set(value, values.get(name.replace(/HOST$/i, 'PORT')));
    }
  }
  for (const { value } of environments.flat()) {
    if (value?.includes(':') !== true) continue;
    for (const [, host, port] of value.matchAll(/(?<![\w.-])([\w.-]{1,100}):(\d{2,5})(?!\d)/g)) set(host!, port);
  }
  return ports;
}

/** Of a database that no compose file starts. */
function namesPostgres({ name, value }: Variable): boolean {
  return (
    (/^(?:PGHOST|POSTGRES_(?:HOST|DB|USER))$/.test(name) && (value ?? '') !== '') ||
    /^(?:jdbc:)?postgres(?:ql)?(?:\+\w+)?:\/\//.test(value ?? '')
  );
}

/** Of two that name each other one keeps the name as it is: what is told of the other starts after it. */
function waitsFor(name: string, other: string, waiting: ReadonlyMap<string, string[]>): boolean {
  return (waiting.get(name) ?? []).some((each) => each === other || waitsFor(each, other, waiting));
}

/** It is told of the database only where it names that. */
function ofDependency(
  context: EnvironmentContext,
  { environment }: ComposeService,
  beside: readonly Reachable[],
): EnvironmentContext {
  const hosts = [...context.databaseHosts];
  const isTold = environment.some(({ value }) => hosts.some((host) => connectsTo(value ?? '', host) || value === host));
  return {
    ...context,
    hasDatabase: isTold && context.hasDatabase,
    databasePrefixes: databasePrefixes(environment, context.databaseHosts),
    beside,
    prefixes: prefixesOf(environment, beside, false),
  };
}

function ofJob(context: EnvironmentContext, { environment }: ComposeService): EnvironmentContext {
  return {
    ...context,
    databasePrefixes: databasePrefixes(environment, context.databaseHosts),
    prefixes: prefixesOf(environment, context.beside, false),
  };
}

/** Where data are prepared and no Postgres keeps them, what stands beside has to. */
function kept(dependencies: DependencySign[], jobs: readonly JobSign[], hasDatabase: boolean): DependencySign[] {
  if (hasDatabase || jobs.length === 0 || dependencies.some(({ volumes }) => volumes.length > 0)) return dependencies;
  return dependencies.map((each) => (each.image === null ? each : { ...each, volumes: ['/data'] }));
}
