/** A service as a spec has it, of all that a repository says of it. */
import type { Candidate } from './candidates.ts';
import type { Checkout } from './checkout.ts';
import type { ComposeBuild, ComposeService } from './compose.ts';
import { containerOf, extrasOf } from './containers.ts';
import { type DependencySign, type JobSign, wordsIn } from './dependencies.ts';
import { type Recipe, recipeOf, withoutReloading } from './dockerfile.ts';
import { fittingVariables, type SetVariable, type UnsetVariable } from './environment.ts';
import { folderOf, isBelow, isRequestPath, isSource, type LeftOut, type RepositoryFile } from './files.ts';
import { fittingStart, literal } from './fitting.ts';
import { impliedServices } from './implied.ts';
import { migrationOf, migrationSql } from './migration.ts';
import { type DatabaseSign, usualDatabase } from './postgres.ts';
import { type Known, type Program, type Start, USUAL_PORT } from './programs/program.ts';
import type { Reachable } from './references.ts';
import { healthRoute } from './routes/route.ts';
import { databaseVariables, environmentOf, variablesOf } from './service-environment.ts';
import { type Stack, stackOf } from './stack.ts';
import { withoutWaiting } from './waiting.ts';

/** `from` names the file that showed it. */
export interface ServiceSign {
  name: string;
  from: string;
  build: ComposeBuild | null;
  entrypoint: string[] | null;
  start: Start | null;
  workingDirectory: string;
  /** Null where no file names it. */
  port: Known<number> | null;
  /** What is guessed then. */
  usualPort: number;
  env: SetVariable[];
  unset: UnsetVariable[];
  user: string | null;
  files: [string, string][];
  volumes: string[];
  memory: string | null;
  /** It was seen to close each connection that it was asked over. */
  closesConnections?: boolean;
  /** It was seen to take so long until it was up. */
  startSeconds?: number | undefined;
  /** A path that answers when the service is up, base path included. */
  ready: string | null;
  program: Program | null;
  /** Folder of its code. */
  folder: string;
  wantsDatabase: boolean;
  /** That its compose file has; null where there is none. */
  database: DatabaseSign | null;
  dependencies: DependencySign[];
  jobs: JobSign[];
  /** What a spec cannot hold of it. */
  leftOut: LeftOut[];
}

interface Surroundings {
  files: readonly RepositoryFile[];
  options: { isSecret(name: string, value: string): boolean };
  checkout: Checkout;
  /** The only service that there is: the database that there is, is its own. */
  isAlone: boolean;
  baseOf(service: ComposeService): string | null;
}

export function serviceSign(candidate: Candidate, around: Surroundings): { service: ServiceSign; stack: Stack } {
  const { files, checkout, options, isAlone, baseOf } = around;
  const { name, from, compose, program, folder, project } = candidate;
  const { build, recipe, leftOut: ofImage } = imageOf(candidate, files);
  const port = portOf({ ...candidate, recipe });
  const variables = variablesOf(candidate, files);
  const kept = recipe?.kept ?? [];
  // An image with a database of its own in a file uses no other unless it is told of one.
  const hasClient = program?.client != null && !kept.some((path) => /\.(?:db|sqlite3?)$/.test(path));
  const implied = impliedServices(variables, project);
  const stack = stackOf({
    own: compose,
    project: [...project, ...implied],
    files,
    variables,
    port: port?.value ?? null,
    hasClient,
    sources: (program?.files ?? []).filter(({ path }) => isSource(path)),
    recipe,
    checkout,
    baseOf,
    isSecret: options.isSecret,
  });
  const { env, unset } = environmentOf(candidate, variables, stack.context);
  const usesDatabase = env.some(({ value }) => value.includes('${database.'));
  // What a compose file says of a service is all that it needs.
  const isToldAll = compose !== null && (compose.environment.length > 0 || compose.dependsOn.size > 0);
  const isItsOwn = stack.database !== null && (isAlone || (compose === null && hasClient));
  const isItself =
    usesDatabase || stack.dependsOnDatabase || isItsOwn || (hasClient && stack.context.hasDatabase && !isToldAll);
  const isToldBeside = JSON.stringify([stack.dependencies, stack.jobs]).includes('${database.');
  const wantsDatabase = isItself || isToldBeside;
  const isGuessed = isItself && !(stack.isWritten && !usesDatabase);
  const isOpen = wantsDatabase && stack.jobs.length === 0;
  const sql = isOpen ? migrationSql(program, recipe, compose, files) : null;
  const migration = isOpen && sql === null ? migrationOf(program, recipe, compose, files) : null;
  const started = startOf({ ...candidate, build, recipe }, stack.context.beside);
  const health = healthRoute(program?.routes ?? []);
  const ready =
    compose?.health?.path ??
    recipe?.health ??
    (health === undefined ? null : `${program!.basePath?.value ?? ''}${health.path}`);
  const container = compose === null ? null : containerOf(compose, checkout, true);
  return {
    stack,
    service: {
      name,
      from,
      build,
      entrypoint: started.entrypoint,
      start: started.start,
      workingDirectory: build === null ? folder : '.',
      port,
      usualPort: program?.usualPort ?? USUAL_PORT,
      ...fittingVariables(isGuessed ? [...env, ...databaseVariables(candidate, env)] : env, unset),
      user: compose?.user ?? null,
      files: container?.files ?? [],
      volumes: [...new Set([...(container?.volumes ?? []), ...kept.map(folderOf)])],
      memory: compose?.memory ?? null,
      ready: isRequestPath(ready) ? ready : null,
      program,
      folder,
      wantsDatabase,
      database: sql === null ? stack.database : withMigrations(stack.database, sql, program?.client ?? ''),
      dependencies: stack.dependencies,
      jobs: [...buildJobs(build === null ? started.start : null), ...(migration === null ? stack.jobs : [migration])],
      leftOut: [
        ...ofImage,
        ...(program?.remarks ?? []),
        ...implied.map(({ key, image, from: named }) => ({
          what: `${key} (${named})`,
          why: `a guess: no compose file starts it, and ${image} is taken`,
          kind: 'needed' as const,
        })),
        ...(compose === null ? [] : [...compose.missing, ...container!.leftOut, ...extrasOf(compose)]),
        ...started.leftOut,
      ],
    },
  };
}

/** Whoever starts a program first waits until it is compiled, which takes longer than any server needs to be up. */
function buildJobs(start: Start | null): JobSign[] {
  if (start?.build === undefined) return [];
  return [{ key: 'the build', from: start.from, command: start.build, entrypoint: null, image: null, env: {} }];
}

/** Made by its migrations, where no compose file says how it is. */
function withMigrations(database: DatabaseSign | null, sql: string, client: string): DatabaseSign {
  if (database !== null && database.init.length > 0) return database;
  return { ...(database ?? usualDatabase(client)), init: [sql] };
}

/** With a stage that holds its program, where the one that is built holds none and waits for it to be mounted. */
function imageOf(
  { name, build, recipe, compose, folder }: Candidate,
  files: readonly RepositoryFile[],
): { build: ComposeBuild | null; recipe: Recipe | null; leftOut: LeftOut[] } {
  const mounts = compose?.mounts ?? [];
  const isMounted = mounts.some(
    ({ kind, source }) => kind === 'bind' && source !== null && (isBelow(source, folder) || isBelow(folder, source)),
  );
  if (build === null || recipe === null || recipe.copiesCode || !isMounted) return { build, recipe, leftOut: [] };
  const file = files.find(({ path }) => path === recipe.path);
  const whole = file === undefined || build.target === null ? null : recipeOf(file);
  if (whole?.copiesCode === true) {
    const why = 'it holds no program, which is mounted into it: the last stage is built, which does';
    const left: LeftOut = { what: `stage ${build.target} of ${name} (${recipe.path})`, why, kind: 'file' };
    return { build: { ...build, target: null }, recipe: whole, leftOut: [left] };
  }
  const why =
    'its image holds no program, which the compose file mounts into it: it starts only where its Dockerfile copies it';
  return { build, recipe, leftOut: [{ what: `${name} (${recipe.path})`, why, kind: 'broken' }] };
}

/** A command for somebody who writes the program: it is started again with each change, or waits for a debugger. */
const FOR_DEVELOPMENT =
  /\b(?:nodemon|ts-node-dev|tsx watch|debugpy|dlv|delve|air|reflex|webpack-dev-server|fastapi dev|cargo[ -]watch)\b|--(?:reload|watch|inspect\S*|debug)\b|\b(?:npm|yarn|pnpm|bun)(?: run)? (?:[\w:-]{1,40}[:-])?(?:dev|develop|watch)\b|^sleep infinity$|^tail -[fF]/;

function startOf(
  { name, build, recipe, compose, program }: Candidate,
  beside: readonly Reachable[],
): { entrypoint: string[] | null; start: Start | null; leftOut: LeftOut[] } {
  const ofImage: Start | null =
    recipe?.withoutReloading == null
      ? null
      : { command: recipe.withoutReloading.map(literal), from: recipe.path, before: null, isSlow: false };
  if (compose === null) {
    const { start, why } = fittingStart(build === null ? (program?.start ?? null) : ofImage);
    return {
      entrypoint: null,
      start,
      leftOut: why === '' ? [] : [{ what: `the command of ${name}`, why, kind: 'needed' }],
    };
  }
  const { from } = compose;
  const line = [...(compose.entrypoint ?? []), ...(compose.command ?? [])].join(' ');
  if (FOR_DEVELOPMENT.test(line) && recipe?.startsItself === true) {
    const why = 'for development: what the Dockerfile starts is measured';
    return {
      entrypoint: null,
      start: ofImage,
      leftOut: [{ what: `the command of ${name} (${from})`, why, kind: 'file' }],
    };
  }
  const wordsToRun = (words: string[] | null) => (words === null ? null : withoutReloading(withoutWaiting(words)));
  const entrypoint = wordsToRun(compose.entrypoint);
  const command = wordsToRun(compose.command);
  const isEmpty = command === null || command.length === 0;
  const written: Start | null = isEmpty
    ? compose.command === null && compose.entrypoint === null
      ? ofImage
      : null
    : { command: wordsIn(command, beside) ?? command.map(literal), from, before: null, isSlow: false };
  const { start, why } = fittingStart(written);
  return {
    entrypoint:
      entrypoint === null ? null : entrypoint.length === 0 && start !== null ? [] : wordsIn(entrypoint, beside, 64),
    start,
    leftOut: why === '' ? [] : [{ what: `the command of ${name} (${from})`, why, kind: 'needed' }],
  };
}

/** Of the compose file, the command of the Dockerfile and what its ENV tells, then of the code; what is exposed is only written. */
function portOf({ build, compose, recipe, program }: Candidate): Known<number> | null {
  if (compose?.port != null) return { value: compose.port, from: compose.from };
  const ofImage = recipe?.port ?? recipe?.toldPort ?? null;
  if (ofImage !== null) return { value: ofImage, from: recipe!.path };
  if (program?.port != null) return program.port;
  const [exposed] = recipe?.exposed ?? [];
  if (exposed !== undefined) return { value: exposed, from: recipe!.path };
  if (program === null) return null;
  // A command that says where to listen leaves nothing to be guessed.
  const isTold = build === null && program.start?.command.some((word) => /(?<!\$)\$\{port\}/.test(word)) === true;
  return isTold ? { value: program.usualPort, from: '' } : null;
}
