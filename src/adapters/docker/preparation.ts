import { type PreparedService, type PrepareRequest, TestbedError } from '../../app/ports/testbed.ts';
import { type OneBuild, oneBuildSentence } from '../../core/config/builds.ts';
import type { Service } from '../../core/config/resolved.ts';
import { buildImages } from './builds.ts';
import type { Engine } from './engine.ts';
import { artifactOf, type BuiltImages, type HadImage, haveImage } from './images.ts';
import { type SupportImage, supportImages } from './support-images.ts';

/** Key → id of the images that stand beside a service, as they were when they were prepared. */
export type SupportImages = Map<string, string>;

/** What preparing leaves to know of, and how it builds. */
export interface Had {
  support: SupportImages;
  built: BuiltImages;
  /** See `cacheNamespaceOf`. */
  cacheNamespace: string | null;
}

/**
 * Has every image of a spec, one after the other so that the output stays readable. Fills `had`. Resolves to what was
 * had for each service, in their order; rejects only with the signal's reason.
 */
export async function prepareImages(
  engine: Engine,
  request: PrepareRequest,
  had: Had,
  signal: AbortSignal,
): Promise<PreparedService[]> {
  let missing: TestbedError | null = null;
  try {
    for (const image of supportImages(request.spec, request.specDirectory)) {
      missing = await supportFailure(engine, request, image, had, signal);
      if (missing !== null) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    missing = asTestbedError(error);
  }
  const prepared: PreparedService[] = [];
  for (const service of request.services) {
    if (missing !== null) prepared.push({ service: service.name, artifact: '', failure: missing });
    else prepared.push(await prepareService(engine, request, service, had, signal));
  }
  return prepared;
}

async function prepareService(
  engine: Engine,
  request: PrepareRequest,
  service: Service,
  had: Had,
  signal: AbortSignal,
): Promise<PreparedService> {
  try {
    return { service: service.name, ...(await artifactsOf(engine, request, service, had, signal)), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    return { service: service.name, artifact: '', failure: asTestbedError(error) };
  }
}

async function artifactsOf(
  engine: Engine,
  request: PrepareRequest,
  service: Service,
  { built, cacheNamespace }: Had,
  signal: AbortSignal,
): Promise<Omit<PreparedService, 'service' | 'failure'>> {
  const { image } = service;
  // A reference is measured, and never compared.
  const wanted = service.role === 'subject' ? (request.builds ?? 1) : 1;
  const onLine = (line: string) => request.onLine(`${service.name}: ${line}`);
  if (image === null) {
    throw new TestbedError(
      'image-unavailable',
      `Service ${service.name} has a command and neither image nor build: give it one of them, or use --runtime process.`,
    );
  }
  const isOne = (one: OneBuild) => (wanted > 1 ? { oneBuild: oneBuildSentence(service.name, wanted, one) } : {});
  if (image.kind === 'image') {
    const { reference } = image;
    const had = await haveImage(engine, reference, onLine, signal);
    return { artifact: artifactOf(had), ...sizeOf(had), ...isOne({ why: 'image', reference }) };
  }
  const names = { spec: request.spec.name, service: service.name, specDirectory: request.specDirectory };
  const { images, one } = await buildImages(engine, image, { ...names, wanted, cacheNamespace, built }, onLine, signal);
  const [artifact = '', ...more] = images.map(artifactOf);
  return {
    artifact,
    ...sizeOf(images[0]),
    ...(more.length === 0 ? {} : { builds: [artifact, ...more] }),
    ...(one === null ? {} : isOne(one)),
  };
}

function sizeOf({ sizeBytes }: Pick<HadImage, 'sizeBytes'> = {}): Pick<PreparedService, 'imageBytes'> {
  return sizeBytes === undefined ? {} : { imageBytes: sizeBytes };
}

/** Has an image that stands beside a service; resolves to why it cannot be had, else to null. */
async function supportFailure(
  engine: Engine,
  request: PrepareRequest,
  { key, what, source, name }: SupportImage,
  { support, built, cacheNamespace }: Had,
  signal: AbortSignal,
): Promise<TestbedError | null> {
  const onLine = (line: string) => request.onLine(`${what}: ${line}`);
  try {
    if (source.kind === 'image') {
      support.set(key, (await haveImage(engine, source.reference, onLine, signal)).id);
      return null;
    }
    const names = {
      spec: request.spec.name,
      service: name,
      whose: `the ${name}`,
      specDirectory: request.specDirectory,
    };
    const { images } = await buildImages(
      engine,
      source,
      { ...names, wanted: 1, cacheNamespace, built },
      onLine,
      signal,
    );
    support.set(key, images[0]!.id);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    const failure = asTestbedError(error);
    return new TestbedError(failure.code, `The ${what} is missing. ${failure.message}`, failure.logLines);
  }
}

function asTestbedError(error: unknown): TestbedError {
  if (error instanceof TestbedError) return error;
  return new TestbedError('image-unavailable', error instanceof Error ? error.message : String(error));
}
