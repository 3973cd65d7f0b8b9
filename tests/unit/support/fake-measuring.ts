import type { MeasuringAdapters } from '../../../src/app/measuring/adapters.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type {
  PreparedService,
  SelectedRows,
  Testbed,
  TestbedError,
  TestbedRequest,
} from '../../../src/app/ports/testbed.ts';
import type { Case } from '../../../src/core/config/case.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import type { JournalEntry } from '../../../src/core/record/journal.ts';
import { fakeSyscallCounter } from '../../support/fake-syscalls.ts';

export interface FakeMeasuring {
  /** Why the candidate of a service cannot be prepared; null where it can. */
  prepare?(service: string): TestbedError | null;
  /** Why a testbed does not start; null where it does. */
  start?(request: TestbedRequest): TestbedError | null;
  /** Why its database does not answer while this endpoint is asked in turn; null where it does. */
  database?(testbed: Testbed, endpoint: Endpoint): TestbedError | null;
  /** Called with what a side is loaded with. */
  onLoad?(variant: Variant, testCase: Case): void;
  /** What a statement of the spec gives on a side; nothing where absent. */
  selected?(variant: Variant): SelectedRows;
  /** How long each answer of a pass takes; a millisecond where it is left out. */
  requestSeconds?: number;
  /** Bytes that all answers of a pass have together beyond 150 each; none where absent. */
  extraBytes?(): number;
  /** What an endpoint is answered with, status 200. */
  body?(variant: Variant, endpoint: Endpoint): string;
  /** Called before an entry goes into the journal. */
  onAppend?(entry: JournalEntry): void;
  /** Seconds that a start takes. */
  startSeconds?: number;
  /** Seconds on top of that in which its data are made; none where absent. */
  preparingSeconds?(request: TestbedRequest): number;
  /** `process` where absent. */
  runtime?: 'docker' | 'process';
  /** Requests per second that a side answers in a closed loop, which has been loaded for so long; 1000 where absent. */
  throughput?(variant: Variant, loadedSeconds: number): number;
  /** CPU time that so many requests cost, nanoseconds; 300 us each where absent. */
  cpuOf?(requests: number): number;
  /** wrk keeps its connections open after its load, and says what it has sent; whether a service is at rest then. */
  rests?: boolean;
  /** Calls of each window in turn, over and over; null where none can be counted, as where this is absent. */
  syscalls?: readonly number[] | null;
  /** Most requests per second that a side can be sent beside the other, asked once for each trial at a rate. */
  holds?(variant: Variant): number;
  /** Most requests per second that a side can be sent by itself; all where absent. */
  holdsAlone?: number;
  /** Share of the CPU that is busy while both sides are sent this rate at once; 0.5 where absent. Of a closed loop it is 1. */
  busyAt?(rate: number): number;
  /** Its data are put back, and what becomes of the service then; absent where nothing keeps data. */
  data?(variant: Variant): 'goes on' | 'is restarted' | TestbedError;
  /** Seconds until a side answers anything in a closed loop beside the other; 0 where absent. */
  firstAnswerSeconds?(variant: Variant): number;
}

interface FakeTestbed {
  testbed: Testbed;
  cpuNs: number;
  accepted: number;
  loadedSeconds: number;
  /** A request that is no GET has come. */
  isWritten: boolean;
  /** What its database has answered with since it broke. */
  databaseFailure: TestbedError | null;
}

/**
 * A machine that does nothing and takes the time that it would take: both sides alike, 1000 requests/s at 300 us each.
 * `journal` is what it wrote, `log` what it was asked for, in order.
 */
export function fakeMeasuring(given: FakeMeasuring = {}, journal: JournalEntry[] = []) {
  const log: string[] = [];
  const testbeds = new Map<string, FakeTestbed>();
  let nowNs = 1e9;
  let idleNs = 0;
  const pass = (seconds: number) => {
    nowNs += seconds * 1e9;
  };
  const loaded = (
    { origin, case: testCase, rate, durationSeconds, beforeLoad }: GeneratorRunRequest,
    isBeside: boolean,
  ): GeneratorRun => {
    const { connections, generator, keepAlive } = testCase;
    const asked = rate === null ? '' : ` at ${rate}/s`;
    // Meters are read before what is measured.
    const purpose = beforeLoad === undefined ? ' to warm up' : '';
    const fake = testbeds.get(origin)!;
    given.onLoad?.(fake.testbed.variant, testCase);
    log.push(
      `${generator} ${fake.testbed.variant} ${testCase.endpoint.name} for ${durationSeconds} s${asked}${purpose}`,
    );
    const answered = given.throughput?.(fake.testbed.variant, fake.loadedSeconds) ?? 1000;
    fake.loadedSeconds += durationSeconds;
    fake.isWritten ||= testCase.endpoint.method !== 'GET';
    const isTooShort =
      rate === null && isBeside && durationSeconds <= (given.firstAnswerSeconds?.(fake.testbed.variant) ?? 0);
    const requests = isTooShort ? 0 : (rate ?? answered) * durationSeconds;
    fake.cpuNs += given.cpuOf?.(requests) ?? requests * 300_000;
    fake.accepted += keepAlive ? connections : Math.round(requests);
    const latencyMs = { mean: 2, max: 9, p50: 2, p75: 2, p90: 3, p99: 5 };
    const most = rate === null ? undefined : isBeside ? given.holds?.(fake.testbed.variant) : given.holdsAlone;
    const droppedIterations = most === undefined ? 0 : Math.max(0, rate! - most) * durationSeconds;
    const sent = given.rests !== undefined && generator === 'wrk' ? { sentRequests: requests + connections } : {};
    const outcome = {
      ...{ tool: generator, ...sent, requests, durationSeconds, throughput: requests / durationSeconds, latencyMs },
      ...(droppedIterations === 0 ? {} : { droppedIterations }),
    };
    const [startedNs, durationNs] = [nowNs, durationSeconds * 1e9];
    return {
      ...{ outcome, failure: null, startedNs, durationNs, cpuNs: durationNs / 10, exitCode: 0, signal: null },
      ...{ timedOut: false, raw: {} },
    };
  };

  /** What follows a load, where the generator waits for it. */
  const open = async ({ origin, case: { generator, endpoint }, whileOpen }: GeneratorRunRequest) => {
    if (given.rests === undefined || generator !== 'wrk' || whileOpen === undefined) return;
    log.push(`open ${testbeds.get(origin)!.testbed.variant} ${endpoint.name}`);
    await whileOpen();
  };

  const adapters = {
    clock: {
      monotonicNs: () => nowNs,
      now: () => new Date(nowNs / 1e6),
      async sleep(seconds: number, signal: AbortSignal) {
        signal.throwIfAborted();
        pass(seconds);
      },
    },
    cpus: {
      read: () => ({
        busyNs: [...testbeds.values()].reduce((sum, { cpuNs }) => sum + cpuNs, 0),
        ...{ stealNs: 0, idleNs },
      }),
      ownNs: () => 0,
      count: () => 1,
    },
    syscalls: fakeSyscallCounter(given.syscalls ?? null),
    ports: { read: () => ({ timeWait: 0, available: 28_000 }) },
    generators: {
      version: async () => null,
      async run(request: GeneratorRunRequest, signal: AbortSignal) {
        signal.throwIfAborted();
        await request.beforeLoad?.();
        request.onStart?.();
        const run = loaded(request, false);
        pass(request.durationSeconds);
        request.onEnd?.();
        await open(request);
        return run;
      },
      async runTogether(requests: readonly [GeneratorRunRequest, GeneratorRunRequest], signal: AbortSignal) {
        signal.throwIfAborted();
        for (const { beforeLoad } of requests) await beforeLoad?.();
        for (const { onStart } of requests) onStart?.();
        const runs = requests.map((request) => loaded(request, true)) as [GeneratorRun, GeneratorRun];
        const [{ rate, durationSeconds }] = requests;
        if (rate !== null) idleNs += (1 - (given.busyAt?.(rate) ?? 0.5)) * durationSeconds * 1e9;
        pass(durationSeconds);
        for (const { onEnd } of requests) onEnd?.();
        for (const request of requests) await open(request);
        return runs;
      },
    },
    probe: {
      async ask(origin: string, _service: unknown, endpoint: Endpoint) {
        const { variant } = testbeds.get(origin)!.testbed;
        log.push(`ask ${variant} ${endpoint.name}`);
        const body = new TextEncoder().encode(given.body?.(variant, endpoint) ?? 'OK');
        return { kind: 'answered', status: 200, headers: {}, body, wireBytes: 150 };
      },
      async askInTurn(origin: string, _service: unknown, endpoint: Endpoint, count: number) {
        const fake = testbeds.get(origin)!;
        pass(count * (given.requestSeconds ?? 0.001));
        fake.isWritten ||= endpoint.method !== 'GET';
        fake.databaseFailure ??= given.database?.(fake.testbed, endpoint) ?? null;
        return { answers: count, failures: 0, bytes: count * 150 + (given.extraBytes?.() ?? 0), constantSize: true };
      },
    },
    runtime: {
      kind: given.runtime ?? 'process',
      version: async () => null,
      prepare: async ({ services, builds }: { services: { name: string }[]; builds?: number }) =>
        services.map(({ name }) => ({ ...fakePrepared(name, builds), failure: given.prepare?.(name) ?? null })),
      release: async () => {},
      sweep: async () => [],
      async start(request: TestbedRequest, signal: AbortSignal) {
        signal.throwIfAborted();
        pass(given.startSeconds ?? 1);
        const { variant, round } = request;
        log.push(`start ${variant} ${round}`);
        const preparingSeconds = given.preparingSeconds?.(request) ?? 0;
        if (preparingSeconds > 0) request.onActivity?.({ kind: 'prepare', step: 1 });
        pass(preparingSeconds);
        request.onActivity?.(null);
        const failure = given.start?.(request) ?? null;
        if (failure !== null) throw failure;
        const origin = `http://${variant}-${round}-${testbeds.size}`;
        const fake: FakeTestbed = {
          ...{ cpuNs: 0, accepted: 0, loadedSeconds: 0, isWritten: false, databaseFailure: null },
          testbed: null as unknown as Testbed,
        };
        const idle = {
          cpuNs: () => fake.cpuNs + (given.rests === false ? nowNs : 0),
          memoryBytes: () => memoryOf(variant),
        };
        fake.testbed = {
          ...{ service: request.service, variant, round, origins: { direct: origin, gateway: origin } },
          database:
            given.database === undefined && given.selected === undefined
              ? null
              : fakeDatabase(
                  () => fake.databaseFailure,
                  () => given.selected?.(variant) ?? { columns: [], rows: [] },
                ),
          meters: { service: idle, database: null, gateway: null, dependencies: {} },
          serviceProcesses: () => [1],
          ...{ acceptedConnections: () => fake.accepted, countsOthersConnections: true },
          observed: async () => ({ listeners: 1, backlog: 511, processes: 1, threads: 7, unseen: [] }),
          threadTimes: () => new Map([['1 1', fake.cpuNs / 4] as const, ['2 1', (3 * fake.cpuNs) / 4] as const]),
          mainThreadsNs: () => fake.cpuNs / 4,
          startUpNs: 1e9 * (given.startSeconds ?? 0),
          failure: async () => null,
          logLines: async () => [],
          ...(given.data === undefined ? {} : fakeData(fake, given.data, log)),
          ...(given.runtime === 'docker' ? { halt: async () => void log.push(`halt ${variant} ${round}`) } : {}),
          async stop() {
            log.push(`stop ${variant} ${round}`);
            await new Promise((resolve) => setImmediate(resolve));
            log.push(`down ${variant} ${round}`);
          },
        };
        testbeds.set(origin, fake);
        return fake.testbed;
      },
    },
    store: {
      directory: '/nowhere',
      journal: {
        async append(entry: JournalEntry) {
          given.onAppend?.(entry);
          journal.push(entry);
        },
        read: async () => journal,
      },
      writeRaw: async (name: string) => `raw/${name}`,
      write: async () => undefined,
    },
    progress: {
      ...{ begin() {}, end() {}, at() {}, busy() {}, measured() {} },
      say: (text: string) => log.push(`say ${text}`),
      warn: (text: string) => log.push(`warn ${text}`),
    },
  } as unknown as MeasuringAdapters;

  const memoryOf = (variant: Variant) => {
    log.push(`memory ${variant}`);
    return 30_000_000;
  };
  return { adapters, journal, log };
}

function fakeData(
  fake: FakeTestbed,
  become: NonNullable<FakeMeasuring['data']>,
  log: string[],
): Pick<Testbed, 'dataChanged' | 'restoreData' | 'passLog'> {
  return {
    dataChanged: async () => fake.isWritten,
    async restoreData() {
      const { variant } = fake.testbed;
      log.push(`restore ${variant}`);
      fake.isWritten = false;
      const outcome = become(variant);
      if (typeof outcome !== 'string') throw outcome;
      return { serviceRestarted: outcome === 'is restarted' };
    },
    passLog: async () => void log.push(`pass log ${fake.testbed.variant}`),
  };
}

/** What was had of a service: its name, and of several builds that with their numbers. */
export function fakePrepared(name: string, count = 1): PreparedService {
  if (count === 1) return { service: name, artifact: name, failure: null };
  const builds = Array.from({ length: count }, (_, at) => `${name} ${at + 1}`);
  return { service: name, artifact: builds[0]!, builds, failure: null };
}

function fakeDatabase(failure: () => TestbedError | null, selected: () => SelectedRows): Testbed['database'] {
  const orFailure = async <Answer>(answer: Answer) => {
    const why = failure();
    if (why !== null) throw why;
    return answer;
  };
  return {
    version: '18',
    statements: () => orFailure([]),
    resetStatements: () => orFailure(undefined),
    markStatements: () => orFailure(undefined),
    rows: () => orFailure(null),
    connections: () => orFailure(1),
    selected: () => orFailure(selected()),
  };
}
