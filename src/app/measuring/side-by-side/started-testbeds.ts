import { artifactOfRound } from '../../../core/config/builds.ts';
import { PUBLISHING_ROUND, type Variant } from '../../../core/measurement/names.ts';
import { roundSeed } from '../../../core/plan/plan.ts';
import { type Testbed, TestbedError } from '../../ports/testbed.ts';
import type { MeasuringAdapters } from '../adapters.ts';
import { startedService } from '../started-service.ts';
import type { SideBySideRequest } from './request.ts';
import type { Testbeds } from './sides.ts';

/** A side that could not be started. */
export class SideFailure extends Error {
  readonly variant: Variant;
  readonly failure: TestbedError;
  constructor(variant: Variant, failure: TestbedError) {
    super(failure.message);
    this.variant = variant;
    this.failure = failure;
  }
}

/** Both up, or none: rejects with `SideFailure` for the first that could not be started. */
export async function startedTestbeds(
  { runId, sides, placement, planned, seed }: SideBySideRequest,
  round: number,
  { runtime, store }: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Testbeds> {
  const start = async (variant: Variant): Promise<Testbed> => {
    const { spec, service, specDirectory, prepared } = sides[variant];
    const artifact = artifactOfRound(prepared, round);
    const isBrief = round !== PUBLISHING_ROUND;
    try {
      return await runtime.start(
        { runId, spec, service, variant, round, placement, specDirectory, artifact, isBrief, cases: planned.cases },
        signal,
      );
    } catch (error) {
      throw error instanceof TestbedError ? new SideFailure(variant, error) : error;
    }
  };
  // The first to start gets the lower addresses; the other one is first in the next round.
  const baselineFirst = (roundSeed(seed, planned.service.name, 0) + round) % 2 === 0;
  const order: Variant[] = baselineFirst ? ['baseline', 'candidate'] : ['candidate', 'baseline'];
  const started = await Promise.allSettled(order.map(start));
  const failed = started.find((result) => result.status === 'rejected');
  const testbeds = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (failed !== undefined) {
    await Promise.all(testbeds.map((testbed) => testbed.stop()));
    throw failed.reason;
  }
  try {
    for (const { variant, service, database } of testbeds) {
      const rows = (await database?.rows().catch(() => null)) ?? null;
      await store.journal.append({
        ...startedService(sides[variant].prepared, service.name, variant),
        ...(rows === null ? {} : { rows }),
      });
      if (database !== null) await store.journal.append({ kind: 'database', version: database.version });
    }
  } catch (error) {
    // Who asked for the testbeds does not have them yet.
    await Promise.all(testbeds.map((testbed) => testbed.stop()));
    throw error;
  }
  return {
    baseline: testbeds.find((testbed) => testbed.variant === 'baseline')!,
    candidate: testbeds.find((testbed) => testbed.variant === 'candidate')!,
  };
}
