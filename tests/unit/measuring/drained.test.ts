import { describe, expect, it } from 'vitest';
import { drained, drainedBetweenTrials, mostOpenSeconds, mostRestSeconds } from '../../../src/app/measuring/drained.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import { testCase } from '../support/trials.ts';

const MS = 1e6;

interface Load {
  /** Milliseconds of CPU time that the service has still to do. */
  leftMs?: number;
  /** Share of a CPU that it gets for that. */
  share?: number;
  /** Share of a CPU that it uses all the time. */
  always?: number;
  database?: boolean;
}

/** How many milliseconds are waited for testbeds that have so much left to do, and whether they came to rest. */
async function waited(...loads: Load[]) {
  const { testbeds, clock } = given(loads);
  const isDrained = await drained(testbeds, clock, new AbortController().signal);
  return { ms: Math.round(clock.ms()), isDrained };
}

function given(loads: readonly Load[]) {
  let nowMs = 0;
  const clock = {
    ms: () => nowMs,
    monotonicNs: () => nowMs * MS,
    now: () => new Date(0),
    sleep: (seconds: number) => {
      nowMs += seconds * 1000;
      return Promise.resolve();
    },
  };
  const testbeds = loads.map(({ leftMs = 0, share = 1, always = 0, database = false }) => {
    const busy = { cpuNs: () => (Math.min(leftMs, share * nowMs) + always * nowMs) * MS };
    const idle = { cpuNs: () => 0 };
    const meters = {
      service: database ? idle : busy,
      database: database ? busy : null,
      gateway: null,
      dependencies: {},
    };
    return { meters } as unknown as Testbed;
  });
  return { testbeds, clock };
}

async function waitedMs(...loads: Load[]) {
  const { ms, isDrained } = await waited(...loads);
  expect(isDrained).toBe(true);
  return ms;
}

describe('what the last load left to do', () => {
  it('is seen not to be there within two windows', async () => {
    expect(await waitedMs({}, {})).toBe(40);
  });

  it('is waited for: 100 requests of 0.3 ms on each of two sides that share a CPU', async () => {
    expect(await waitedMs({ leftMs: 30, share: 0.5 }, { leftMs: 30, share: 0.5 })).toBe(100);
  });

  it('is waited for where something else takes half of the CPU', async () => {
    expect(await waitedMs({ leftMs: 100, share: 0.25 }, {})).toBe(440);
  });

  it('is waited for in the database as well', async () => {
    expect(await waitedMs({ leftMs: 200, database: true })).toBe(240);
  });

  it('is not confused with keeping time and collecting garbage', async () => {
    expect(await waitedMs({ always: 0.1 })).toBe(40);
  });

  it('is waited for no longer than 3 s, since some servers never rest', async () => {
    expect(await waited({ always: 0.9 })).toEqual({ ms: 3000, isDrained: false });
  });

  it.each([
    ['of a service that is fast', 1000, 20_000, 3],
    ['of one whose capacity nobody knows', 1000, null, 3],
    ['for half as long again as both sides take', 1000, 400, 7.5],
    ['for no longer than half a minute', 1000, 50, 30],
  ])('is expected, %s', (_, connections, requestsPerSecond, seconds) => {
    expect(mostRestSeconds(testCase({ connections }), requestsPerSecond)).toBe(seconds);
  });

  it('is waited for with open connections no longer than the generator may take', () => {
    const load = { generator: 'wrk', threads: 4, durationSeconds: 1, timeoutSeconds: 2 } as const;
    expect(mostOpenSeconds(testCase({ load }), 30)).toBe(5);
    expect(mostOpenSeconds(testCase({ load }), 3)).toBe(3);
  });

  it('is waited for without a generator only where it takes longer than usual', async () => {
    const leisurely = async (mostSeconds: number) => {
      const { testbeds, clock } = given([{ leftMs: 5000 }]);
      await drainedBetweenTrials(testbeds, mostSeconds, clock, new AbortController().signal);
      return clock.ms();
    };
    expect(await leisurely(3)).toBe(0);
    expect(Math.round(await leisurely(10))).toBe(5040);
  });
});
