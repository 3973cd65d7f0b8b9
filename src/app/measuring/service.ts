import type { Case } from '../../core/config/case.ts';
import type { Placement, ResolvedSpec } from '../../core/config/resolved.ts';
import { counted } from '../../core/format/figures.ts';
import type { PlannedService } from '../../core/plan/order.ts';
import { type PreparedService, type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { measureCases } from './cases-on-testbed.ts';
import type { MatrixProgress } from './matrix-progress.ts';
import { leaveOut, startedService } from './started-service.ts';
import { testbedFailureReason } from './testbed-failure.ts';

export interface ServiceRequest {
  runId: string;
  spec: ResolvedSpec;
  specDirectory: string;
  placement: Placement;
  planned: PlannedService;
  prepared: PreparedService;
  /** Number of the first testbed: 1, and more where a run is resumed. */
  round: number;
  /** The run may go on without it: see `mayBeAbsent`. */
  mayBeAbsent: boolean;
  matrixProgress: MatrixProgress;
}

/** A service that falls over in every case would be started again for each; this often is enough to know. */
const MOST_STARTS = 4;

/**
 * Measures all cases of one service. A testbed that falls over costs the case that it fell over in; the next ones get
 * a fresh testbed. A service that cannot be started loses its cases, and the others go on; one that may be absent is named so.
 */
export async function measureService(
  request: ServiceRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<void> {
  const { planned, prepared, spec, placement, matrixProgress } = request;
  const { store, progress } = adapters;
  const { service } = planned;
  const variant = 'candidate';
  if (prepared.failure !== null) return cannotBeHad(prepared.failure, request, adapters);

  let left: Case[] = planned.cases;
  let last: TestbedError | null = null;
  for (let start = 0; left.length > 0; start += 1) {
    if (start === MOST_STARTS) {
      const why = `It fell over in ${MOST_STARTS} testbeds, and is not started again.`;
      return lose(left, new TestbedError(last?.code ?? 'exited', why), request, adapters);
    }
    matrixProgress.at(`starting ${service.name}`);
    let testbed: Testbed;
    try {
      testbed = await adapters.runtime.start(
        {
          runId: request.runId,
          spec,
          service,
          variant,
          round: request.round + start,
          placement,
          specDirectory: request.specDirectory,
          artifact: prepared.artifact,
          cases: left,
        },
        signal,
      );
    } catch (error) {
      if (error instanceof TestbedError) {
        return start === 0 ? cannotBeHad(error, request, adapters) : lose(left, error, request, adapters);
      }
      throw error;
    }
    try {
      await store.journal.append(startedService(prepared, service.name, variant));
      if (testbed.database !== null)
        await store.journal.append({ kind: 'database', version: testbed.database.version });
      left = await measureCases(testbed, left, spec, placement, matrixProgress, adapters, signal);
      last = left.length > 0 ? await testbed.failure() : null;
      if (left.length > 0)
        progress.say(
          `Starting ${service.name} again for ${counted(left.length, 'case')} that ${left.length === 1 ? 'is' : 'are'} left.`,
        );
    } finally {
      await testbed.stop();
    }
  }
}

/** Nothing of it was measured. */
async function cannotBeHad(failure: TestbedError, request: ServiceRequest, adapters: MeasuringAdapters): Promise<void> {
  const { planned, prepared, mayBeAbsent, matrixProgress } = request;
  if (!mayBeAbsent) return lose(planned.cases, failure, request, adapters);
  await leaveOut({ service: planned.service, prepared, variant: 'candidate' }, failure, adapters);
  matrixProgress.skip(planned.cases.length);
}

async function lose(
  cases: readonly Case[],
  failure: TestbedError,
  { planned: { service }, prepared, matrixProgress }: ServiceRequest,
  { store, progress }: MeasuringAdapters,
): Promise<void> {
  const reason = testbedFailureReason(service, failure);
  progress.warn(reason.message);
  await store.journal.append({
    kind: 'service',
    service: service.name,
    variant: 'candidate',
    artifact: prepared.artifact,
    failure: reason,
  });
  for (const { key } of cases) await store.journal.append({ kind: 'lost', caseKey: key, reason });
  matrixProgress.skip(cases.length);
}
