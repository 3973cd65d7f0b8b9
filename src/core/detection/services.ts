import { imageReference } from '../values/scalars.ts';
import { type ComposeService, composeServices, isExampleEnvironment, variablesIn } from './compose.ts';
import { type Recipe, recipeOf, recipesOf } from './dockerfile.ts';
import {
  classified,
  connectionUrl,
  databaseVariablesIn,
  type EnvironmentContext,
  type SetVariable,
  type UnsetVariable,
} from './environment.ts';
import { folderOf, isBelow, type LeftOut, nameOf, type RepositoryFile, slugOf, within } from './files.ts';
import { type DatabaseSign, databaseOf, isPoolerImage, isPostgresImage } from './postgres.ts';
import type { Known, Program, Start } from './programs/program.ts';
import { programsOf } from './programs/programs.ts';
import { isHealthPath } from './routes/route.ts';

/** A service as it can be told from files; `from` names the file that showed it. */
export interface ServiceSign {
  name: string;
  from: string;
  build: { context: string; dockerfile: string; target: string | null } | null;
  start: Start | null;
  workingDirectory: string;
  /** Null where no file names it. */
  port: Known<number> | null;
  env: SetVariable[];
  unset: UnsetVariable[];
  /** A path that answers when the service is up, base path included. */
  ready: string | null;
  program: Program | null;
  /** Folder of its code. */
  folder: string;
  wantsDatabase: boolean;
}

export interface FoundServices {
  services: ServiceSign[];
  database: DatabaseSign | null;
  leftOut: LeftOut[];
  programs: Program[];
}

export interface DetectionOptions {
  /** For a repository that does not say what it is called. */
  folderName: string;
  isSecret(name: string, value: string): boolean;
}

/** What is known of a service before its environment is. */
interface Candidate {
  name: string;
  from: string;
  build: ServiceSign['build'];
  recipe: Recipe | null;
  compose: ComposeService | null;
  program: Program | null;
  folder: string;
}

const LOAD_GENERATOR =
  /(?:^|[/_-])(?:k6|wrk2?|locust|jmeter|gatling|vegeta|hey|artillery|bombardier|oha|stress|load|load-?(?:gen|generator|test|tester|tests)|bench(?:mark|marks|er)?)(?:$|[:@_-])/i;
const FILE_SERVER = /(?:^|\/)(?:nginx|caddy|httpd|traefik|haproxy|envoy)(?:$|[:@-])/;

/** Of compose files what they build, else of Dockerfiles, else of the programs themselves. */
export function servicesIn(files: readonly RepositoryFile[], name: string, options: DetectionOptions): FoundServices {
  const compose = composeServices(files);
  const programs = programsOf(files);
  const recipes = recipesOf(files);
  const { database, leftOut } = databaseOf(compose, files);
  const built = builtByCompose(compose, files, recipes, programs);
  leftOut.push(...built.leftOut);
  let candidates = built.candidates;
  const others = recipes.filter((recipe) => !built.recipes.has(recipe.path));
  if (candidates.length === 0) {
    const own = ofRecipes(others, programs, name);
    candidates = own.candidates;
    leftOut.push(...own.leftOut);
  } else {
    leftOut.push(...others.map(({ path }) => ({ what: path, why: `no service of ${built.from} is built from it` })));
  }
  if (candidates.length === 0) candidates = programs.filter(isServer).map((program) => ofProgram(program, name));
  const services = distinct(candidates).map((candidate) =>
    completed(candidate, { compose, database, files, options, isAlone: candidates.length === 1 }),
  );
  leftOut.push(...pulledImages(compose, database, services));
  return { services, database, leftOut, programs };
}

/** A server has a way to be started, and shows that it answers or listens. */
function isServer({ start }: Program): boolean {
  return start !== null;
}

function builtByCompose(
  compose: readonly ComposeService[],
  files: readonly RepositoryFile[],
  recipes: readonly Recipe[],
  programs: readonly Program[],
): { candidates: Candidate[]; leftOut: LeftOut[]; recipes: Set<string>; from: string } {
  const leftOut: LeftOut[] = [];
  const candidates: Candidate[] = [];
  const taken = new Set<string>();
  for (const own of compose) {
    if (own.build === null) continue;
    const leave = (why: string) => leftOut.push({ what: `${own.key} (${own.from})`, why });
    if ('problem' in own.build) {
      leave(`${own.build.problem}, which a spec cannot name`);
      continue;
    }
    const { context, dockerfile } = own.build;
    const path = context === '.' ? dockerfile : `${context}/${dockerfile}`;
    taken.add(path);
    const file = files.find((each) => each.path === path);
    const recipe = recipes.find((each) => each.path === path) ?? (file === undefined ? null : recipeOf(file));
    const program = programAt([folderOf(path), context], programs);
    const why = notAServer(own, recipe, program, compose);
    const name = slugOf(own.key);
    if (why !== null) leave(why);
    else if (name === null) leave('its name cannot be written in a spec');
    else
      candidates.push({
        name,
        from: own.from,
        build: own.build,
        recipe,
        compose: own,
        program,
        folder: program?.folder ?? context,
      });
  }
  return { candidates, leftOut, recipes: taken, from: [...new Set(compose.map(({ from }) => from))].join(', ') };
}

/** Why something that is built is no server under test; null where it is one. */
function notAServer(
  own: ComposeService,
  recipe: Recipe | null,
  program: Program | null,
  compose: readonly ComposeService[],
): string | null {
  const base = recipe?.base ?? '';
  if (LOAD_GENERATOR.test(own.key) || LOAD_GENERATOR.test(base))
    return 'it is taken for what loads the servers, which wrkbench does itself';
  if (isPostgresImage(base))
    return `it is a Postgres with changes of its own: a spec names an image, such as ${base}; build it before and name that`;
  if (isPoolerImage(base)) return 'it is a pooler of your own: write database.pooler for one of wrkbench';
  if (FILE_SERVER.test(base) && (program?.routes.length ?? 0) === 0) {
    return `it serves files or passes requests on (${base}): add it by hand if you want it measured`;
  }
  const isSame = (other: ComposeService) =>
    other !== own &&
    other.build !== null &&
    !('problem' in other.build) &&
    JSON.stringify(other.build) === JSON.stringify(own.build);
  if (
    own.port === null &&
    own.command !== null &&
    compose.some((other) => isSame(other) && (other.port !== null || other.command === null))
  )
    return 'it has no port, and is built from the same files as another service: it is taken for a worker';
  if (own.port === null && recipe !== null && recipe.port === null && (program?.routes.length ?? 0) === 0)
    return 'it names no port and declares no route: it is taken for a worker';
  return null;
}

/** A program in one of these folders, else the one below the last of them that declares most. */
function programAt(folders: readonly string[], programs: readonly Program[]): Program | null {
  for (const folder of folders) {
    const exact = programs.find((program) => program.folder === folder);
    if (exact !== undefined) return exact;
  }
  const below = programs.filter(({ folder }) => isBelow(folder, folders.at(-1)!));
  return [...below].sort((a, b) => b.routes.length - a.routes.length)[0] ?? null;
}

function ofRecipes(
  recipes: readonly Recipe[],
  programs: readonly Program[],
  rootName: string,
): { candidates: Candidate[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const candidates = recipes.flatMap((recipe): Candidate[] => {
    const folder = folderOf(recipe.path);
    // A folder that holds nothing but ways to build: what is built is the folder above.
    const isApart =
      /(?:^|\/)(?:docker|deploy|deployment|infra|ops|containers?)(?:\/[\w.-]+)?$/.test(folder) &&
      !programs.some((each) => each.folder === folder);
    const context = isApart ? '.' : folder;
    const program = programAt([folder, context], programs);
    const part = isApart
      ? nameOf(folder).replace(/^(?:docker|deploy|deployment|infra|ops|containers?)$/, '')
      : context === '.'
        ? ''
        : nameOf(context);
    const name = part === '' ? rootName : slugOf(part);
    const leave = (why: string) => leftOut.push({ what: recipe.path, why });
    if (LOAD_GENERATOR.test(recipe.base) || (part !== '' && LOAD_GENERATOR.test(part)))
      leave('it is taken for what loads the servers, which wrkbench does itself');
    else if (isPostgresImage(recipe.base))
      leave(`it is a Postgres with changes of its own: a spec names an image, such as ${recipe.base}`);
    else if (name === null) leave('the name of its folder cannot be written in a spec');
    else if (recipes.length > 1 && FILE_SERVER.test(recipe.base) && (program?.routes.length ?? 0) === 0)
      leave(`it serves files or passes requests on (${recipe.base})`);
    else {
      const build = { context, dockerfile: within(context, recipe.path), target: null };
      return [{ name, from: recipe.path, build, recipe, compose: null, program, folder: program?.folder ?? context }];
    }
    return [];
  });
  return { candidates, leftOut };
}

function ofProgram(program: Program, rootName: string): Candidate {
  const { folder, from } = program;
  const name = folder === '.' ? rootName : (slugOf(nameOf(folder)) ?? rootName);
  return { name, from, build: null, recipe: null, compose: null, program, folder };
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map([...candidates].reverse().map((each) => [each.name, each])).values()].reverse();
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
  const start: Start | null =
    compose?.command != null
      ? {
          command: compose.command.map((word) => word.replaceAll('${', '$${')),
          from: compose.from,
          before: null,
          isSlow: false,
        }
      : build === null
        ? (program?.start ?? null)
        : null;
  const health = program?.routes.find(
    ({ method, path }) => method === 'GET' && isHealthPath(path) && !path.includes('{'),
  );
  return {
    name,
    from,
    build,
    start,
    workingDirectory: build === null ? folder : '.',
    port,
    env: wantsDatabase && !usesDatabase ? [...env, ...toldOfDatabase(candidate)] : env,
    unset,
    ready: compose?.ready ?? recipe?.health ?? (health === undefined ? null : `${program!.basePath}${health.path}`),
    program,
    folder,
    wantsDatabase,
  };
}

function portOfAll({ compose, recipe, program }: Candidate): Known<number> | null {
  if (compose?.port != null) return { value: compose.port, from: compose.from };
  if (recipe?.port != null) return { value: recipe.port, from: recipe.path };
  return program?.port ?? null;
}

function toldOfDatabase({ program }: Candidate): SetVariable[] {
  const named = program === null ? {} : databaseVariablesIn(program.files, program.scheme);
  const [first] = [named, program?.databaseVariables ?? {}].filter((each) => Object.keys(each).length > 0);
  const variables = first ?? { DATABASE_URL: connectionUrl(program?.scheme ?? 'postgres') };
  return Object.entries(variables).map(([name, value]) => ({ name, value, from: '', note: '' }));
}

function environmentOf(
  { compose, build, program, folder }: Candidate,
  port: number | null,
  { compose: all, database, files, options }: Surroundings,
): { env: SetVariable[]; unset: UnsetVariable[] } {
  const absentHosts = new Map(
    all
      .filter(({ key, image }) => key !== compose?.key && !isPostgresImage(image) && !isPoolerImage(image))
      .map(({ key, image }) => [key, image === null ? key : `${key} (${image})`]),
  );
  const context: EnvironmentContext = {
    hasDatabase: database !== null || program?.client != null || (compose?.environment ?? []).some(namesPostgres),
    port: port ?? 0,
    absentHosts,
    isSecret: options.isSecret,
  };
  const sources = (program?.files ?? [])
    .filter(({ path }) => !isExampleEnvironment(path))
    .map(({ content }) => content);
  const isRead = (name: string) =>
    sources.length === 0 || sources.some((content) => new RegExp(`\\b${name}\\b`, 'i').test(content));
  const examples = files
    .filter(({ path }) => isExampleEnvironment(path) && (folderOf(path) === folder || folderOf(path) === '.'))
    .flatMap(({ path, content }) =>
      variablesIn(content).map(([name, value]) => ({ name, value: value as string | null, from: path })),
    );
  const named = [
    ...(compose?.environment ?? []).map(({ name, value }) => ({ name, value, from: compose!.from })),
    ...examples.filter(({ name }) => isRead(name)),
  ];
  const env: SetVariable[] = Object.entries(program?.portVariables ?? {})
    .filter(([name]) => build === null || sources.length === 0 || isRead(name) || name !== 'PORT')
    .map(([name, value]) => ({ name, value, from: '', note: '' }));
  const unset: UnsetVariable[] = [];
  const seen = new Set(env.map(({ name }) => name));
  for (const { name, value, from } of named) {
    if (seen.has(name)) continue;
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
    const told = services.flatMap(({ name, unset }) =>
      unset
        .filter(({ why }) => why.includes(`to ${key} (`))
        .map((each) => `${name} is told of it by ${each.name}, which the spec leaves out`),
    );
    const consequence =
      told.length === 0
        ? 'a service that needs it may not start'
        : `${told.join('; ')}: it may not start, or answer otherwise`;
    return [{ what, why: `wrkbench starts Postgres beside a service and no other image; ${consequence}` }];
  });
}
