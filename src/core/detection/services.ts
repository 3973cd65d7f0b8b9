import { imageReference } from '../values/scalars.ts';
import {
  type BuildSign,
  builtByCompose,
  type Candidate,
  distinct,
  FILE_SERVER,
  isServer,
  LOAD_GENERATOR,
  ofProgram,
  ofRecipes,
  unwritable,
  withOwnImages,
} from './candidates.ts';
import {
  type ComposeService,
  composeServices,
  isExampleEnvironment,
  MOST_COMPOSE_SERVICES,
  variablesIn,
} from './compose.ts';
import { composeExtras } from './compose-extras.ts';
import { recipesOf } from './dockerfile.ts';
import {
  classified,
  connectionUrl,
  databasePrefixes,
  databaseVariablesIn,
  type EnvironmentContext,
  fittingVariables,
  type SetVariable,
  type UnsetVariable,
} from './environment.ts';
import { folderOf, isRequestPath, isSource, type LeftOut, type RepositoryFile } from './files.ts';
import { fittingStart, literal, MOST_VARIABLES } from './fitting.ts';
import { type DatabaseSign, databaseOf, isPoolerImage, isPostgresImage, unusedSql } from './postgres.ts';
import { type Known, type Program, type Start, USUAL_PORT } from './programs/program.ts';
import { isHealthPath } from './routes/route.ts';

/** A service as it can be told from files; `from` names the file that showed it. */
export interface ServiceSign {
  name: string;
  from: string;
  build: BuildSign | null;
  start: Start | null;
  workingDirectory: string;
  /** Null where no file names it. */
  port: Known<number> | null;
  /** What is guessed then. */
  usualPort: number;
  env: SetVariable[];
  unset: UnsetVariable[];
  /** A path that answers when the service is up, base path included. */
  ready: string | null;
  program: Program | null;
  /** Folder of its code. */
  folder: string;
  wantsDatabase: boolean;
  /** What a spec cannot hold of it. */
  leftOut: LeftOut[];
}

export interface FoundServices {
  services: ServiceSign[];
  database: DatabaseSign | null;
  leftOut: LeftOut[];
}

export interface DetectionOptions {
  /** For a repository that does not say what it is called. */
  folderName: string;
  isSecret(name: string, value: string): boolean;
}

/** Of compose files what they build, else of Dockerfiles, else of the programs themselves. */
export function servicesIn(
  files: readonly RepositoryFile[],
  programs: readonly Program[],
  name: string,
  options: DetectionOptions,
): FoundServices {
  const recipes = recipesOf(files);
  const compose = withOwnImages(composeServices(files), ofRecipes(recipes, files, programs, name).candidates);
  const { database, leftOut } = databaseOf(compose, files);
  if (compose.length === MOST_COMPOSE_SERVICES) {
    leftOut.push({ what: 'services of compose files after these', why: `${MOST_COMPOSE_SERVICES} were read` });
  }
  const built = builtByCompose(compose, files, recipes, programs);
  leftOut.push(...built.leftOut);
  let candidates = built.candidates;
  const others = recipes.filter((recipe) => !built.recipes.has(recipe.path));
  if (candidates.length === 0) {
    const own = ofRecipes(others, files, programs, name);
    candidates = own.candidates;
    leftOut.push(...own.leftOut);
  } else {
    leftOut.push(...others.map(({ path }) => ({ what: path, why: `no service of ${built.from} is built from it` })));
  }
  if (candidates.length === 0) candidates = programs.filter(isServer).map((program) => ofProgram(program, name));
  const writable = candidates.filter((candidate) => {
    const why = unwritable(candidate);
    if (why !== null) leftOut.push({ what: `${candidate.name} (${candidate.from})`, why });
    return why === null;
  });
  const services = distinct(writable).map((candidate) =>
    completed(candidate, { compose, database, files, options, isAlone: writable.length === 1 }),
  );
  leftOut.push(...services.flatMap(({ leftOut: own }) => own));
  leftOut.push(...pulledImages(compose, database, services));
  if (services.some(({ wantsDatabase }) => wantsDatabase)) leftOut.push(...unusedSql(files, database));
  return { services, database, leftOut };
}

interface Surroundings {
  compose: readonly ComposeService[];
  database: DatabaseSign | null;
  files: readonly RepositoryFile[];
  options: DetectionOptions;
  /** The only service that there is: the database that there is, is its own. */
  isAlone: boolean;
}

function completed(candidate: Candidate, surroundings: Surroundings): ServiceSign {
  const { name, from, build, recipe, compose, program, folder } = candidate;
  const { database, isAlone } = surroundings;
  const port = portOfAll(candidate);
  const { env, unset } = environmentOf(candidate, port?.value ?? null, surroundings);
  const usesDatabase = env.some(({ value }) => value.includes('${database.'));
  const dependsOn = surroundings.compose.some(
    ({ key, image }) => isPostgresImage(image) && compose?.dependsOn.includes(key) === true,
  );
  const wantsDatabase = usesDatabase || dependsOn || program?.client != null || (database !== null && isAlone);
  const written: Start | null =
    compose?.command != null
      ? { command: compose.command.map(literal), from: compose.from, before: null, isSlow: false }
      : build === null
        ? (program?.start ?? null)
        : null;
  const { start, why } = fittingStart(written);
  const health = program?.routes.find(
    ({ method, path }) => method === 'GET' && isHealthPath(path) && !path.includes('{'),
  );
  const ready =
    compose?.ready ??
    recipe?.health ??
    (health === undefined ? null : `${program!.basePath?.value ?? ''}${health.path}`);
  return {
    name,
    from,
    build,
    start,
    workingDirectory: build === null ? folder : '.',
    port,
    usualPort: program?.usualPort ?? USUAL_PORT,
    ...fittingVariables(wantsDatabase ? [...env, ...databaseVariables(candidate, env)] : env, unset),
    ready: isRequestPath(ready) ? ready : null,
    program,
    folder,
    wantsDatabase,
    leftOut: [
      ...(compose === null ? [] : composeExtras(compose)),
      ...(why === '' ? [] : [{ what: `the command of ${name} (${written!.from})`, why }]),
    ],
  };
}

function portOfAll({ build, compose, recipe, program }: Candidate): Known<number> | null {
  if (compose?.port != null) return { value: compose.port, from: compose.from };
  if (recipe?.port != null) return { value: recipe.port, from: recipe.path };
  if (program === null || program.port !== null) return program?.port ?? null;
  // A command that says where to listen leaves nothing to be guessed.
  const isTold = build === null && program.start?.command.some((word) => /(?<!\$)\$\{port\}/.test(word)) === true;
  return isTold ? { value: program.usualPort, from: '' } : null;
}

/** What the code reads about its database and no file has a value for; where nothing tells, the usual variable. */
function databaseVariables({ program }: Candidate, env: readonly SetVariable[]): SetVariable[] {
  const set = env.filter(({ value }) => value.includes('${database.'));
  // A URL needs no parts.
  if (set.some(({ value }) => value.includes('://') || value.includes('${database.url}'))) return [];
  const named = program === null ? {} : databaseVariablesIn(program.files, program.scheme);
  const [first] = [named, program?.databaseVariables ?? {}].filter((each) => Object.keys(each).length > 0);
  const usual = set.length > 0 ? {} : { DATABASE_URL: connectionUrl(program?.scheme ?? 'postgres') };
  return Object.entries(first ?? usual)
    .filter(([name]) => !env.some((each) => each.name === name))
    .map(([name, value]) => ({ name, value, from: '', note: first === undefined ? A_GUESS : '' }));
}

const A_GUESS = 'a guess: no file names the variable that holds the address of its database';

function environmentOf(
  { compose, program, folder }: Candidate,
  port: number | null,
  { compose: all, database, files, options }: Surroundings,
): { env: SetVariable[]; unset: UnsetVariable[] } {
  const absentHosts = new Map(
    all
      .filter(({ key, image }) => key !== compose?.key && !isPostgresImage(image) && !isPoolerImage(image))
      .map(({ key, image }) => [key, image === null ? key : `${key} (${image})`]),
  );
  const databaseHosts = new Set(
    all.filter(({ image }) => isPostgresImage(image) || isPoolerImage(image)).map(({ key }) => key),
  );
  const context: EnvironmentContext = {
    hasDatabase: database !== null || program?.client != null || (compose?.environment ?? []).some(namesPostgres),
    port: port ?? 0,
    absentHosts,
    databaseHosts,
    databasePrefixes: databasePrefixes(compose?.environment ?? [], databaseHosts),
    isSecret: options.isSecret,
  };
  const isEvery = program === null || program.readsEveryVariable;
  const sources = (isEvery ? [] : program.files).filter(({ path }) => isSource(path)).map(({ content }) => content);
  const words = new Set(sources.flatMap((content) => content.toLowerCase().match(/\w+/g) ?? []));
  const isRead = (name: string) => sources.length === 0 || words.has(name.toLowerCase());
  const examples = files
    .filter(({ path }) => isExampleEnvironment(path) && (folderOf(path) === folder || folderOf(path) === '.'))
    .flatMap(({ path, content }) =>
      variablesIn(content).map(([name, value]) => ({ name, value: value as string | null, from: path })),
    );
  const named = [...(compose?.environment ?? []), ...examples.filter(({ name }) => isRead(name))];
  const env: SetVariable[] = Object.entries(program?.portVariables ?? {})
    .filter(([name]) => program!.listensUnseen || isRead(name) || name !== 'PORT')
    .map(([name, value]) => ({ name, value, from: '', note: '' }));
  const unset: UnsetVariable[] = [];
  const seen = new Set(env.map(({ name }) => name));
  for (const { name, value, from } of named) {
    if (seen.has(name)) continue;
    if (seen.size >= MOST_VARIABLES) {
      unset.push({ name: 'others', from, why: `${MOST_VARIABLES} variables are enough for a first spec` });
      break;
    }
    seen.add(name);
    const result = classified(name, value, context);
    if (result.kind === 'set') env.push({ name, value: result.value, from, note: result.note });
    else unset.push({ name, from, why: result.why });
  }
  return { env, unset };
}

/** Of a database that no compose file starts. */
function namesPostgres({ name, value }: { name: string; value: string | null }): boolean {
  return (
    /^(?:PGHOST|POSTGRES_(?:HOST|DB|USER))$/.test(name) || /^(?:jdbc:)?postgres(?:ql)?(?:\+\w+)?:\/\//.test(value ?? '')
  );
}

/** Images that a compose file pulls, but for Postgres and its pooler. */
function pulledImages(
  compose: readonly ComposeService[],
  database: DatabaseSign | null,
  services: readonly ServiceSign[],
): LeftOut[] {
  return compose.flatMap(({ key, image, build, from }) => {
    if (build !== null || isPostgresImage(image)) return [];
    if (isPoolerImage(image) && database !== null) return [];
    const what =
      image !== null && imageReference.safeParse(image).success ? `${key} (${image}, ${from})` : `${key} (${from})`;
    if (LOAD_GENERATOR.test(image ?? '') || LOAD_GENERATOR.test(key)) {
      return [{ what, why: 'it is taken for what loads the servers, which wrkbench does itself' }];
    }
    if (FILE_SERVER.test(image ?? '')) {
      return [{ what, why: 'it is taken for a gateway: `gateway: nginx` measures every case once more through one' }];
    }
    const leftOut = services.flatMap(({ name, unset }) =>
      unset
        .filter(({ why }) => why.includes(`to ${key} (`))
        .map(
          (each) => `without ${each.name}, which the spec leaves out, ${name} may not start or may answer differently`,
        ),
    );
    const consequence = leftOut.length === 0 ? 'a service that needs it may not start' : leftOut.join('; ');
    return [{ what, why: `besides the services, wrkbench starts only Postgres; ${consequence}` }];
  });
}
