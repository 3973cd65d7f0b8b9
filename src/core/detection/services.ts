import { absentSources } from './build-context.ts';
import {
  builtByCompose,
  type Candidate,
  distinct,
  type Found,
  isServer,
  ofProgram,
  ofRecipes,
  recipeFor,
  unwritable,
  withOwnImages,
} from './candidates.ts';
import { type Checkout, checkoutOf } from './checkout.ts';
import { type ComposeService, composeProjects, dockerfileOf, MOST_COMPOSE_SERVICES } from './compose.ts';
import type { ReadProject } from './compose-project.ts';
import { isForTrials } from './compose-source.ts';
import { asDeployed } from './deployed-stage.ts';
import { recipesOf } from './dockerfile.ts';
import type { LeftOut, RepositoryFile } from './files.ts';
import { unusedSql } from './postgres.ts';
import type { Program } from './programs/program.ts';
import { whyAbsent } from './reach.ts';
import { type ServiceSign, serviceSign } from './service-sign.ts';
import type { Stack } from './stack.ts';

export type { ServiceSign } from './service-sign.ts';

export interface FoundServices {
  services: ServiceSign[];
  leftOut: LeftOut[];
}

export interface DetectionOptions {
  /** For a repository that does not say what it is called. */
  folderName: string;
  isSecret(name: string, value: string): boolean;
  /** Compose files as Compose itself reads them; those that are not here are read without it. */
  compose?: readonly ReadProject[];
  /** Paths of what is checked in; null where that is not known. */
  checkout?: readonly string[] | null;
}

/** More than anybody measures at a time. */
const MOST_SERVICES = 30;

/** Of compose files what they build, else of Dockerfiles, else of the programs themselves. */
export function servicesIn(
  files: readonly RepositoryFile[],
  programs: readonly Program[],
  name: string,
  options: DetectionOptions,
): FoundServices {
  const checkout = checkoutOf(options.checkout ?? null);
  const recipes = recipesOf(files);
  const found: Found = { files, recipes, programs };
  const published = ofRecipes(found, name).candidates;
  const projects = composeProjects(files, options.compose ?? []).map((all) =>
    withOwnImages(all, published).map((each) => asDeployed(each, files)),
  );
  const leftOut: LeftOut[] = [];
  if (projects.flat().length === MOST_COMPOSE_SERVICES) {
    leftOut.push({ what: 'services of compose files after these', why: `${MOST_COMPOSE_SERVICES} were read` });
  }
  const isBuilt = buildable(checkout, files, leftOut);
  let candidates = ofProjects(projects, found, leftOut).filter(isBuilt);
  if (candidates.length === 0) {
    const [beside = []] = projects;
    const own = ofRecipes(found, name);
    leftOut.push(...own.leftOut);
    candidates = own.candidates.filter(isBuilt);
    if (candidates.length === 0) candidates = programs.filter(isServer).map((program) => ofProgram(program, name));
    candidates = candidates.map((each) => ({ ...each, project: beside }));
  }
  const writable = candidates.filter((candidate) => {
    const why = unwritable(candidate);
    if (why !== null) leftOut.push({ what: `${candidate.name} (${candidate.from})`, why, kind: 'needed' });
    return why === null;
  });
  const all = distinct(writable);
  const chosen = all.slice(0, MOST_SERVICES);
  if (all.length > chosen.length) {
    const rest = all.slice(MOST_SERVICES).map(({ name: each }) => each);
    leftOut.push({ what: rest.join(', '), why: `${MOST_SERVICES} services were read`, kind: 'service' });
  }
  const signs = chosen.map((candidate) =>
    serviceSign(candidate, { files, options, checkout, isAlone: chosen.length === 1, baseOf: baseIn(files) }),
  );
  leftOut.push(...signs.flatMap(({ service }) => service.leftOut));
  leftOut.push(...signs.flatMap(({ stack }) => stack.leftOut));
  leftOut.push(
    ...absentServices(
      chosen,
      signs.map(({ stack }) => stack),
    ),
  );
  const services = signs.map(({ service }) => service);
  const first = services.find(({ wantsDatabase }) => wantsDatabase);
  if (first !== undefined) leftOut.push(...unusedSql(files, first.database));
  return { services, leftOut };
}

/** Of compose files for tests only where there are no others. */
function ofProjects(projects: readonly ComposeService[][], found: Found, leftOut: LeftOut[]): Candidate[] {
  const isTrial = ([first]: readonly ComposeService[]) => isForTrials(first?.folder ?? '');
  for (const group of [projects.filter((each) => !isTrial(each)), projects.filter(isTrial)]) {
    const built = group.map((project) => builtByCompose(project, found));
    const candidates = built.flatMap((each) => each.candidates);
    if (candidates.length === 0) {
      // A context that cannot be followed is a reason, whatever is found besides.
      leftOut.push(...built.flatMap((each) => each.leftOut.filter(({ kind }) => kind === 'needed')));
      continue;
    }
    leftOut.push(...built.flatMap((each) => each.leftOut));
    const taken = new Set(built.flatMap(({ recipes }) => [...recipes]));
    const others = found.recipes.filter(({ path }) => !taken.has(path));
    const from = [...new Set(candidates.map((each) => each.from))].join(', ');
    const why = `no service of ${from} is built from it`;
    leftOut.push(...others.map(({ path }) => ({ what: path, why, kind: 'service' as const })));
    return candidates;
  }
  return [];
}

/** Says of what a clean checkout cannot build why, and lets through what it can at all. */
function buildable(
  checkout: Checkout,
  files: readonly RepositoryFile[],
  leftOut: LeftOut[],
): (candidate: Candidate) => boolean {
  return ({ name, from, build, recipe }) => {
    if (build === null || !checkout.isKnown) return true;
    const path = dockerfileOf(build);
    const what = `${name} (${from})`;
    if (checkout.kind(build.context) !== 'folder') {
      leftOut.push({ what, why: `no checkout has its build context ${build.context}`, kind: 'broken' });
      return false;
    }
    if (checkout.kind(path) !== 'file' && !files.some((file) => file.path === path)) {
      leftOut.push({ what, why: `no checkout has its Dockerfile ${path}`, kind: 'broken' });
      return false;
    }
    const absent = recipe === null ? [] : absentSources(recipe, build.context, checkout);
    if (absent.length > 0) {
      leftOut.push({
        what: `the image of ${name} (${path})`,
        why: `its build fails in a clean checkout, which lacks ${absent.slice(0, 5).join(', ')}: make that in the Dockerfile`,
        kind: 'broken',
      });
    }
    return true;
  };
}

function baseIn(files: readonly RepositoryFile[]): (service: ComposeService) => string | null {
  return (service) => recipeFor(service, files)?.base ?? null;
}

/** Services of the compose files that are neither measured nor beside what is. */
function absentServices(chosen: readonly Candidate[], stacks: readonly Stack[]): LeftOut[] {
  const projects = [...new Set(chosen.map(({ project }) => project))];
  const measured = new Set(chosen.flatMap(({ compose }) => compose ?? []));
  return projects.flat().flatMap((each) => {
    if (measured.has(each) || stacks.some(({ taken }) => taken.has(each)) || each.build !== null) return [];
    return [{ what: `${each.key} (${each.from})`, why: whyAbsent(each), kind: 'service' as const, short: each.key }];
  });
}
