import { filledPartly, type RequestValues } from '../requests/request-values.ts';
import type { BuildSource, ImageSource } from './image-source.ts';
import type { ResolvedSpec } from './resolved.ts';

type Built = Pick<ResolvedSpec, 'services' | 'dependencies' | 'database'>;

function buildsOf({ services, dependencies = [], database }: Built): { place: string; build: BuildSource }[] {
  const images = [
    ...services.map(({ name, image }) => ({ place: `services.${name}`, image })),
    ...dependencies.map(({ name, image }) => ({ place: `dependencies.${name}`, image })),
    { place: 'database', image: database?.build ?? null },
  ];
  return images.flatMap(({ place, image }) => (image?.kind === 'build' ? [{ place, build: image }] : []));
}

/** What builds of the spec are given as secrets, as it is written, and where. */
export function buildSecretsOf(spec: Built): { place: string; value: string }[] {
  return buildsOf(spec).flatMap(({ place, build: { secrets = {} } }) =>
    Object.entries(secrets).map(([id, value]) => ({ place: `${place}.build.secrets.${id}`, value })),
  );
}

/** The spec as its images are built: with the values of the secrets that they are given. */
export function builtWithVariables<Spec extends Built>(spec: Spec, values: RequestValues): Spec {
  const { services, dependencies, database } = spec;
  const filled = <Image extends ImageSource | null>(image: Image): Image =>
    image?.kind === 'build' ? { ...image, ...secretsOf(image, values) } : image;
  return {
    ...spec,
    services: services.map((each) => ({ ...each, image: filled(each.image) })),
    ...(dependencies === undefined
      ? {}
      : { dependencies: dependencies.map((each) => ({ ...each, image: filled(each.image) })) }),
    ...(database?.build === undefined ? {} : { database: { ...database, build: filled(database.build) } }),
  };
}

function secretsOf({ secrets }: BuildSource, values: RequestValues): Pick<BuildSource, 'secrets'> {
  if (secrets === undefined) return {};
  const filled = Object.entries(secrets).map(
    ([id, text]) => [id, filledPartly(text, values, (value) => value)] as const,
  );
  return { secrets: Object.fromEntries(filled) };
}
