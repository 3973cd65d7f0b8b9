import { relativePath } from '../values/scalars.ts';
import { contextAbove, pathsIn } from './build-context.ts';
import { type ComposeBuild, type ComposeService, dockerfileOf } from './compose.ts';
import { isStageOfDeployed } from './deployed-stage.ts';
import { type Recipe, recipeOf, stageNames } from './dockerfile.ts';
import { folderOf, isBelow, type LeftOut, nameOf, type RepositoryFile, slugOf, within } from './files.ts';
import { fittingStart } from './fitting.ts';
import type { Program } from './programs/program.ts';
import { isJob } from './reach.ts';
import {
  CATCHES_MAIL,
  FILE_SERVER,
  isPoolerImage,
  isPostgresImage,
  LOAD_GENERATOR,
  OF_TESTS,
  plainName,
  WATCHING,
} from './usual-images.ts';

/** What is known of a service before its environment is. */
export interface Candidate {
  name: string;
  from: string;
  build: ComposeBuild | null;
  recipe: Recipe | null;
  compose: ComposeService | null;
  /** What the compose file has beside it. */
  project: readonly ComposeService[];
  program: Program | null;
  folder: string;
}

/** A server has a way to be started, and shows that it answers or listens. */
export function isServer({ start }: Program): boolean {
  return start !== null;
}

/** Where files are looked up that stand in a repository. */
export interface Found {
  files: readonly RepositoryFile[];
  recipes: readonly Recipe[];
  programs: readonly Program[];
}

/** The Dockerfile that a service is built from; null where it is not built, or the Dockerfile is not there. */
export function recipeFor({ build }: Pick<ComposeService, 'build'>, files: readonly RepositoryFile[]): Recipe | null {
  if (build === null || 'problem' in build) return null;
  const path = dockerfileOf(build);
  const file = files.find((each) => each.path === path);
  return file === undefined ? null : recipeOf(file, build.target);
}

export function builtByCompose(
  project: readonly ComposeService[],
  { files, programs }: Found,
): { candidates: Candidate[]; leftOut: LeftOut[]; recipes: Set<string> } {
  const leftOut: LeftOut[] = [];
  const candidates: Candidate[] = [];
  const taken = new Set<string>();
  for (const own of project) {
    if (own.build === null) continue;
    const leave = (why: string, kind: LeftOut['kind'] = 'service') =>
      leftOut.push({ what: `${own.key} (${own.from})`, why, kind });
    if ('problem' in own.build) {
      leave(`${own.build.problem}, which a spec cannot name`, 'needed');
      continue;
    }
    const path = dockerfileOf(own.build);
    taken.add(path);
    const recipe = recipeFor(own, files);
    if (isJob(own, project) || isPostgresImage(recipe?.base ?? null)) continue;
    const program = programAt([folderOf(path), own.build.context], programs);
    const why = isStageOfDeployed(own, project) ? FOR_CODE : notAServer(own, recipe, program, project);
    const name = slugOf(own.key);
    // Whether one that shows neither a port nor a route is a server, those beside it say.
    const isUnknown = why === NOTHING_SHOWN && isBehindGateway(own, project);
    const same = candidates.find(({ compose }) => programText(compose!) === programText(own));
    if (why !== null && !isUnknown) leave(why);
    else if (same !== undefined) leave(`the same program as ${same.name}, which is measured`);
    else if (name === null) leave('its name cannot be written in a spec');
    else {
      const folder = program?.folder ?? own.build.context;
      candidates.push({ name, from: own.from, build: own.build, recipe, compose: own, project, program, folder });
    }
  }
  return { candidates, leftOut, recipes: taken };
}

/** What is alike of a program that is started several times: how it is built, started and told, but for options such as its port. */
function programText({ build, entrypoint, command, environment }: ComposeService): string {
  const words = [...(entrypoint ?? []), ...(command ?? [])];
  const options = words.findIndex((word) => word.startsWith('-'));
  const told = environment.map(({ name, value }) => `${name}=${value}`).sort();
  return JSON.stringify([build, options < 0 ? words : words.slice(0, options), told]);
}

const FOR_CODE = 'a development stage: another service is what its Dockerfile builds in the end';
const NOTHING_SHOWN = 'no port and no route: taken for a worker';

/** What a gateway waits for is what it passes requests to. */
function isBehindGateway({ key }: ComposeService, project: readonly ComposeService[]): boolean {
  return project.some(
    (other) =>
      other.dependsOn.has(key) &&
      [other.key, other.image ?? ''].some((name) => FILE_SERVER.test(name) || GATEWAY.test(name)),
  );
}

const GATEWAY = /(?:^|[_-])(?:proxy|gateway|web-?server|ingress)(?:$|[_-])/i;

/** What works through a queue or a calendar, and listens to nobody. */
const WORKS =
  /celery|sidekiq|resque|dramatiq|bullmq|horizon|worker|scheduler|consumer|(?:^|[^a-z])(?:rq|huey|arq|queue:(?:work|listen)|schedule:(?:work|run)|good_job|solid_queue|beat|cron)(?:$|[^a-z])/i;

/** Why something that is built is no server under test; null where it is one. */
function notAServer(
  own: ComposeService,
  recipe: Recipe | null,
  program: Program | null,
  project: readonly ComposeService[],
): string | null {
  const base = recipe?.base ?? '';
  if (LOAD_GENERATOR.test(own.key) || LOAD_GENERATOR.test(base))
    return 'taken for what loads the servers, which wrkbench does itself';
  const dockerfile = own.build !== null && !('problem' in own.build) ? own.build.dockerfile : '';
  if ([own.key, base, dockerfile].some((name) => OF_TESTS.test(name))) return 'taken for tests';
  // In its own repository it is what there is to be measured.
  const isAllThatIsBuilt =
    (program?.routes.length ?? 0) > 0 && project.every((other) => other === own || other.build === null);
  if (!isAllThatIsBuilt && (WATCHING.test(own.key) || CATCHES_MAIL.test(own.key)))
    return 'not needed by what is measured';
  if (isPoolerImage(base)) return 'it is a pooler of your own: write database.pooler for one of wrkbench';
  if (FILE_SERVER.test(base) && (program?.routes.length ?? 0) === 0) {
    return `it serves files or passes requests on (${base}): add it by hand if you want it measured`;
  }
  if (own.port !== null) return null;
  const command = [...(own.entrypoint ?? []), ...(own.command ?? [])];
  // Another stage of the same Dockerfile may be the tools that its pages are made with.
  const filesOf = ({ build }: ComposeService) =>
    build === null || 'problem' in build ? JSON.stringify(build) : `${build.context} ${build.dockerfile}`;
  const isSame = (other: ComposeService) => other !== own && other.build !== null && filesOf(other) === filesOf(own);
  // One that only begins earlier is no other server.
  const isServed = project.some(
    (other) =>
      isSame(other) &&
      !isJob(other, project) &&
      !WATCHING.test(other.key) &&
      !WORKS.test(other.key) &&
      (other.port !== null || other.command === null),
  );
  if (command.length > 0 && isServed)
    return 'no port, and built from the same files as another service: taken for a worker';
  if (WORKS.test(own.key) || command.some((word) => WORKS.test(word))) return 'no port: taken for a worker';
  const isListening =
    recipe !== null && (recipe.port !== null || recipe.exposed.length > 0 || recipe.toldPort !== null);
  if (recipe !== null && !isListening && (program?.routes.length ?? 0) === 0) return NOTHING_SHOWN;
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

/** Folders that hold nothing but ways to build: what is built is the folder above. */
const APART_NAME = /^(?:docker|dockerfiles?|deploy|deployment|infra|ops|containers?|build|images?|scripts|hack)$/;
const isApartFolder = (folder: string) =>
  folder
    .split('/')
    .slice(-2)
    .some((name) => APART_NAME.test(name));

export function ofRecipes(
  { files, recipes, programs }: Found,
  rootName: string,
): { candidates: Candidate[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const paths = pathsIn(files);
  const built = new Set<string>();
  const candidates = recipes.flatMap((recipe): Candidate[] => {
    const folder = folderOf(recipe.path);
    const isApart = isApartFolder(folder) && !programs.some((each) => each.folder === folder);
    const context = isApart ? '.' : (contextAbove(recipe, paths) ?? folder);
    // Below a context above its folder lie the programs of others, too.
    const program = isApart
      ? programAt([folder, context], programs)
      : (programAt([folder], programs) ?? programs.find((each) => each.folder === context) ?? null);
    const part = isApart ? nameOf(folder).replace(APART_NAME, '') : folder === '.' ? '' : nameOf(folder);
    const own = program?.folder ?? (isApart ? context : folder);
    const isOnly =
      isApart &&
      program !== null &&
      programs.every((each) => each.folder === program.folder || each.routes.length === 0);
    const name = part === '' || isOnly ? rootName : slugOf(part);
    const leave = (why: string) => leftOut.push({ what: recipe.path, why, kind: 'service' });
    if (LOAD_GENERATOR.test(recipe.base) || (part !== '' && LOAD_GENERATOR.test(part)))
      leave('taken for what loads the servers, which wrkbench does itself');
    else if (OF_TESTS.test(recipe.base) || OF_TESTS.test(recipe.path)) leave('taken for tests');
    else if (isPostgresImage(recipe.base)) leave(`it is a Postgres with changes of its own: name it in database.build`);
    else if (name === null) leave('the name of its folder cannot be written in a spec');
    else if (recipes.length > 1 && FILE_SERVER.test(recipe.base) && (program?.routes.length ?? 0) === 0)
      leave(`it serves files or passes requests on (${recipe.base})`);
    else if (isApart && built.has(`${own}\n${name}`)) leave('it builds what another Dockerfile builds too');
    else {
      built.add(`${own}\n${name}`);
      const build = { context, dockerfile: within(context, recipe.path), target: null, args: {} };
      return [{ name, from: recipe.path, build, recipe, compose: null, project: [], program, folder: own }];
    }
    return [];
  });
  return { candidates, leftOut };
}

/**
 * A service whose image is called as what a Dockerfile of this repository builds is that one, published: it is built here, from
 * what is changed here.
 */
export function withOwnImages(project: readonly ComposeService[], built: readonly Candidate[]): ComposeService[] {
  return project.map((own) => {
    const { image, build } = own;
    if (build !== null || image === null || isPostgresImage(image) || isPoolerImage(image) || FILE_SERVER.test(image))
      return own;
    const name = slugOf(plainName(image));
    const source = built.find((each) => each.name === name || each.name.split('.')[0] === name);
    if (source?.build == null) return own;
    // Behind the stage that is called so may stand others, for larger images.
    const stage = stageNames(source.recipe?.content ?? '').find((each) => each.toLowerCase() === name);
    return { ...own, build: { ...source.build, target: stage ?? null }, image: null };
  });
}

export function ofProgram(program: Program, rootName: string): Candidate {
  const { folder, from } = program;
  const name = folder === '.' ? rootName : (slugOf(nameOf(folder)) ?? rootName);
  return { name, from, build: null, recipe: null, compose: null, project: [], program, folder };
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
