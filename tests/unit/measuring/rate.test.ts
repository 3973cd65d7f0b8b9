import { describe, expect, it } from 'vitest';
import type { MeasuringAdapters } from '../../../src/app/measuring/adapters.ts';
import {
  type Capacities,
  type Capacity,
  capacityKey,
  capacityOf,
  chosenRate,
  type GeneratorCapacities,
  learnCapacity,
} from '../../../src/app/measuring/rate.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { Case } from '../../../src/core/config/case.ts';
import { testCase } from '../support/trials.ts';

const ORIGIN = 'http://10.0.0.2:8080';
const target = { origin: ORIGIN, cpus: '1' };

function k6Case(name: string, changes: { keepAlive?: boolean; script?: string } = {}): Case {
  const { keepAlive = true, script = null } = changes;
  const { endpoint } = testCase();
  return testCase({
    key: `go/${name}/direct/k6/${keepAlive ? 'keep-alive' : 'keep-alive-off'}/50@60%`,
    endpoint: { ...endpoint, name, path: `/${name}` },
    generator: 'k6',
    keepAlive,
    connections: 50,
    load: {
      generator: 'k6',
      arrival: { kind: 'share', shareOfCapacity: 0.6 },
      durationSeconds: 10,
      timeoutSeconds: 2,
      script,
    },
  });
}

/** What each endpoint reached in its warm-up, in requests per second. */
function reached(...found: [Case, number][]): Capacities {
  return new Map(
    found.map(([own, requestsPerSecond]) => [
      capacityKey(own),
      { case: own, origin: ORIGIN, requestsPerSecond, from: 'warm-up' },
    ]),
  );
}

/** A k6 that spends so many microseconds of CPU time on a request of each endpoint, in closed loops of 1000 requests. */
function choosing(requestUs: Record<string, number>) {
  const asked: string[] = [];
  const run = ({ case: own }: GeneratorRunRequest) => {
    asked.push(`${own.endpoint.path}${own.keepAlive ? '' : ' without keep-alive'}`);
    const outcome = { requests: 1000, throughput: 500 };
    return Promise.resolve({ outcome, cpuNs: 1000 * requestUs[own.endpoint.name]! * 1000 } as GeneratorRun);
  };
  const adapters = {
    clock: { monotonicNs: () => 0 },
    cpus: { count: () => 1 },
    generators: { run },
  } as unknown as MeasuringAdapters;
  const known: GeneratorCapacities = new Map();
  const rateOf = async (own: Case, capacities: Capacities) =>
    await chosenRate(own, capacities, target, known, adapters, new AbortController().signal);
  return { asked, rateOf };
}

const [ping, users] = [k6Case('ping'), k6Case('users')];

describe('a rate that is a share of the capacity', () => {
  it('is of what the endpoint reached in its own way of opening connections', async () => {
    const { rateOf } = choosing({ ping: 10 });
    const capacities = reached([ping, 5000], [k6Case('ping', { keepAlive: false }), 1000]);
    expect(await rateOf(ping, capacities)).toMatchObject({ rate: 3000, duetRate: 1500, warning: null });
    expect(await rateOf(k6Case('ping', { keepAlive: false }), capacities)).toMatchObject({ rate: 600, duetRate: 300 });
  });

  it('is of the other way where the endpoint was warmed up in that alone', async () => {
    const { rateOf } = choosing({ ping: 10 });
    expect(await rateOf(ping, reached([k6Case('ping', { keepAlive: false }), 1000]))).toMatchObject({ rate: 600 });
  });

  it('is half of what the generator can send where the share is more, and says so', async () => {
    const { rateOf } = choosing({ ping: 125 });
    // 125 us of a closed loop are 200 us at a rate.
    expect(await rateOf(ping, reached([ping, 8000]))).toMatchObject({
      rate: 2500,
      duetRate: 1250,
      warning: {
        code: 'rate-capped',
        message:
          '60 % of the capacity would be 4,800/s; k6 can send some 5,000/s from its CPUs, so half of that was sent',
      },
    });
  });
});

describe('how much a generator can send', () => {
  it('is asked at the endpoint that answers most, whichever case is first', async () => {
    const capacities = reached([users, 2000], [ping, 8000]);
    for (const order of [
      [users, ping],
      [ping, users],
    ]) {
      const { asked, rateOf } = choosing({ ping: 125, users: 500 });
      const rates = new Map<string, number | null>();
      for (const own of order) rates.set(own.endpoint.name, (await rateOf(own, capacities)).rate);
      expect(Object.fromEntries(rates)).toEqual({ users: 1200, ping: 2500 });
      expect(asked).toEqual(['/ping']);
    }
  });

  it('is asked in the way of opening connections that the case has', async () => {
    const off = k6Case('users', { keepAlive: false });
    const { asked, rateOf } = choosing({ ping: 125, users: 500 });
    await rateOf(off, reached([off, 300], [ping, 8000]));
    expect(asked).toEqual(['/users without keep-alive']);
  });

  it('is asked again once an endpoint has turned up that answers much more, and only then', async () => {
    const { asked, rateOf } = choosing({ ping: 125, users: 500, time: 120 });
    const capacities = reached([users, 2000]);
    await rateOf(users, capacities);
    learnCapacity(capacities, { case: ping, origin: ORIGIN, requestsPerSecond: 8000, from: 'warm-up' });
    expect((await rateOf(ping, capacities)).rate).toBe(2500);
    const time = k6Case('time');
    learnCapacity(capacities, { case: time, origin: ORIGIN, requestsPerSecond: 9000, from: 'warm-up' });
    expect((await rateOf(time, capacities)).rate).toBe(2500);
    expect(asked).toEqual(['/users', '/ping']);
  });

  it('is asked with each script of the user’s once, at the endpoint that it is of', async () => {
    const scripted = k6Case('users', { script: 'load.k6.js' });
    const { asked, rateOf } = choosing({ ping: 125, users: 500 });
    const capacities = reached([scripted, 2000], [ping, 8000]);
    expect((await rateOf(scripted, capacities)).rate).toBe(625);
    await rateOf(scripted, capacities);
    expect((await rateOf(ping, capacities)).rate).toBe(2500);
    expect(asked).toEqual(['/users', '/ping']);
  });
});

describe('the capacity of an endpoint', () => {
  function learnt(...found: [Capacity['from'], number][]): number | null {
    const capacities: Capacities = new Map();
    for (const [from, requestsPerSecond] of found) {
      learnCapacity(capacities, { case: ping, origin: ORIGIN, requestsPerSecond, from });
    }
    return capacityOf(ping, capacities);
  }

  it('is what the slower side alone has reached, however much both together did in their warm-up', () => {
    expect(learnt(['warm-up', 755], ['trials', 111])).toBe(111);
    expect(learnt(['warm-up', 780], ['trials', 1700])).toBe(1700);
  });

  it('is that of the trials that reached most, and no later warm-up changes it', () => {
    expect(learnt(['trials', 800], ['trials', 950], ['trials', 400], ['warm-up', 2000])).toBe(950);
  });

  it('is that of the last warm-up as long as there is no trial', () => {
    expect(learnt(['warm-up', 755], ['warm-up', 300])).toBe(300);
  });

  it('is not learnt from a trial that is no measurement', () => {
    expect(learnt(['warm-up', 755], ['trials', 0])).toBe(755);
    expect(learnt(['trials', 0])).toBeNull();
  });
});
