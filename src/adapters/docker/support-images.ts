import { TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import type { BuildSource } from '../../core/config/build-by-hand.ts';
import type { Dependency } from '../../core/config/dependency.ts';
import { jobImagesOf } from '../../core/config/prepare.ts';
import type { Database, ResolvedSpec } from '../../core/config/resolved.ts';

/** An image that stands beside a service: pulled, or built from the folder of the spec. */
export interface SupportImage {
  /** What it is looked up by when it is started. */
  key: string;
  /** `image of the database`: at the beginning of lines and in sentences. */
  what: string;
  source: { kind: 'image'; reference: string } | BuildSource;
  /** What its build is called, and tagged with. */
  name: string;
}

/** All that a spec needs. Throws `TestbedError` 'image-unavailable' for a dependency that has none. */
export function supportImages(spec: ResolvedSpec, specDirectory: string): SupportImage[] {
  const wanted: SupportImage[] = [];
  const { database, gateway, dependencies = [] } = spec;
  const pulled = (what: string, reference: string) =>
    wanted.push({ key: reference, what, source: { kind: 'image', reference }, name: what });
  if (database) {
    const source = database.build ?? ({ kind: 'image', reference: database.image } as const);
    const key = databaseImageKey(database, specDirectory);
    wanted.push({ key, what: 'image of the database', source, name: 'database' });
  }
  if (database?.pooler) pulled('image of the pooler', database.pooler.image);
  for (const dependency of dependencies) {
    const { name, image } = dependency;
    if (image === null) {
      throw new TestbedError(
        'image-unavailable',
        `The dependency ${name} has a command and neither image nor build: give it one of them, or use --runtime process.`,
      );
    }
    const key = imageKeyOf(dependency, specDirectory);
    wanted.push({ key, what: `image of the dependency ${name}`, source: image, name: `dependency ${name}` });
  }
  if (gateway) pulled('image of the gateway', gateway.image);
  for (const reference of jobImagesOf(spec)) pulled('image of a job of `prepare`', reference);
  return wanted;
}

/** Each side builds its own from its own folder, or from a clean checkout of its commit. */
export function buildFolderOf({
  buildDirectory,
  specDirectory,
}: Pick<TestbedRequest, 'buildDirectory' | 'specDirectory'>): string {
  return buildDirectory ?? specDirectory;
}

/** `folder`: that it is built in. */
export function imageKeyOf({ name, image }: Pick<Dependency, 'name' | 'image'>, folder: string): string {
  return image?.kind === 'image' ? image.reference : `built for dependency ${name} in ${folder}`;
}

export function databaseImageKey({ image, build }: Pick<Database, 'image' | 'build'>, folder: string): string {
  return build === undefined ? image : `built for the database in ${folder}`;
}
