import { describe, expect, it } from 'vitest';
import { drained } from '../../../src/app/measuring/drained.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';

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
  let nowMs = 0;
  const clock = {
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
    const meters = { service: database ? idle : busy, database: database ? busy : null, gateway: null };
    return { meters } as unknown as Testbed;
  });
  const isDrained = await drained(testbeds, clock, new AbortController().signal);
  return { ms: Math.round(nowMs), isDrained };
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
});
