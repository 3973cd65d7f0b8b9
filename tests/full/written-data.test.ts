// needs: wrk, postgres, linux
// seconds: 40
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../src/adapters/generators/runner.ts';
import { createBodySearch } from '../../src/adapters/http/body-search.ts';
import { createHttpProbe } from '../../src/adapters/http/probe.ts';
import { createClock } from '../../src/adapters/machine/clock.ts';
import { createPortMeter } from '../../src/adapters/machine/ports.ts';
import { processRuntime } from '../../src/adapters/process-runtime/runtime.ts';
import { createRequestFiles } from '../../src/adapters/project/request-files.ts';
import { createCpuMeter } from '../../src/adapters/sampling/cpu-meter.ts';
import type { MeasuringAdapters } from '../../src/app/measuring/adapters.ts';
import { measureSideBySide } from '../../src/app/measuring/side-by-side/round.ts';
import { measureCases } from '../../src/app/measuring/solo-service.ts';
import type { GeneratorRunRequest } from '../../src/app/ports/generators.ts';
import type { Testbed, TestbedRequest } from '../../src/app/ports/testbed.ts';
import { casesOf } from '../../src/core/config/case.ts';
import type { Endpoint, ResolvedSpec } from '../../src/core/config/resolved.ts';
import type { TrialMeasurement } from '../../src/core/measurement/measurement.ts';
import type { Variant } from '../../src/core/measurement/names.ts';
import { duetLengths } from '../../src/core/plan/duets.ts';
import type { JournalEntry } from '../../src/core/record/journal.ts';
import { seededRandom } from '../../src/core/statistics/random.ts';
import { fakeSyscallCounter } from '../support/fake-syscalls.ts';
import { itemStoreProgram } from '../support/server-programs.ts';
import { plainDatabase, plainService, plainSpec } from '../support/testbed-specs.ts';

const signal = new AbortController().signal;
const placement = { service: '0', database: '0', generator: '1' };
/** By the steps of `prepare`. */
const ROWS = 500;
const SECONDS = 1;
const CONNECTIONS = 4;
const MATRIX = { at() {}, done() {}, skip() {} };

let program = '';
beforeAll(async () => {
  program = await itemStoreProgram();
});

const endpoint = (changes: Partial<Endpoint>): Endpoint => ({
  ...{ name: 'list', method: 'GET', path: '/items', headers: {}, body: null },
  expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null },
  ...changes,
});
const CREATED = { status: 201, contentType: null, body: null, sizeBytes: null, matches: null };

function specOf(env: Record<string, string> = {}): ResolvedSpec {
  const command = (...words: string[]) => ['node', program, ...words];
  const service = plainService(
    { image: null, command: command('serve') },
    { name: 'store', env: { PORT: '${port}', DATABASE_URL: '${database.url}', ...env } },
  );
  const wrk = {
    threads: 1,
    connections: [CONNECTIONS],
    keepAlive: [true, false],
    durationSeconds: SECONDS,
    timeoutSeconds: 2,
  };
  const job = (...words: string[]) => ({
    kind: 'job' as const,
    command: command(...words),
    env: {},
    timeoutSeconds: 60,
  });
  const spec = plainSpec(service, { database: plainDatabase('') });
  return {
    ...spec,
    prepare: [job('migrate'), job('fill', String(ROWS))],
    endpoints: [
      endpoint({ name: 'create', method: 'POST', body: '{"name": "x"}', expect: CREATED }),
      endpoint({ name: 'list' }),
    ],
    load: { ...spec.load, wrk, warmUp: { kind: 'fixed', seconds: 0.3 } },
  };
}

/** One load, and how many rows there were on its side before and after it. */
interface Loaded {
  variant: Variant;
  endpoint: string;
  isTrial: boolean;
  before: number;
  after: number;
}

async function rowsAt(origin: string): Promise<number> {
  // A connection that was lost fails one request.
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(`${origin}/count`, { headers: { connection: 'close' } });
    if (answer.status === 200) return ((await answer.json()) as { count: number }).count;
    if (attempt === 20) throw new Error(`${origin}/count: ${answer.status}`);
  }
}

/** Real ones, which count the rows around each load. */
function countingAdapters(runtime: ReturnType<typeof processRuntime>, variantOf: (origin: string) => Variant) {
  const loads: Loaded[] = [];
  const journal: JournalEntry[] = [];
  const warnings: string[] = [];
  const generators = createGeneratorRunner({ specDirectory: '/', workDirectory: tmpdir() });
  const around = async <T>(requests: readonly GeneratorRunRequest[], run: () => Promise<T>): Promise<T> => {
    const before = await Promise.all(requests.map(({ origin }) => rowsAt(origin)));
    const result = await run();
    const after = await Promise.all(requests.map(({ origin }) => rowsAt(origin)));
    for (const [index, { origin, case: testCase, beforeLoad }] of requests.entries()) {
      loads.push({
        ...{ variant: variantOf(origin), endpoint: testCase.endpoint.name, isTrial: beforeLoad !== undefined },
        ...{ before: before[index]!, after: after[index]! },
      });
    }
    return result;
  };
  const adapters: MeasuringAdapters = {
    ...{ runtime, probe: createHttpProbe(), bodySearch: createBodySearch(), cpus: createCpuMeter() },
    requestFiles: createRequestFiles('/'),
    ...{ ports: createPortMeter(), syscalls: fakeSyscallCounter(null), clock: createClock() },
    generators: {
      ...generators,
      run: (request, own) => around([request], () => generators.run(request, own)),
      runTogether: (requests, own) => around(requests, () => generators.runTogether(requests, own)),
    },
    store: {
      directory: '/nowhere',
      journal: { append: async (entry) => void journal.push(entry), read: async () => journal },
      writeRaw: async (name) => `raw/${name}`,
      write: async () => undefined,
    },
    progress: {
      ...{ say() {}, begin() {}, end() {}, at() {}, busy() {}, measured() {} },
      warn: (text) => warnings.push(text),
    },
  };
  return { adapters, loads, journal, warnings };
}

const requestFor = (spec: ResolvedSpec, runId: string, variant: Variant): TestbedRequest => ({
  ...{ runId, spec, service: spec.services[0]!, variant, round: 1, placement },
  ...{ specDirectory: process.cwd(), artifact: '' },
});

const errorsOf = ({ outcome }: TrialMeasurement) =>
  Object.values(outcome?.errors ?? {}).reduce((sum: number, count) => sum + (count ?? 0), 0);

/** One round of both sides, in duets alone. */
async function duets(runId: string, specs: Record<Variant, ResolvedSpec>, pairsEach = 1) {
  const runtime = processRuntime();
  const testbeds = {} as Record<Variant, Testbed>;
  const variantOf = (origin: string): Variant =>
    origin === testbeds.baseline.origins.direct ? 'baseline' : 'candidate';
  const { adapters, loads, journal, warnings } = countingAdapters(runtime, variantOf);
  try {
    for (const variant of ['baseline', 'candidate'] as const) {
      testbeds[variant] = await runtime.start(requestFor(specs[variant], runId, variant), signal);
    }
    const side = (variant: Variant) => ({
      ...{ spec: specs[variant], specDirectory: process.cwd(), service: specs[variant].services[0]! },
      prepared: { service: 'store', artifact: '', failure: null },
    });
    const cases = casesOf(specs.candidate);
    const fallen = await measureSideBySide(
      {
        ...{ round: 1, solo: [], duets: cases, ofAllCpus: null, interleaved: [], pairsEach, recounted: [] },
        isShort: false,
      },
      {
        ...{ sides: { baseline: side('baseline'), candidate: side('candidate') }, testbeds, placement },
        ...{
          rates: new Map(),
          warmUps: new Map(),
          bestCapacities: new Map(),
          saturated: { baseline: new Map(), candidate: new Map() },
          longestSeconds: () => 4,
          generatorCapacities: new Map(),
          restless: new Map(),
          neverAtRest: new Set(),
        },
        ...{ lengths: { ...duetLengths(cases, specs.candidate), wrk: SECONDS }, longer: new Map() },
        ...{ seed: 7, mode: 'duet', random: seededRandom(7), dropped: new Set(), entries: () => journal },
      },
      adapters,
      signal,
    );
    expect(fallen).toBeNull();
  } finally {
    await Promise.all(Object.values(testbeds).map((testbed) => testbed.stop()));
    await runtime.release(runId);
  }
  return { loads, journal, warnings };
}

describe('a service with an endpoint that inserts', () => {
  it('is measured at a steady table size: each trial begins with what was prepared, and ends with what it wrote itself', async () => {
    const runtime = processRuntime();
    const spec = specOf();
    const testbed = await runtime.start(requestFor(spec, 'written-solo', 'candidate'), signal);
    const { adapters, loads, journal, warnings } = countingAdapters(runtime, () => 'candidate');
    try {
      expect(await measureCases(testbed, casesOf(spec), spec, placement, MATRIX, adapters, signal)).toEqual([]);
    } finally {
      await testbed.stop();
      await runtime.release('written-solo');
    }
    expect(warnings).toEqual([]);
    const trials = journal.flatMap((entry) => (entry.kind === 'trial' ? [entry] : []));
    expect(trials).toHaveLength(4);
    for (const trial of trials) {
      expect(trial.testbedFailure).toBeNull();
      expect(trial.differencesAfter).toEqual([]);
      expect(trial.outcome?.requests).toBeGreaterThan(50);
      expect(errorsOf(trial)).toBe(0);
    }
    // `create` twice, with keep-alive and without, then `list` twice: each trial begins with the same rows, whatever warmed it up.
    const begun = loads.filter(({ isTrial }) => isTrial).map(({ endpoint: name, before }) => [name, before]);
    expect(begun).toEqual(['create', 'create', 'list', 'list'].map((name) => [name, ROWS]));
    for (const each of loads) {
      if (each.endpoint === 'list') expect(each.after).toBe(each.before);
      else expect(each.after).toBeGreaterThan(each.before);
    }
    // What is exact holds the endpoint's own statement alone: putting data back is seen in no count.
    const passes = journal.flatMap((entry) => (entry.kind === 'pass' ? [entry] : []));
    expect(
      passes.map(({ endpoint: name, requests, statements }) => [
        name,
        statements?.map(({ calls }) => calls / requests),
      ]),
    ).toEqual([
      ['create', [1]],
      ['list', [1]],
    ]);
    for (const trial of trials) {
      // One statement for each request, and those that the generator gave up in the middle.
      const { calls } = trial.statements!;
      const requests = trial.outcome?.requests ?? 0;
      expect(calls / requests).toBeGreaterThanOrEqual(1);
      expect(calls / requests).toBeLessThan(1.05);
    }
  });

  it('is so in duets, on both sides alike, also where one of them has to be started anew', async () => {
    const specs = { baseline: specOf({ ENDS_WITHOUT_DATABASE: '1' }), candidate: specOf() };
    const { loads, journal, warnings } = await duets('written-duets', specs);
    expect(warnings).toEqual([]);
    const trials = journal.flatMap((entry) => (entry.kind === 'trial' ? [entry] : []));
    expect(trials).toHaveLength(8);
    for (const trial of trials) {
      expect(trial.testbedFailure).toBeNull();
      expect(errorsOf(trial)).toBe(0);
    }
    // What is loaded first after each duet, or after the warm-up: on both sides the rows that were prepared.
    const own = loads.filter(({ variant }) => variant === 'candidate');
    const first = own.findIndex(({ isTrial }) => isTrial);
    for (const variant of ['baseline', 'candidate'] as const) {
      const of = loads.filter((each) => each.variant === variant);
      const begins = of.filter((_, at) => at > 0 && of[at - 1]!.isTrial && of[at - 1]!.endpoint === 'create');
      for (const each of begins) expect(each.before).toBe(ROWS);
      for (const each of of.slice(first))
        if (each.endpoint === 'list') expect(each).toMatchObject({ before: ROWS, after: ROWS });
      for (const each of of.slice(first))
        if (each.endpoint === 'create' && each.isTrial) expect(each.after).toBeGreaterThan(each.before + 50);
    }
  });

  it('begins each duet with the rows that were prepared on both sides, whatever warmed it up', async () => {
    const { loads, warnings } = await duets('written-rows', { baseline: specOf(), candidate: specOf() }, 2);
    expect(warnings).toEqual([]);
    const begun = (variant: Variant) =>
      loads.flatMap((each) => (each.isTrial && each.variant === variant ? [[each.endpoint, each.before]] : []));
    const written = loads.filter(({ isTrial, endpoint: name }) => isTrial && name === 'create');
    console.log(written.map(({ variant, before, after }) => `${variant}: ${before} to ${after} rows`).join('\n'));
    expect(begun('baseline')).toEqual(begun('candidate'));
    expect(begun('candidate').map(([, rows]) => rows)).toEqual(Array.from({ length: 8 }, () => ROWS));
  });
});
