import type { Case } from '../../core/config/case.ts';
import type { Placement, ResolvedSpec } from '../../core/config/resolved.ts';
import { stepsFor } from '../../core/config/service-steps.ts';
import { isWriting } from '../../core/config/writes.ts';
import { counted } from '../../core/format/figures.ts';
import type { PlannedService } from '../../core/plan/plan.ts';
import { invalidReasons } from '../../core/validity/verdict.ts';
import { GeneratorNotStarted } from '../ports/generators.ts';
import { type PreparedService, type Testbed, TestbedError } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { askableCases } from './asked-endpoints.ts';
import { knownBeyond, noteBeyond, type Saturated } from './beyond.ts';
import type { MatrixProgress } from './matrix-progress.ts';
import { measuredLine } from './measured-line.ts';
import { observedCase } from './observation.ts';
import type { Capacities, GeneratorCapacities } from './rate.ts';
import { readingCases, reconnectingCase } from './reconnecting.ts';
import { DataNotRestored, restoredBefore } from './restored-data.ts';
import { measuredCase } from './solo-case.ts';
import { leaveOut, startedService } from './started-service.ts';
import { testbedFailureReason } from './testbed-failure.ts';
import { passKey } from './unloaded-passes.ts';
import { verifiedPasses } from './verification.ts';

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
      const why = `It fell over after each of ${MOST_STARTS} starts, and is not started again.`;
      const message = last === null ? why : `${why} The last time: ${last.message}`;
      return lose(left, new TestbedError(last?.code ?? 'exited', message, last?.logLines), request, adapters);
    }
    matrixProgress.at(`starting ${service.name}`, start > 0 || stepsFor(spec, service).length === 0);
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

/**
 * Measures cases against one running testbed, in their order. Resolves to the cases that are left because a part of
 * the testbed is no longer what was started; empty where all were measured or found not to be as expected.
 */
export async function measureCases(
  testbed: Testbed,
  cases: readonly Case[],
  spec: ResolvedSpec,
  placement: Placement,
  matrixProgress: MatrixProgress,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<Case[]> {
  const { store, progress } = adapters;
  const idleBytes = testbed.meters.service.memoryBytes();
  const askable = await askableCases(testbed, cases, spec, adapters);
  if (askable === null) return [...cases];
  const { passes, lost, fallen } = await verifiedPasses(testbed, askable, adapters, signal);
  const measurable = askable.filter((testCase) => !lost.has(testCase.key));
  matrixProgress.skip(cases.length - measurable.length);
  if (fallen !== null) {
    progress.warn(fallen.message);
    return measurable;
  }

  const capacities: Capacities = new Map();
  const saturated: Saturated = new Map();
  const generatorCapacities: GeneratorCapacities = new Map();
  const observed = observedCase(measurable);
  const reading = readingCases(measurable, [...passes.values()]);
  let isWritten = false;
  let restartsWithData = false;
  for (const [index, testCase] of measurable.entries()) {
    matrixProgress.at(testCase.key);
    const pass = passes.get(passKey(testCase)) ?? null;
    const beyond = knownBeyond(testCase, saturated);
    if (beyond !== null) {
      await noteBeyond(testCase, [{ variant: 'candidate', beyond }], adapters);
      matrixProgress.skip(1);
      continue;
    }
    try {
      const target = { origin: testbed.origins[testCase.route]!, cpus: placement.generator };
      const reconnecting = reconnectingCase(testCase, reading);
      const restored = isWritten ? await restoredBefore(reconnecting, testbed, target, adapters, signal) : 'kept';
      restartsWithData ||= restored === 'restarted';
      isWritten = isWriting(testCase.endpoint);
      const trial = await measuredCase(
        testCase,
        {
          testbed,
          spec,
          placement,
          idleBytes,
          capacities,
          saturated,
          pass,
          generatorCapacities,
          observed,
          reconnecting,
          restartsWithData,
        },
        adapters,
        signal,
      );
      if (trial === null) {
        matrixProgress.skip(1);
        continue;
      }
      progress.measured(measuredLine(trial, testCase, invalidReasons({ trial, case: testCase, pass })));
      matrixProgress.done();
      if (trial.testbedFailure !== null) {
        progress.warn(trial.testbedFailure.message);
        return measurable.slice(index + 1);
      }
    } catch (error) {
      if (error instanceof DataNotRestored) {
        progress.warn(error.reason.message);
        return measurable.slice(index);
      }
      if (!(error instanceof GeneratorNotStarted)) throw error;
      const reason = { code: 'generator-failed', message: error.message };
      progress.warn(`${testCase.key}: ${error.message}`);
      await store.journal.append({ kind: 'lost', caseKey: testCase.key, reason });
      matrixProgress.skip(1);
    }
  }
  return [];
}
