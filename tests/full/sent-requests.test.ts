// needs: wrk, k6, ab, h2load
// seconds: 20
/** What a server is really asked in one trial, held against the order and the weights that the spec declares. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../src/adapters/generators/runner.ts';
import { type AskedEndpoint, askedEndpoint } from '../../src/core/config/asked-endpoint.ts';
import type { Endpoint } from '../../src/core/config/resolved.ts';
import { type CaseLoad, generators } from '../../src/core/generators/registry.ts';
import { whyUnsendable } from '../../src/core/generators/sendable-requests.ts';
import { begunInTurn, type Turn } from '../../src/core/requests/turn.ts';
import { type RecordingServer, startRecordingServer } from '../integration/generators/recording-server.ts';
import { type Traces, traces } from '../integration/generators/running.ts';
import { caseOf } from '../unit/generators/cases.ts';

const LOADS = {
  wrk: { generator: 'wrk', threads: 4, durationSeconds: 1, timeoutSeconds: 1 },
  k6: { generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 1, timeoutSeconds: 1, script: null },
  h2load: { generator: 'h2load', arrival: { kind: 'max' }, threads: 2, streams: 1, durationSeconds: 1 },
} satisfies Record<string, CaseLoad>;
const CONNECTIONS = 20;

let server: RecordingServer;
let trace: Traces;

beforeEach(async () => {
  server = await startRecordingServer();
  trace = traces();
});
afterEach(async () => {
  await server.close();
  expect(trace.running()).toEqual([]);
  expect(trace.left()).toEqual([]);
  trace.remove();
});

const endpoint = (changes: Partial<Endpoint>): Endpoint => ({ ...caseOf(LOADS.wrk).endpoint, ...changes });
const SOURCES = {
  endpoints: [
    endpoint({ name: 'list', path: '/list' }),
    endpoint({
      name: 'item',
      path: '/items/{id}',
      values: { id: Array.from({ length: 1000 }, (_, id) => String(id)) },
    }),
  ],
  rows: () => Promise.reject(new Error('no database')),
  file: () => Promise.reject(new Error('no files')),
};
const items = () => askedEndpoint(SOURCES.endpoints[1]!, SOURCES);
/** One request in five is for an item. */
const browse = () => askedEndpoint(endpoint({ name: 'browse', mix: { list: 8, item: 2 } }), SOURCES);

interface Sent {
  /** As they came in. */
  targets: string[];
  /** Of each different request of the endpoint, in the order of its set. */
  counts: number[];
}

interface Way {
  rate?: number | null;
  turn?: Turn;
  connections?: number;
  durationSeconds?: number;
}

/** k6 loads for a second at least. */
const leastSeconds = ({ generator }: CaseLoad) => (generator === 'k6' ? 1 : 0.5);

async function sentBy(
  load: CaseLoad,
  asked: AskedEndpoint,
  { rate = null, turn, connections = CONNECTIONS, durationSeconds = leastSeconds(load) }: Way = {},
): Promise<Sent> {
  server.recorded.splice(0);
  const runner = createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
  const { outcome, failure } = await runner.run(
    {
      ...{ case: caseOf(load, { endpoint: asked, connections }), origin: server.origin },
      ...{ durationSeconds, rate, cpus: null, ...(turn === undefined ? {} : { turn }) },
    },
    new AbortController().signal,
  );
  expect([failure, outcome!.errors?.status ?? 0]).toEqual([null, 0]);
  const targets = server.recorded.map(({ target }) => target);
  const times = new Map<string, number>();
  for (const target of targets) times.set(target, (times.get(target) ?? 0) + 1);
  const paths = asked.requestSet!.requests.map(({ path }) => path);
  expect([...times.keys()].filter((target) => !paths.includes(target))).toEqual([]);
  return { targets, counts: paths.map((path) => times.get(path) ?? 0) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const spread = (counts: readonly number[]) => Math.max(...counts) - Math.min(...counts);
const firstPath = ({ requestSet }: AskedEndpoint, turn: Turn) => {
  const { requests, order } = begunInTurn(requestSet!, turn);
  return requests[order[0]!]!.path;
};

/** How many walk the order by themselves, each from a place to another: any stretch holds a kind as often as it weighs, but for two. */
const WALKERS = { wrk: LOADS.wrk.threads, k6: 1, h2load: CONNECTIONS };
const OF_ANY_STRETCH = 2;

describe('what is sent of a mix of 8 to 2', () => {
  it.each(['wrk', 'k6', 'h2load'] as const)('is one in five by %s, within what the order may be off', async (name) => {
    const { counts, targets } = await sentBy(LOADS[name], await browse());
    const [lists = 0, ...ofItems] = counts;
    expect(lists + sum(ofItems)).toBe(targets.length);
    expect(targets.length).toBeGreaterThan(100);
    // wrk and h2load end with a request under way on each connection, which may never have come.
    const off = WALKERS[name] * OF_ANY_STRETCH + CONNECTIONS;
    expect(Math.abs(sum(ofItems) - targets.length / 5)).toBeLessThanOrEqual(off);
  });

  it('is one in five by k6 at a rate', async () => {
    const { counts, targets } = await sentBy(LOADS.k6, await browse(), { rate: 200, durationSeconds: 1 });
    expect(targets.length).toBeGreaterThan(100);
    // The lead-in walks the order by itself.
    expect(Math.abs(sum(counts.slice(1)) - targets.length / 5)).toBeLessThanOrEqual(2 * OF_ANY_STRETCH);
  });
});

describe('what is sent of 1,000 values', () => {
  it('is each as often as any other by wrk, but for one of each thread', async () => {
    const { counts } = await sentBy(LOADS.wrk, await items());
    expect(spread(counts)).toBeLessThanOrEqual(LOADS.wrk.threads + 1);
  });

  it('is each as often as any other by k6, but for one', async () => {
    const { counts, targets } = await sentBy(LOADS.k6, await items());
    expect(targets.length).toBeGreaterThan(100);
    expect(spread(counts)).toBeLessThanOrEqual(2);
  });

  it('is each as often as any other by one connection of h2load, but for one', async () => {
    const { counts, targets } = await sentBy(LOADS.h2load, await items(), { connections: 1 });
    expect(targets.length).toBeGreaterThan(100);
    expect(spread(counts)).toBeLessThanOrEqual(1);
  });

  it('is by many connections of h2load the same part of them, each by every connection', async () => {
    const asked = await items();
    // 10 of each connection.
    const { counts } = await sentBy(LOADS.h2load, asked, { rate: 200, durationSeconds: 1 });
    const [first] = asked.requestSet!.order;
    expect(counts[first!]).toBe(CONNECTIONS);
    expect(counts.filter((count) => count > 0).length).toBeLessThan(30);
  });
});

describe('what is sent by ab, which takes one URL alone', () => {
  it('is that one, as often as it is told', async () => {
    const runner = createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
    const load = { generator: 'ab', requests: 500, timeoutSeconds: 2 } as const;
    const request = { case: caseOf(load, { connections: CONNECTIONS }), origin: server.origin };
    await runner.run({ ...request, durationSeconds: 0, rate: null, cpus: null }, new AbortController().signal);
    expect(server.recorded.filter(({ target }) => target === '/ping')).toHaveLength(500);
    expect(server.recorded).toHaveLength(500);
  });

  it('is nothing where requests differ', async () => {
    const { requestSet } = await items();
    expect(whyUnsendable(generators.ab, requestSet!, { script: null, what: 'The requests of item' })).toBe(
      'The requests of item differ from each other, and ab sends one URL again and again: measure them with wrk or k6.',
    );
  });
});

describe('where a trial begins', () => {
  it.each([
    ['wrk', { ...LOADS.wrk, threads: 1 }],
    ['k6', LOADS.k6],
    ['h2load', LOADS.h2load],
  ] as const)('is a place of its own with %s', async (_, load) => {
    const asked = await items();
    for (const turn of [
      { round: 0, trial: 1 },
      { round: 1, trial: 1 },
      { round: 1, trial: 2 },
    ]) {
      const { targets } = await sentBy(load, asked, { turn, connections: 1 });
      expect(targets[0]).toBe(firstPath(asked, turn));
    }
  });

  it.each(['wrk', 'k6'] as const)('is the same on both sides of a duet of %s', async (name) => {
    const asked = await items();
    const turn = { round: 3, trial: 2 };
    const other = await startRecordingServer();
    const testCase = caseOf(
      { ...LOADS[name], ...(name === 'wrk' ? { threads: 1 } : {}) },
      { endpoint: asked, connections: 1 },
    );
    const side = ({ origin }: RecordingServer) => ({
      ...{ case: testCase, origin, durationSeconds: 1, rate: null, cpus: null, turn },
    });
    const runner = createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
    try {
      await runner.runTogether([side(server), side(other)], new AbortController().signal);
      const firsts = [server, other].map(({ recorded }) => recorded[0]!.target);
      expect(firsts).toEqual([firstPath(asked, turn), firstPath(asked, turn)]);
    } finally {
      await other.close();
    }
  });

  it('brings h2load to requests that no trial before it has sent', async () => {
    const asked = await items();
    const seen = new Set<string>();
    for (let trial = 1; trial <= 3; trial += 1) {
      const turn = { round: 1, trial };
      const { targets } = await sentBy(LOADS.h2load, asked, { turn, rate: 200, durationSeconds: 1 });
      const own = new Set(targets);
      expect(own.size).toBeLessThan(30);
      expect([...own].filter((target) => seen.has(target))).toEqual([]);
      for (const target of own) seen.add(target);
    }
  });
});
