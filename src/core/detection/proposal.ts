import { UserError } from '../user-error.ts';
import { withoutOwnEnvironment } from './compose-variables.ts';
import { type EndpointSources, endpointSources, endpointsOf, groupsOf } from './endpoints.ts';
import { MADE_UP_SECRET } from './environment.ts';
import { mapOf } from './file-map.ts';
import { filesCalled, folderOf, type LeftOut, portOf, type RepositoryFile, slugOf, withShortSpace } from './files.ts';
import { apisIn } from './open-api.ts';
import type { Program } from './programs/program.ts';
import { programsOf } from './programs/programs.ts';
import { type DetectionOptions, type ServiceSign, servicesIn } from './services.ts';
import { leftOutShown, ONLY_READ, type SpecParts, specText, untried } from './spec-text.ts';
import { toldAccounts } from './told-accounts.ts';
import { writtenApis } from './written-requests/written-apis.ts';

export { isTelling, isTellingFolder, type LeftOut, type RepositoryFile } from './files.ts';

const SPEC_FILE = 'wrkbench.yml';
const MOST_SERVICES = 15;

/** The repository has a spec already; it stays as it is. */
export class AlreadyThere extends UserError {
  override name = 'AlreadyThere';
}

/** Nothing in the repository shows a server. */
export class NothingFound extends Error {
  override name = 'NothingFound';
}

/** What the files leave open, with what is taken where nobody answers. */
export interface Question {
  key: string;
  text: string;
  proposed: string;
  /** Why an answer cannot be taken, in a sentence; null where it can. */
  mistake(answer: string): string | null;
}

/** A spec as files alone show it, and all that it is made of: starting it may show better. */
export interface SpecDraft extends RepositoryFile {
  parts: SpecParts;
  sources: EndpointSources;
}

export interface Proposal {
  /** Each a right spec: one, or one for each service that answers something else than the others. */
  specs: SpecDraft[];
  /** Without what each spec has left out of its endpoints. */
  leftOut: LeftOut[];
  questions: Question[];
}

/** Question → what somebody has answered. */
export type Answers = Readonly<Record<string, string>>;

/**
 * First specs with comments, from what a repository shows; what it does not show is guessed, and marked so.
 * Throws `AlreadyThere`, and `NothingFound` where no file shows a server.
 */
export function proposal(
  written: readonly RepositoryFile[],
  options: DetectionOptions,
  answers: Answers = {},
): Proposal {
  const files = withShortSpace(withoutOwnEnvironment(written, options.checkout ?? null));
  const programs = programsOf(files);
  const name = nameOfAll(files, programs) ?? slugOf(options.folderName) ?? 'service';
  const title = TELLS_NOTHING.test(name) ? (slugOf(options.folderName) ?? name) : withoutDomain(name);
  const { services: all, leftOut } = servicesIn(files, programs, name, options);
  const apis = apisIn(files);
  const told = { written: writtenApis(files), accounts: toldAccounts(files) };
  if (all.length === 0) throw new NothingFound(nothingFound(leftOutShown(leftOut)));
  const questions: Question[] = [];
  const chosen = chosenServices(all, answers, questions);
  leftOut.push(...beyondMost(chosen));
  const services = chosen.slice(0, MOST_SERVICES).map((service) => withPort(service, answers, questions));
  leftOut.push(...unusedPrograms(programs, all));
  const groups = groupsOf(services);
  const specs = groups.map((group) => {
    const sources = endpointSources(group, apis, told);
    const found = endpointsOf(group, sources);
    const isOnly = groups.length === 1;
    const [first] = group;
    const parts: SpecParts = {
      name: isOnly ? title : specName(title, first!.name),
      services: group,
      wantsDatabase: group.some((service) => service.wantsDatabase),
      found,
      leftOut: [...leftOut, ...unsetVariables(group)],
      trial: untried(ONLY_READ),
    };
    return { path: isOnly ? SPEC_FILE : `wrkbench.${first!.name}.yml`, content: specText(parts), parts, sources };
  });
  refuseOverwriting(files, specs);
  return {
    specs,
    leftOut: [...leftOut, ...unsetVariables(services)],
    questions,
  };
}

function refuseOverwriting(files: readonly RepositoryFile[], specs: readonly RepositoryFile[]): void {
  const there = files.find(({ path }) => path === SPEC_FILE || specs.some((spec) => spec.path === path));
  if (there === undefined) return;
  throw new AlreadyThere(
    `${there.path} is there already and stays as it is. Remove or rename it to have a new one written.`,
  );
}

function nothingFound(leftOut: readonly LeftOut[]): string {
  const seen = leftOut.map(({ what, why }) => `  ${what}: ${why}`);
  return [
    'Nothing in this repository shows a server that could be measured, and nothing is written.',
    ...seen,
    'wrkbench init looks for Dockerfiles, compose files, and the manifests and routes of common frameworks. Add a Dockerfile, name the',
    'folder of the server (wrkbench init FOLDER), or write wrkbench.yml by hand: docs/spec.md has the least that works.',
  ].join('\n');
}

/** What the repository calls itself; null where no file says. */
function nameOfAll(files: readonly RepositoryFile[], programs: readonly Program[]): string | null {
  const [manifest] = filesCalled(files, /^package\.json$/).filter(({ path }) => folderOf(path) === '.');
  const name = manifest === undefined ? undefined : mapOf(manifest).name;
  const [module] = filesCalled(files, /^go\.mod$/).filter(({ path }) => folderOf(path) === '.');
  const path = /^module\s+(\S+)/m.exec(module?.content ?? '')?.[1];
  const [only, another] = programs;
  const own = programs.find(({ folder }) => folder === '.') ?? (another === undefined ? only : undefined);
  const last = (typeof name === 'string' ? name : (path ?? own?.name ?? undefined))
    ?.replace(/\/v\d+$/, '')
    .split('/')
    .at(-1);
  return last === undefined ? null : slugOf(last);
}

/** A Go module may be called by an address alone: `miniflux.app`. */
function withoutDomain(name: string): string {
  return name.replace(/^([a-z][\w-]+)\.(?:app|com|dev|io|net|org|sh)$/, '$1');
}

/** Names of what there is one of in any repository. */
const TELLS_NOTHING =
  /^(?:source|src|api|app|application|server|backend|web|main|root|service|workspace|monorepo|laravel)$/i;

function specName(whole: string, service: string): string {
  return whole === service ? service : (slugOf(`${whole}-${service}`) ?? service);
}

function chosenServices(all: ServiceSign[], answers: Answers, questions: Question[]): ServiceSign[] {
  if (all.length === 1) return all;
  const names = all.map(({ name }) => name);
  const wordsOf = (answer: string) => answer.split(/[\s,]+/).filter((word) => word !== '');
  questions.push({
    key: 'services',
    text: `Several services were found: ${names.join(', ')}. Which are to be measured?`,
    proposed: names.join(' '),
    mistake: (answer) => {
      const unknown = wordsOf(answer).filter((word) => !names.includes(word));
      if (wordsOf(answer).length === 0) return 'At least one of them is expected.';
      return unknown.length === 0
        ? null
        : `There is no service ${unknown.join(', ')}: take some of ${names.join(', ')}.`;
    },
  });
  const wanted = wordsOf(answers.services ?? names.join(' '));
  const chosen = all.filter(({ name }) => wanted.includes(name));
  return chosen.length === 0 ? all : chosen;
}

function withPort(service: ServiceSign, answers: Answers, questions: Question[]): ServiceSign {
  if (service.port !== null) return service;
  const key = `port ${service.name}`;
  questions.push({
    key,
    text: `No file names the port of ${service.name}. Which one does it listen on?`,
    proposed: String(service.usualPort),
    mistake: (answer) => (portOf(answer) === null ? 'A TCP port is expected, 1 to 65535.' : null),
  });
  const port = portOf(answers[key]);
  return port === null ? service : { ...service, port: { value: port, from: '' } };
}

function beyondMost(services: readonly ServiceSign[]): LeftOut[] {
  return services.slice(MOST_SERVICES).map(({ name, from }) => ({
    what: `${name} (${from})`,
    why: `${MOST_SERVICES} services are enough for a first spec`,
  }));
}

function unusedPrograms(programs: readonly Program[], all: readonly ServiceSign[]): LeftOut[] {
  const unused = programs.filter(
    ({ folder, start, routes }) => start !== null && routes.length > 0 && !all.some((each) => each.folder === folder),
  );
  const why = 'no Dockerfile or compose file builds it';
  return unused.map(({ from }) => ({ what: from, why, kind: 'service' }));
}

function unsetVariables(services: readonly ServiceSign[]): LeftOut[] {
  const isNeeded = (why: string) => why.startsWith('only holds a place');
  return services.flatMap(({ name, unset, env }) => [
    ...unset.map(
      (each): LeftOut => ({
        what: `${each.name} of ${name} (${each.from})`,
        why: each.why,
        kind: isNeeded(each.why) ? 'secret' : 'variable',
        short: each.name,
      }),
    ),
    ...env
      .filter(({ note, from }) => note !== '' && from !== '')
      .map(
        (each): LeftOut => ({
          what: `${each.name} of ${name} (${each.from})`,
          why: each.note,
          kind: each.value === MADE_UP_SECRET ? 'secret' : 'variable',
          short: each.name,
        }),
      ),
  ]);
}
