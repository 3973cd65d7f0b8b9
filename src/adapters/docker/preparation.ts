import { type PreparedService, type PrepareRequest, TestbedError } from '../../app/ports/testbed.ts';
import { type OneBuild, oneBuildSentence } from '../../core/config/builds.ts';
import type { ResolvedSpec, Service } from '../../core/config/resolved.ts';
import { buildImages } from './builds.ts';
import type { Engine } from './engine.ts';
import { artifactOf, type BuiltImages, haveImage } from './images.ts';

/** Reference → id of the images that stand beside a service, as they were when they were prepared. */
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
  for (const { what, reference } of supportReferences(request.spec)) {
    try {
      const image = await haveImage(engine, reference, (line) => request.onLine(`${what}: ${line}`), signal);
      had.support.set(reference, image.id);
    } catch (error) {
      signal.throwIfAborted();
      const failure = asTestbedError(error);
      missing = new TestbedError(failure.code, `The ${what} is missing. ${failure.message}`, failure.logLines);
      break;
    }
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
    const artifact = artifactOf(await haveImage(engine, reference, onLine, signal));
    return { artifact, ...isOne({ why: 'image', reference }) };
  }
  const names = { spec: request.spec.name, service: service.name, specDirectory: request.specDirectory };
  const { images, one } = await buildImages(engine, image, { ...names, wanted, cacheNamespace, built }, onLine, signal);
  const [artifact = '', ...more] = images.map(artifactOf);
  return {
    artifact,
    ...(more.length === 0 ? {} : { builds: [artifact, ...more] }),
    ...(one === null ? {} : isOne(one)),
  };
}

function supportReferences(spec: ResolvedSpec): { what: string; reference: string }[] {
  const wanted: { what: string; reference: string }[] = [];
  if (spec.database) wanted.push({ what: 'image of the database', reference: spec.database.image });
  if (spec.database?.pooler) wanted.push({ what: 'image of the pooler', reference: spec.database.pooler.image });
  if (spec.gateway) wanted.push({ what: 'image of the gateway', reference: spec.gateway.image });
  return wanted;
}

function asTestbedError(error: unknown): TestbedError {
  if (error instanceof TestbedError) return error;
  return new TestbedError('image-unavailable', error instanceof Error ? error.message : String(error));
}
