import type { Case, PlannedStage } from '../../core/plan/case.ts';
import { counted } from '../../core/report/figures.ts';
import type { Placement, ResolvedSpec } from '../../core/spec/resolved.ts';
import { type PreparedService, type Stage, StageError } from '../ports/stage.ts';
import type { MeasuringAdapters } from './adapters.ts';
import type { Course } from './course.ts';
import { measureInstance } from './instance.ts';
import { stageFailureReason } from './stage-failure.ts';
import { startedService } from './started-service.ts';

export interface ServiceRequest {
  runId: string;
  spec: ResolvedSpec;
  specDirectory: string;
  placement: Placement;
  planned: PlannedStage;
  prepared: PreparedService;
  /** Number of the first instance: 1, and more where a run is resumed. */
  instance: number;
  course: Course;
}

/** A service that falls over in every case would be started again for each; this often is enough to know. */
const MOST_INSTANCES = 4;

/**
 * Measures all cases of one service. An instance that falls over costs the case that it fell over in; the next ones get
 * a fresh instance. A service that cannot be started loses its cases, and the others go on.
 */
export async function measureService(
  request: ServiceRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { planned, prepared, spec, placement, course } = request;
  const { store, progress } = adapters;
  const { service } = planned;
  const variant = 'candidate';
  if (prepared.failure !== null) return lose(planned.cases, prepared.failure, request, adapters);

  let left: Case[] = planned.cases;
  let last: StageError | null = null;
  for (let start = 0; left.length > 0; start += 1) {
    if (start === MOST_INSTANCES) {
      const why = `It fell over in ${MOST_INSTANCES} instances, and is not started again.`;
      return lose(left, new StageError(last?.code ?? 'exited', why), request, adapters);
    }
    course.at(`starting ${service.name}`);
    let stage: Stage;
    try {
      stage = await adapters.runtime.start(
        {
          runId: request.runId,
          spec,
          service,
          variant,
          instance: request.instance + start,
          placement,
          specDirectory: request.specDirectory,
          artifact: prepared.artifact,
        },
        signal,
      );
    } catch (error) {
      if (error instanceof StageError) return lose(left, error, request, adapters);
      throw error;
    }
    try {
      await store.journal.append(startedService(prepared, service.name, variant));
      if (stage.database !== null) await store.journal.append({ kind: 'database', version: stage.database.version });
      left = await measureInstance(stage, left, spec, placement, course, adapters, signal);
      last = left.length > 0 ? await stage.failure() : null;
      if (left.length > 0)
        progress.say(
          `Starting ${service.name} again for ${counted(left.length, 'case')} that ${left.length === 1 ? 'is' : 'are'} left.`,
        );
    } finally {
      await stage.stop();
    }
  }
}

async function lose(
  cases: readonly Case[],
  failure: StageError,
  { planned: { service }, prepared, course }: ServiceRequest,
  { store, progress }: MeasuringAdapters,
): Promise<void> {
  const reason = stageFailureReason(service, failure);
  progress.warn(reason.message);
  await store.journal.append({
    kind: 'service',
    service: service.name,
    variant: 'candidate',
    artifact: prepared.artifact,
    failure: reason,
  });
  for (const { key } of cases) await store.journal.append({ kind: 'lost', caseKey: key, reason });
  course.skip(cases.length);
}
