import { type PreparedService, type PrepareRequest, StageError } from '../../app/ports/stage.ts';
import type { ResolvedSpec, Service } from '../../core/spec/resolved.ts';
import type { Engine } from './engine.ts';
import { artifactOf, type BuiltImages, buildImage, type HadImage, haveImage, imageIds } from './images.ts';

/** Reference → id of the images that stand beside a service, as they were when they were prepared. */
export type SupportImages = Map<string, string>;

/** What preparing leaves to know of. */
export interface Had {
  support: SupportImages;
  built: BuiltImages;
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
  let missing: StageError | null = null;
  for (const { what, reference } of supportReferences(request.spec)) {
    try {
      const image = await haveImage(engine, reference, (line) => request.onLine(`${what}: ${line}`), signal);
      had.support.set(reference, image.id);
    } catch (error) {
      signal.throwIfAborted();
      const failure = asStageError(error);
      missing = new StageError(failure.code, `The ${what} is missing. ${failure.message}`, failure.logLines);
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
    const image = await imageOfService(engine, request, service, had, signal);
    return { service: service.name, artifact: artifactOf(image), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    return { service: service.name, artifact: '', failure: asStageError(error) };
  }
}

async function imageOfService(
  engine: Engine,
  request: PrepareRequest,
  service: Service,
  { built }: Had,
  signal: AbortSignal,
): Promise<HadImage> {
  const { image } = service;
  const onLine = (line: string) => request.onLine(`${service.name}: ${line}`);
  if (image === null) {
    throw new StageError(
      'image-unavailable',
      `Service ${service.name} has a command and neither image nor build: give it one of them, or use --runtime process.`,
    );
  }
  if (image.kind === 'image') return await haveImage(engine, image.reference, onLine, signal);
  const names = { spec: request.spec.name, service, specDirectory: request.specDirectory };
  const known = await imageIds(engine);
  const had = await buildImage(engine, image, names, onLine, signal);
  if (!known.has(had.id)) built.add(had.id);
  return had;
}

function supportReferences(spec: ResolvedSpec): { what: string; reference: string }[] {
  const wanted: { what: string; reference: string }[] = [];
  if (spec.database) wanted.push({ what: 'image of the database', reference: spec.database.image });
  if (spec.database?.pooler) wanted.push({ what: 'image of the pooler', reference: spec.database.pooler.image });
  if (spec.gateway) wanted.push({ what: 'image of the gateway', reference: spec.gateway.image });
  return wanted;
}

function asStageError(error: unknown): StageError {
  if (error instanceof StageError) return error;
  return new StageError('image-unavailable', error instanceof Error ? error.message : String(error));
}
