import type { Case } from '../../core/plan/case.ts';
import type { SliceMeasurement } from '../../core/record/measurement.ts';
import type { Reason } from '../../core/record/run-record.ts';
import type { Placement } from '../../core/spec/resolved.ts';
import { differencesOf } from '../../core/verification/expectation.ts';
import type { GeneratorRun, Stage } from '../ports.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { cpusOfServer } from './placement.ts';
import { rawFileName } from './raw-files.ts';
import { stageFailureReason } from './stage-failure.ts';

export interface SliceRequest {
  case: Case;
  stage: Stage;
  placement: Placement;
  slice: number;
  rate: number | null;
  warmUp: { seconds: number; steady: boolean };
  notes: Reason[];
  idleBytes: number;
  coolDownSeconds: number;
}

/**
 * One generator execution against one instance, with all that was used meanwhile.
 *
 *     statements │ meters │◀──── generator ────▶│ meters │ statements │ cool-down │ settled memory, answer checked
 *                           memory every 100 ms
 *
 * Reading statements is a query and so costs the database: it stays outside the window of the CPU meters.
 */
export async function measuredSlice(
  request: SliceRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement> {
  const { case: testCase, stage, placement } = request;
  const { clock, generators, ports, probe } = adapters;
  const origin = stage.origins[testCase.route];
  if (origin === undefined) throw new Error(`no route ${testCase.route} on the stage of ${testCase.service.name}`);

  await stage.database?.resetStatements().catch(() => undefined);
  const before = readings(stage, testCase, placement, adapters);
  let peakBytes = stage.meters.service.memoryBytes();
  const run = await generators.run(
    {
      case: testCase,
      origin,
      durationSeconds: testCase.load.generator === 'ab' ? 0 : testCase.load.durationSeconds,
      rate: request.rate,
      cpus: placement.generator,
      onTick: () => {
        peakBytes = Math.max(peakBytes, stage.meters.service.memoryBytes());
      },
    },
    signal,
  );
  const after = readings(stage, testCase, placement, adapters);
  const timeWait = ports.read();
  const statements = (await stage.database?.statements().catch(() => null)) ?? null;
  const failure = await stage.failure();

  await clock.sleep(request.coolDownSeconds, signal);
  const settledBytes = stage.meters.service.memoryBytes();
  const differencesAfter =
    failure === null
      ? differencesOf(await probe.ask(origin, testCase.service, testCase.endpoint, signal), testCase.endpoint.expect)
      : [];

  return {
    caseKey: testCase.key,
    variant: stage.variant,
    instance: stage.instance,
    slice: request.slice,
    pair: null,
    mode: 'alone',
    startedNs: run.startedNs,
    durationNs: run.durationNs,
    warmUp: request.warmUp,
    rate: request.rate,
    outcome: run.outcome,
    generatorFailure: run.failure,
    timedOut: run.timedOut,
    cpu: {
      windowNs: after.monotonicNs - before.monotonicNs,
      serviceNs: after.serviceNs - before.serviceNs,
      databaseNs: after.databaseNs - before.databaseNs,
      gatewayNs: after.gatewayNs - before.gatewayNs,
      generatorNs: run.cpuNs,
      ownNs: after.ownNs - before.ownNs,
      busyNs: after.busyNs - before.busyNs,
      stealNs: after.stealNs - before.stealNs,
      serverCpuCount: adapters.cpus.count(cpusOfServer(placement)),
      generatorCpuCount: adapters.cpus.count(placement.generator),
    },
    memory: { idleBytes: request.idleBytes, peakBytes: Math.max(peakBytes, settledBytes), settledBytes },
    acceptedConnections: after.accepted - before.accepted,
    ports: timeWait,
    statements:
      statements === null
        ? null
        : {
            calls: sum(statements.map(({ calls }) => calls)),
            rows: sum(statements.map(({ rows }) => rows)),
            totalMs: sum(statements.map(({ totalMs }) => totalMs)),
          },
    clockStepMs: after.wallMs - before.wallMs - (after.monotonicNs - before.monotonicNs) / 1e6,
    differencesAfter,
    stageFailure: failure === null ? null : stageFailureReason(testCase.service, failure),
    notes: request.notes,
    raw: await rawFiles(run, testCase, stage, request.slice, adapters),
  };
}

function readings(stage: Stage, testCase: Case, placement: Placement, { clock, cpus }: MeasuringAdapters) {
  const { busyNs, stealNs } = cpus.read(cpusOfServer(placement));
  return {
    serviceNs: stage.meters.service.cpuNs(),
    databaseNs: stage.meters.database?.cpuNs() ?? 0,
    gatewayNs: stage.meters.gateway?.cpuNs() ?? 0,
    busyNs,
    stealNs,
    ownNs: cpus.ownNs(),
    accepted: stage.acceptedConnections(testCase.route),
    wallMs: clock.now().getTime(),
    monotonicNs: clock.monotonicNs(),
  };
}

async function rawFiles(
  run: GeneratorRun,
  testCase: Case,
  stage: Stage,
  slice: number,
  { store }: MeasuringAdapters,
): Promise<string[]> {
  const paths: string[] = [];
  for (const [name, content] of Object.entries(run.raw)) {
    if (content !== '') {
      paths.push(await store.writeRaw(rawFileName(testCase.key, stage.variant, stage.instance, slice, name), content));
    }
  }
  return paths;
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
