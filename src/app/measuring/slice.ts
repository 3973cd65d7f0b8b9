import type { Case } from '../../core/plan/case.ts';
import type { DuetReadings, SliceMeasurement } from '../../core/record/measurement.ts';
import type { Reason } from '../../core/record/run-record.ts';
import type { Placement } from '../../core/spec/resolved.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../ports/generators.ts';
import type { Stage, StatementCount } from '../ports/stage.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { drained } from './drained.ts';
import { rawFileName } from './raw-files.ts';
import { cpuBetween, type Readings, readings } from './readings.ts';
import { stageFailureReason } from './stage-failure.ts';
import { unexpectedParts } from './unexpected-parts.ts';

export interface SliceRequest {
  case: Case;
  stage: Stage;
  /** The other side, where it stands on the same CPUs. */
  beside: Stage | null;
  placement: Placement;
  slice: number;
  pair: number | null;
  rate: number | null;
  warmUp: { seconds: number; steady: boolean };
  notes: Reason[];
  idleBytes: number;
  coolDownSeconds: number;
}

/**
 * One generator execution against one instance, with all that was used meanwhile.
 *
 *     quiet │ statements │ start-up │ meters │◀──── load ────▶│ meters │ statements │ cool-down │ settled memory,
 *                                             memory every 100 ms                                 answer checked
 *
 * Reading statements is a query and so costs the database: it stays outside the window of the CPU meters.
 */
export async function measuredSlice(
  request: SliceRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement> {
  const { case: testCase, stage, beside, placement } = request;
  const { clock, generators, ports } = adapters;

  await drained(beside === null ? [stage] : [stage, beside], clock, signal);
  await stage.database?.resetStatements().catch(() => undefined);
  const read = () => readings(stage, testCase, placement, adapters);
  let before = read();
  const onStart = () => {
    before = read();
  };
  const memory = peakMemory(stage);
  const run = await generators.run(
    { ...generatorRequest(request, sliceSeconds(testCase)), onStart, onTick: memory.look },
    signal,
  );
  const after = read();
  const timeWait = ports.read();
  const statements = await statementsOf(stage);
  await clock.sleep(request.coolDownSeconds, signal);
  const settledBytes = stage.meters.service.memoryBytes();
  return await measurementOf(
    request,
    {
      run,
      before,
      after,
      statements,
      ports: timeWait,
      peakBytes: Math.max(memory.peakBytes(), settledBytes),
      settledBytes,
    },
    adapters,
    signal,
  );
}

export function generatorRequest(request: SliceRequest, durationSeconds: number): GeneratorRunRequest {
  const { case: testCase, stage, placement, rate } = request;
  const origin = stage.origins[testCase.route];
  if (origin === undefined) throw new Error(`no route ${testCase.route} on the stage of ${testCase.service.name}`);
  return { case: testCase, origin, durationSeconds, rate, cpus: placement.generator };
}

/** 0 for ab, which runs for a number of requests. */
export function sliceSeconds({ load }: Case): number {
  return load.generator === 'ab' ? 0 : load.durationSeconds;
}

export function peakMemory({ meters }: Stage): { look(): void; peakBytes(): number } {
  let peak = meters.service.memoryBytes();
  const look = () => {
    peak = Math.max(peak, meters.service.memoryBytes());
  };
  return { look, peakBytes: () => peak };
}

export async function statementsOf({ database }: Stage): Promise<StatementCount[] | null> {
  return (await database?.statements().catch(() => null)) ?? null;
}

export interface SliceReadings {
  run: GeneratorRun;
  before: Readings;
  after: Readings;
  statements: StatementCount[] | null;
  ports: { timeWait: number; available: number };
  peakBytes: number;
  settledBytes: number;
  duet?: DuetReadings;
}

/** The measurement that readings amount to, once the stage was looked after and its answer checked again. */
export async function measurementOf(
  request: SliceRequest,
  { run, before, after, statements, ports, peakBytes, settledBytes, duet }: SliceReadings,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<SliceMeasurement> {
  const { case: testCase, stage, placement } = request;
  const failure = await stage.failure();
  const differencesAfter = failure === null ? await unexpectedParts(stage, testCase, adapters, signal) : [];
  return {
    caseKey: testCase.key,
    variant: stage.variant,
    instance: stage.instance,
    slice: request.slice,
    pair: request.pair,
    mode: duet === undefined ? 'alone' : 'duet',
    startedNs: run.startedNs,
    durationNs: run.durationNs,
    warmUp: request.warmUp,
    rate: request.rate,
    outcome: run.outcome,
    generatorFailure: run.failure,
    timedOut: run.timedOut,
    cpu: cpuBetween(before, after, run.cpuNs, placement, adapters),
    ...(duet === undefined ? {} : { duet }),
    memory: { idleBytes: request.idleBytes, peakBytes, settledBytes },
    acceptedConnections: duet !== undefined && stage.countsOthersConnections ? null : after.accepted - before.accepted,
    ports,
    statements: statements === null ? null : totalsOf(statements),
    clockStepMs: after.wallMs - before.wallMs - (after.monotonicNs - before.monotonicNs) / 1e6,
    differencesAfter,
    stageFailure: failure === null ? null : stageFailureReason(testCase.service, failure),
    notes: request.notes,
    raw: await rawFiles(run, request, adapters),
  };
}

async function rawFiles(
  run: GeneratorRun,
  { case: testCase, stage, slice }: SliceRequest,
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

function totalsOf(statements: readonly StatementCount[]): { calls: number; rows: number; totalMs: number } {
  const sum = (count: 'calls' | 'rows' | 'totalMs') => statements.reduce((total, each) => total + each[count], 0);
  return { calls: sum('calls'), rows: sum('rows'), totalMs: sum('totalMs') };
}
