import type { Case } from '../../core/config/case.ts';
import { cpuQuotaOf } from '../../core/config/cpu-quota.ts';
import type { Placement } from '../../core/config/resolved.ts';
import { isWriting } from '../../core/config/writes.ts';
import type { CpuOfParts, DuetReadings, MemoryReadings, TrialMeasurement } from '../../core/measurement/measurement.ts';
import type { Reason, Variant } from '../../core/measurement/names.ts';
import { isSpoilt } from '../../core/validity/set-aside.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../ports/generators.ts';
import type { StatementCount, Testbed } from '../ports/testbed.ts';
import type { MeasuringAdapters } from './adapters.ts';
import { differencesAfterLoad } from './answers-again.ts';
import { drained, drainedBetweenTrials, mostOpenSeconds } from './drained.ts';
import { busiestOf, cpuBetween, partReadings, partsBetween, type Readings, readings } from './readings.ts';
import { restoredBefore } from './restored-data.ts';
import { testbedFailureReason } from './testbed-failure.ts';
import { wordsOfFailure } from './words-of-failure.ts';

export interface TrialRequest {
  case: Case;
  testbed: Testbed;
  /** The other side, where it stands on the same CPUs. */
  other: Testbed | null;
  placement: Placement;
  trial: number;
  pair: number | null;
  rate: number | null;
  warmUp: { seconds: number; steady: boolean };
  notes: Reason[];
  idleBytes: number;
  /** See `TrialMeasurement`. */
  ofAllCpus?: true;
  coolDownSeconds: number;
  /** The service has not come to rest after loads of this case: it is not waited for again. */
  isRestless?: boolean;
  /** Until what a load left over is answered, at most. */
  mostRestSeconds: number;
  /** What the testbed is loaded with once its data were put back; absent for the case itself. */
  reconnecting?: Case;
}

/**
 * One generator execution against one testbed, with all that was used meanwhile.
 *
 *     start-up            │ meters │◀──── load ────▶│ meters │ quiet │ meters │ statements │ cool-down │ settled memory,
 *     quiet  │ statements           memory every 100 ms                                               answer checked
 *
 * Reading statements is a query and so costs the database: it stays outside the window of the CPU meters.
 */
export async function measuredTrial(
  request: TrialRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<TrialMeasurement> {
  const { case: testCase, testbed, other, placement, mostRestSeconds } = request;
  const testbeds = other === null ? [testbed] : [testbed, other];
  const { clock, generators, ports } = adapters;

  const read = () => readings(testbed, testCase, placement, adapters);
  let before = read();
  const onStart = () => {
    before = read();
  };
  const memory = peakMemory(testbed);
  // Outside the load, since a service may have hundreds of them; at rest they use nothing.
  let threadsBefore = testbed.threadTimes();
  const beforeLoad = async () => {
    await adapters.runtime.removed?.();
    await drained(testbeds, clock, signal);
    await testbed.database?.resetStatements().catch(() => undefined);
    threadsBefore = testbed.threadTimes();
  };
  let after = before;
  let threadsAfter = threadsBefore;
  let afterLoad: CpuOfParts | undefined;
  const onEnd = () => {
    after = read();
    threadsAfter = testbed.threadTimes();
  };
  const whileOpen = async () => {
    const isAtRest = await drained([testbed], clock, signal, mostOpenSeconds(testCase, mostRestSeconds));
    if (isAtRest) afterLoad = partsBetween(after, partReadings(testbed));
  };
  await drainedBetweenTrials(testbeds, mostRestSeconds, clock, signal);
  const run = await generators.run(
    {
      ...generatorRequest(request, trialSeconds(testCase)),
      ...{ beforeLoad, onStart, onTick: memory.look, onEnd },
      ...(request.isRestless ? {} : { whileOpen }),
    },
    signal,
  );
  const busiestThreadNs = busiestOf(threadsBefore, threadsAfter);
  const timeWait = ports.read();
  const statements = await statementsOf(testbed);
  await clock.sleep(request.coolDownSeconds, signal);
  const settledBytes = testbed.meters.service.memoryBytes();
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
      dependencyPeaks: memory.ofDependencies(),
      ...(afterLoad === undefined ? {} : { afterLoad }),
      ...(busiestThreadNs === null ? {} : { busiestThreadNs }),
    },
    adapters,
    signal,
  );
}

const RETRIES = 2;

/**
 * A trial alone, measured again where the machine spoilt it: somebody set its clock, as happens to virtual machines, or
 * took so much of the server's CPU that the rate could not be held. After `RETRIES` it stays as it is. Rejects with `GeneratorNotStarted`,
 * and with `DataNotRestored` where what the spoilt one wrote cannot be put back.
 */
export async function undisturbedTrial(
  request: TrialRequest,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<{ trial: TrialMeasurement; loadSeconds: number }> {
  const { case: testCase, reconnecting = testCase, testbed, placement } = request;
  let trial = await measuredTrial(request, adapters, signal);
  let loadNs = trial.durationNs;
  for (let again = 0; again < RETRIES && isSpoilt(trial, testCase); again += 1) {
    adapters.progress.say(`${testCase.key}: the machine disturbed this trial; measuring once more`);
    if (isWriting(testCase.endpoint)) {
      const target = { origin: testbed.origins[testCase.route]!, cpus: placement.generator };
      await restoredBefore(reconnecting, testbed, target, adapters, signal);
      await testbed.passLog?.();
    }
    trial = await measuredTrial(request, adapters, signal);
    loadNs += trial.durationNs;
  }
  return { trial, loadSeconds: loadNs / 1e9 };
}

export function generatorRequest(request: TrialRequest, durationSeconds: number): GeneratorRunRequest {
  const { case: testCase, testbed, placement, trial, rate } = request;
  const origin = testbed.origins[testCase.route];
  if (origin === undefined) throw new Error(`no route ${testCase.route} on the testbed of ${testCase.service.name}`);
  const turn = { round: testbed.round, trial };
  return { case: testCase, origin, durationSeconds, rate, turn, cpus: placement.generator };
}

/** Whether nobody else added to the count of accepted connections: no other side, nor a gateway, which opens its own. */
function isOwnCount({ testbed, case: { route } }: TrialRequest, isDuet: boolean): boolean {
  return !testbed.countsOthersConnections || (!isDuet && route === 'direct');
}

/** 0 for ab, which runs for a number of requests. */
function trialSeconds({ load }: Case): number {
  return 'durationSeconds' in load ? load.durationSeconds : 0;
}

/** The most that the service and each dependency have had at any look. */
export function peakMemory({ meters }: Testbed): {
  look(): void;
  peakBytes(): number;
  ofDependencies(): DependencyPeaks;
} {
  let peak = 0;
  const peaks: Record<string, number> = {};
  const look = () => {
    peak = Math.max(peak, meters.service.memoryBytes());
    for (const [name, meter] of Object.entries(meters.dependencies)) {
      peaks[name] = Math.max(peaks[name] ?? 0, meter.memoryBytes());
    }
  };
  look();
  return {
    look,
    peakBytes: () => peak,
    ofDependencies: () => (Object.keys(peaks).length === 0 ? {} : { dependencyPeakBytes: peaks }),
  };
}

type DependencyPeaks = Pick<MemoryReadings, 'dependencyPeakBytes'>;

export async function statementsOf({ database }: Testbed): Promise<StatementCount[] | null> {
  return (await database?.statements().catch(() => null)) ?? null;
}

export interface TrialReadings {
  run: GeneratorRun;
  before: Readings;
  after: Readings;
  statements: StatementCount[] | null;
  ports: { timeWait: number; available: number };
  peakBytes: number;
  settledBytes: number;
  dependencyPeaks: DependencyPeaks;
  afterLoad?: CpuOfParts;
  busiestThreadNs?: number;
  duet?: DuetReadings;
}

/** The measurement that readings amount to, once the testbed was looked after and its answer checked again. */
export async function measurementOf(
  request: TrialRequest,
  readings: TrialReadings,
  adapters: MeasuringAdapters,
  signal: AbortSignal,
): Promise<TrialMeasurement> {
  const { run, before, after, statements, ports, peakBytes, settledBytes, dependencyPeaks } = readings;
  const { afterLoad, busiestThreadNs, duet } = readings;
  const { case: testCase, testbed, placement } = request;
  const quota = cpuQuotaOf(testbed.service, placement);
  // What comes after other requests may not be answered in time, and then says nothing of the answer.
  if (afterLoad === undefined && request.rate === null) {
    await drainedBetweenTrials([testbed], request.mostRestSeconds, adapters.clock, signal);
  }
  const failure = await testbed.failure();
  const words = failure === null ? await wordsOfFailure(testbed, run) : null;
  const differencesAfter =
    failure === null ? await differencesAfterLoad(testbed, testCase, adapters, signal, request.isRestless) : [];
  return {
    caseKey: testCase.key,
    variant: testbed.variant,
    round: testbed.round,
    trial: request.trial,
    pair: request.pair,
    mode: duet === undefined ? 'solo' : 'duet',
    startedNs: run.startedNs,
    durationNs: run.durationNs,
    warmUp: request.warmUp,
    rate: request.rate,
    outcome: run.outcome,
    generatorFailure: run.failure,
    timedOut: run.timedOut,
    cpu: {
      ...cpuBetween(before, after, run.cpuNs, placement, adapters),
      ...(quota === null ? {} : { serviceCpuQuota: quota }),
      ...(busiestThreadNs === undefined ? {} : { busiestThreadNs }),
    },
    ...(afterLoad === undefined ? {} : { afterLoad }),
    ...(duet === undefined ? {} : { duet }),
    memory: { idleBytes: request.idleBytes, peakBytes, settledBytes, ...dependencyPeaks },
    ...(request.ofAllCpus === undefined ? {} : { ofAllCpus: request.ofAllCpus }),
    startUpNs: testbed.startUpNs,
    acceptedConnections: isOwnCount(request, duet !== undefined) ? after.accepted - before.accepted : null,
    ...(testbed.countsOthersConnections && statements !== null
      ? { databaseConnectionsAmong: totalsOf(statements).calls }
      : {}),
    ports,
    statements: statements === null ? null : totalsOf(statements),
    clockStepMs: after.wallMs - before.wallMs - (after.monotonicNs - before.monotonicNs) / 1e6,
    differencesAfter,
    ...(words === null ? {} : { failureWords: words }),
    testbedFailure: failure === null ? null : testbedFailureReason(testCase.service, failure),
    notes: request.notes,
    raw: await rawFiles(run, request, adapters),
  };
}

async function rawFiles(
  run: GeneratorRun,
  { case: testCase, testbed, trial }: TrialRequest,
  { store }: MeasuringAdapters,
): Promise<string[]> {
  const paths: string[] = [];
  for (const [name, content] of Object.entries(run.raw)) {
    if (content !== '') {
      paths.push(await store.writeRaw(rawFileName(testCase.key, testbed.variant, testbed.round, trial, name), content));
    }
  }
  return paths;
}

function totalsOf(statements: readonly StatementCount[]): { calls: number; rows: number; totalMs: number } {
  const sum = (count: 'calls' | 'rows' | 'totalMs') => statements.reduce((total, each) => total + each[count], 0);
  return { calls: sum('calls'), rows: sum('rows'), totalMs: sum('totalMs') };
}

/** `go/ping/direct/wrk/keep-alive-off/100` → `go-ping-direct-wrk-keep-alive-off-100.candidate-1-1.stdout.txt`. */
function rawFileName(caseKey: string, variant: Variant, round: number, trial: number, name: string): string {
  return `${caseKey.replaceAll(/[^\w.@%-]+/g, '-')}.${variant}-${round}-${trial}.${name}`;
}
