/** What a service of a compose file needs of the others there. */
import type { ComposeService } from './compose.ts';
import { pointsTo } from './references.ts';
import { FILE_SERVER, isPoolerImage, LOAD_GENERATOR, OF_TESTS, plainName, WATCHING } from './usual-images.ts';

/** A condition of `depends_on`: the other one has ended. */
const ENDED = 'service_completed_successfully';

const JOB_NAME =
  /(?:^|[-_.])(?:migrat(?:e|es|ion|ions|or)|init|initdb|setup|prestart|bootstrap|create-?buckets?|mc)(?:$|[-_.\d])/i;

/** Whether a service of a project does something once, before others start. */
export function isJob(own: ComposeService, project: readonly ComposeService[]): boolean {
  if (project.some(({ dependsOn }) => dependsOn.get(own.key) === ENDED)) return true;
  const goesOn = /^(?:always|unless-stopped)$/.test(own.restart) || own.ports.length > 0;
  const isCalledSo = JOB_NAME.test(own.key) || own.profiles.some((profile) => JOB_NAME.test(profile));
  return isCalledSo && !goesOn && (own.command !== null || own.entrypoint !== null);
}

/** As many as a spec takes. */
const MOST_BESIDE = 16;
const MOST_JOBS = 32;

export interface Reach {
  /** Services that are started beside it, Postgres and its pooler not among them. */
  beside: ComposeService[];
  /** What is run before it, in the order in which it can be. */
  jobs: ComposeService[];
}

/** Of one service, or of a program that the whole project stands beside. `isNamed`: by something else than its part of the compose file. */
export function reachOf(
  own: ComposeService | null,
  project: readonly ComposeService[],
  isDatabase: (service: ComposeService) => boolean,
  isNamed: (service: ComposeService) => boolean = () => false,
): Reach {
  const jobs = project.filter((each) => each !== own && isJob(each, project));
  const others = project.filter(
    (each) => each !== own && !jobs.includes(each) && !isDatabase(each) && canStandBeside(each),
  );
  const ofOwn = own === null ? [] : jobs.filter((job) => needs(own, job) || isSameBuild(own, job));
  const beside: ComposeService[] = others.filter(isNamed);
  for (const at of [own, ...ofOwn]) {
    if (at !== null) beside.push(...others.filter((each) => !beside.includes(each) && needs(at, each)));
  }
  // What they need themselves comes after them.
  for (const at of beside) beside.push(...others.filter((each) => !beside.includes(each) && needs(at, each)));
  return { beside: beside.slice(0, MOST_BESIDE), jobs: inOrder(ofOwn).slice(0, MOST_JOBS) };
}

function canStandBeside({ key, image, build }: ComposeService): boolean {
  const name = image === null ? key : plainName(image);
  if (build === null && image === null) return false;
  return (
    ![LOAD_GENERATOR, OF_TESTS].some((pattern) => pattern.test(key) || pattern.test(image ?? '')) &&
    !FILE_SERVER.test(image ?? '') &&
    !isPoolerImage(image) &&
    !WATCHING.test(name)
  );
}

/** By `depends_on`, by a host name in its environment, or in its commands. */
export function needs(own: ComposeService, other: ComposeService): boolean {
  if (own.dependsOn.has(other.key)) return true;
  const words = [...(own.entrypoint ?? []), ...(own.command ?? [])];
  const values = own.environment.map(({ value }) => value ?? '');
  return other.names.some((name) => [...values, ...words].some((text) => pointsTo(text, name)));
}

function isSameBuild(a: ComposeService, b: ComposeService): boolean {
  if (a.build === null || b.build === null) return a.image !== null && a.image === b.image;
  return JSON.stringify(a.build) === JSON.stringify(b.build);
}

/** One that waits for another comes after it. */
function inOrder(jobs: readonly ComposeService[]): ComposeService[] {
  const done: ComposeService[] = [];
  let left = [...jobs];
  while (left.length > 0) {
    const next = left.filter((job) => !left.some((other) => other !== job && job.dependsOn.has(other.key)));
    const free = next.length === 0 ? left : next;
    done.push(...free);
    left = left.filter((job) => !free.includes(job));
  }
  return done;
}

/** Why a service of a project is not beside those that are measured. */
export function whyAbsent({ key, image }: ComposeService): string {
  if (LOAD_GENERATOR.test(image ?? '') || LOAD_GENERATOR.test(key))
    return 'taken for what loads the servers, which wrkbench does itself';
  if (OF_TESTS.test(key) || OF_TESTS.test(image ?? '')) return 'taken for tests';
  if (FILE_SERVER.test(image ?? ''))
    return 'taken for a gateway: `gateway: nginx` measures every case once more through one';
  return 'not needed by what is measured';
}
