import { TestbedError } from '../../app/ports/testbed.ts';
import { refusedAccess, refusedBase, registryOf } from '../../core/topology/registry-access.ts';
import type { Engine } from './engine.ts';
import type { EngineFailure } from './engine-failure.ts';

/** Rejects with `TestbedError` 'image-unavailable' where an image was not pulled since its registry lets nobody in; else resolves. */
export async function refuseWithoutAccess(engine: Engine, reference: string, failure: EngineFailure): Promise<void> {
  const why = await accessRefusal(engine, reference, failure);
  if (why !== null)
    throw new TestbedError('image-unavailable', `The image ${reference} cannot be pulled: ${why}. ${saidBy(failure)}`);
}

/** The same with 'build-failed', of the image that a build begins with. */
export async function refuseWithoutBase(engine: Engine, whose: string, failure: EngineFailure): Promise<void> {
  const base = refusedBase(failure.message);
  const why = base === null ? null : await accessRefusal(engine, base, failure);
  if (why === null) return;
  const message = `The image of ${whose} cannot be built: it begins with ${base}, which cannot be pulled: ${why}. ${saidBy(failure)}`;
  throw new TestbedError('build-failed', message);
}

async function accessRefusal(engine: Engine, reference: string, { message }: EngineFailure): Promise<string | null> {
  const isKnown = (await engine.hasLogin?.(registryOf(reference))) ?? false;
  return refusedAccess(reference, message, isKnown);
}

function saidBy({ message }: EngineFailure): string {
  return `The engine says: ${message}`;
}
