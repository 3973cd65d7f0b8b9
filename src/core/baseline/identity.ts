import type { ResolvedSpec, Service } from '../config/resolved.ts';
import type { Reason } from '../measurement/names.ts';
import { imageOfArtifact } from '../record/artifact.ts';
import { canonicalText } from './canonical.ts';

/** All of one side that a measurement could tell apart. */
export interface SideIdentity {
  spec: ResolvedSpec;
  /** Service → what was had, each build: an image id (which context, build and base come down to), or a command line. */
  artifacts: Record<string, readonly string[]>;
  /** Hashes of the contents of `dataFilesOf` and of what containers are given, in their order; null where one cannot be read. */
  init: string[] | null;
  /** Git's tree of the folder that processes run in; null where it is unknown or the folder was changed since. */
  tree: string | null;
}

/**
 * Why there is nothing to measure: image ids (or, for processes, the clean trees), resolved spec and init contents are
 * all the same. `compared` are the services that this run holds against each other: a reference is none of them. Null
 * where anything differs or is unknown.
 */
export function sameOnBothSides(
  baseline: SideIdentity,
  candidate: SideIdentity,
  compared: readonly string[],
): Reason | null {
  if (baseline.init === null || JSON.stringify(baseline.init) !== JSON.stringify(candidate.init)) return null;
  if (testbedOf(baseline.spec) !== testbedOf(candidate.spec)) return null;
  // What is built beside a service is had from files that nobody has held against each other.
  if (buildsBeside(candidate.spec)) return null;
  // A service that could not be had is unlike every other.
  const areHad = compared.every((name) =>
    [baseline, candidate].every(({ artifacts }) => Object.hasOwn(artifacts, name)),
  );
  if (compared.length === 0 || !areHad) return null;
  const sameImages = compared.every((name) => {
    const [one, other] = [baseline, candidate].map(({ artifacts }) => imagesIn(artifacts[name]!));
    return one!.length === other!.length && one!.every((id, at) => id !== undefined && id === other![at]);
  });
  const sameFiles = baseline.tree !== null && baseline.tree === candidate.tree;
  // An image is had from more than the tree (its base, what git ignores), so that the tree says nothing of it.
  const isImage = compared.some((name) => imagesIn(candidate.artifacts[name]!)[0] !== undefined);
  if (isImage ? !sameImages : !sameFiles) return null;
  const what = isImage ? 'images' : 'files';
  const message = `Not measured: both sides have the same ${what}, the same spec and the same init files.`;
  return { code: 'same-on-both-sides', message };
}

function imagesIn(artifacts: readonly string[]): (string | undefined)[] {
  return artifacts.map((artifact) => imageOfArtifact(artifact)?.id);
}

/** Where an image comes from is told by what it is; limits, placement and what readers are told move no number. */
function testbedOf(spec: ResolvedSpec): string {
  const { services, database, dependencies, prepare, gateway, endpoints, load, login } = spec;
  const stripped = services.map(({ image: _image, about: _about, ...service }: Service) => service);
  const beside = [database, dependencies ?? [], prepare ?? [], gateway];
  return canonicalText([stripped.sort(byName), ...beside, endpoints, load, login ?? null]);
}

function buildsBeside({ database, dependencies = [] }: ResolvedSpec): boolean {
  return database?.build !== undefined || dependencies.some(({ image }) => image?.kind === 'build');
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
