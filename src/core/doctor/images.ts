import { POSTGRES_IMAGE } from '../config/database.ts';
import { jobImagesOf } from '../config/prepare.ts';
import type { ImageSource, ResolvedSpec, Service } from '../config/resolved.ts';
import { isRemoteContext } from '../values/remote-context.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** An image that containers of a spec are started from, or that a build of it begins with. */
export interface ImageNeed {
  reference: string;
  /** As in `service web takes it`. */
  whose: string;
  /** The run goes on without it. */
  optional: boolean;
}

/** A build of a spec. */
export interface BuildNeed {
  source: Extract<ImageSource, { kind: 'build' }>;
  whose: string;
  optional: boolean;
}

/** What became of asking the engine, and then the image's registry, for it. */
export type ImageFact = { reference: string } & (
  | { state: 'here' | 'offered' }
  /** What the registry, or who was to reach it, says; without an end. */
  | { state: 'refused'; said: string }
);

/** All that a run in containers takes, each image once for each who takes it. */
export function containersOf(
  spec: ResolvedSpec,
  services: readonly Service[],
): { images: ImageNeed[]; builds: BuildNeed[] } {
  const images: ImageNeed[] = [];
  const builds: BuildNeed[] = [];
  const add = (whose: string, source: ImageSource | null | undefined, optional = false) => {
    if (source?.kind === 'image') images.push({ reference: source.reference, whose, optional });
    if (source?.kind === 'build' && !isRemoteContext(source.context)) builds.push({ source, whose, optional });
  };
  const named = (whose: string, reference: string) => add(whose, { kind: 'image', reference });
  const { database, gateway, dependencies = [] } = spec;
  for (const { name, image, optional } of services) add(`service ${name}`, image, optional === true);
  if (database !== null) add('the database', database.build ?? { kind: 'image', reference: database.image });
  if (database?.pooler) named('the pooler', database.pooler.image);
  for (const { name, image } of dependencies) add(`the dependency ${name}`, image);
  if (gateway) named('the gateway', gateway.image);
  for (const reference of jobImagesOf(spec)) named('a job of `prepare`', reference);
  return { images, builds };
}

/** Where there is no spec yet. */
export const USUAL_IMAGE: ImageNeed = {
  reference: POSTGRES_IMAGE,
  whose: 'a spec with `database`',
  optional: true,
};

/** What is looked at of images: each that cannot be had, and one line for all the others. */
export function imageFindings(needs: readonly ImageNeed[], facts: readonly ImageFact[]): Finding[] {
  const states = new Map(facts.map((fact) => [fact.reference, fact]));
  const references = [...new Set(needs.map(({ reference }) => reference))];
  const had: string[] = [];
  const lacking: Finding[] = [];
  for (const reference of references) {
    const fact = states.get(reference);
    if (fact === undefined) continue;
    if (fact.state !== 'refused') {
      had.push(`${reference}${fact.state === 'here' ? '' : ' (to be pulled)'}`);
      continue;
    }
    const own = needs.filter((need) => need.reference === reference);
    const takes = `${own.map(({ whose }) => whose).join(', ')} ${own.length === 1 ? 'takes' : 'take'} it`;
    const message = `The image ${reference} is not on this machine, and cannot be pulled (${fact.said}): ${takes}. Pull it where its registry is reached and load it here (docker save, docker load), build one of that name, or correct the name in the spec.`;
    const found = own.every(({ optional }) => optional) ? warning : problem;
    lacking.push(found('image', message, `docker pull ${reference}`));
  }
  return [...lacking, ...(had.length === 0 ? [] : [ok('images', had.join(', '))])];
}
