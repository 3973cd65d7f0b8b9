import type { Variant } from '../../../core/plan/case.ts';
import { instanceSeed } from '../../../core/plan/order.ts';
import { artifactOfRound } from '../../../core/topology/builds.ts';
import { type Stage, StageError } from '../../ports/stage.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { startedService } from '../started-service.ts';
import type { SideBySideRequest } from './request.ts';
import type { Stages } from './sides.ts';

/** A side that could not be put on stage. */
export class SideFailure extends Error {
  readonly variant: Variant;
  readonly failure: StageError;
  constructor(variant: Variant, failure: StageError) {
    super(failure.message);
    this.variant = variant;
    this.failure = failure;
  }
}

/** Both up, or none: rejects with `SideFailure` for the first that could not be started. */
export async function standingStages(
  { runId, sides, placement, planned, seed }: SideBySideRequest,
  instance: number,
  { runtime, store }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Stages> {
  const start = async (variant: Variant): Promise<Stage> => {
    const { spec, service, specDirectory, prepared } = sides[variant];
    const artifact = artifactOfRound(prepared, instance);
    try {
      return await runtime.start(
        { runId, spec, service, variant, instance, placement, specDirectory, artifact },
        signal,
      );
    } catch (error) {
      throw error instanceof StageError ? new SideFailure(variant, error) : error;
    }
  };
  // The first to start gets the lower addresses; the other one is first in the next instance.
  const baselineFirst = (instanceSeed(seed, planned.service.name, 0) + instance) % 2 === 0;
  const order: Variant[] = baselineFirst ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
  const started = await Promise.allSettled(order.map(start));
  const failed = started.find((result) => result.status === 'rejected');
  const stages = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (failed !== undefined) {
    await Promise.all(stages.map((stage) => stage.stop()));
    throw failed.reason;
  }
  try {
    for (const { variant, service, database } of stages) {
      await store.journal.append(startedService(sides[variant].prepared, service.name, variant));
      if (database !== null) await store.journal.append({ kind: 'database', version: database.version });
    }
  } catch (error) {
    // Who asked for the stages does not have them yet.
    await Promise.all(stages.map((stage) => stage.stop()));
    throw error;
  }
  return {
    baseline: stages.find((stage) => stage.variant === 'baseline')!,
    candidate: stages.find((stage) => stage.variant === 'candidate')!,
  };
}
