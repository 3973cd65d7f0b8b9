import { relativePath } from '../values/scalars.ts';
import { contextAbove, pathsIn } from './build-context.ts';
import type { ComposeService } from './compose.ts';
import { type Recipe, recipeOf } from './dockerfile.ts';
import { folderOf, isBelow, type LeftOut, nameOf, type RepositoryFile, slugOf, within } from './files.ts';
import { fittingStart } from './fitting.ts';
import { isPoolerImage, isPostgresImage } from './postgres.ts';
import type { Program } from './programs/program.ts';

export interface BuildSign {
  context: string;
  dockerfile: string;
  target: string | null;
}

/** What is known of a service before its environment is. */
export interface Candidate {
  name: string;
  from: string;
  build: BuildSign | null;
  recipe: Recipe | null;
  compose: ComposeService | null;
  program: Program | null;
  folder: string;
}

export const LOAD_GENERATOR =
  /(?:^|[/_-])(?:k6|wrk2?|locust|jmeter|gatling|vegeta|hey|artillery|bombardier|oha|stress|load|load-?(?:gen|generator|test|tester|tests)|bench(?:mark|marks|er)?)(?:$|[:@_-])/i;
export const FILE_SERVER = /(?:^|\/)(?:nginx|caddy|httpd|traefik|haproxy|envoy)(?:$|[:@-])/;

/** A server has a way to be started, and shows that it answers or listens. */
export function isServer({ start }: Program): boolean {
  return start !== null;
}

export function builtByCompose(
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

export function ofRecipes(
  recipes: readonly Recipe[],
  files: readonly RepositoryFile[],
  programs: readonly Program[],
  rootName: string,
): { candidates: Candidate[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const paths = pathsIn(files);
  const candidates = recipes.flatMap((recipe): Candidate[] => {
    const folder = folderOf(recipe.path);
    // A folder that holds nothing but ways to build: what is built is the folder above.
    const isApart =
      /(?:^|\/)(?:docker|deploy|deployment|infra|ops|containers?)(?:\/[\w.-]+)?$/.test(folder) &&
      !programs.some((each) => each.folder === folder);
    const context = isApart ? '.' : (contextAbove(recipe, paths) ?? folder);
    // Below a context above its folder lie the programs of others, too.
    const program = isApart
      ? programAt([folder, context], programs)
      : (programAt([folder], programs) ?? programs.find((each) => each.folder === context) ?? null);
    const part = isApart
      ? nameOf(folder).replace(/^(?:docker|deploy|deployment|infra|ops|containers?)$/, '')
      : folder === '.'
        ? ''
        : nameOf(folder);
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
      const own = program?.folder ?? (isApart ? context : folder);
      const build = { context, dockerfile: within(context, recipe.path), target: null };
      return [{ name, from: recipe.path, build, recipe, compose: null, program, folder: own }];
    }
    return [];
  });
  return { candidates, leftOut };
}

/**
 * A service whose image is called as what a Dockerfile of this repository builds is that one, published: it is built here, from
 * what is changed here.
 */
export function withOwnImages(compose: readonly ComposeService[], built: readonly Candidate[]): ComposeService[] {
  return compose.map((own) => {
    const { image, build } = own;
    if (build !== null || image === null || isPostgresImage(image) || isPoolerImage(image) || FILE_SERVER.test(image))
      return own;
    const name = nameOf(image.replace(/@.*$/, '').replace(/:[\w.-]+$/, ''));
    const source = built.find((candidate) => candidate.name === slugOf(name));
    return source?.build == null ? own : { ...own, build: source.build, image: null };
  });
}

export function ofProgram(program: Program, rootName: string): Candidate {
  const { folder, from } = program;
  const name = folder === '.' ? rootName : (slugOf(nameOf(folder)) ?? rootName);
  return { name, from, build: null, recipe: null, compose: null, program, folder };
}

export function distinct(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map([...candidates].reverse().map((each) => [each.name, each])).values()].reverse();
}

/** Why no spec can hold a service at all; null where one can. */
export function unwritable({ build, program, folder }: Candidate): string | null {
  if (build === null) {
    if (!relativePath.safeParse(folder).success) return 'a spec cannot name its folder';
    return program === null ? null : fittingStart(program.start).why || null;
  }
  const isRight = relativePath.safeParse(build.context).success && relativePath.safeParse(build.dockerfile).success;
  return isRight ? null : 'a spec cannot name its Dockerfile';
}
