import { describe, expect, it } from 'vitest';
import type { MeasuringAdapters } from '../../../src/app/measuring/adapters.ts';
import { answeredLeftOver, differencesAfterLoad } from '../../../src/app/measuring/answers-again.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import type { Answer } from '../../../src/core/verification/answer.ts';
import { testCase } from '../support/trials.ts';

const { signal } = new AbortController();
const ORIGIN = 'http://10.0.0.2:80';
const PROBE_SECONDS = 5;

/** A service that is busy for so long, and then answers at once with a status. */
function busyFor(seconds: number, status = 200) {
  let now = 0;
  const asked: number[] = [];
  const probe = {
    async ask(): Promise<Answer> {
      asked.push(now);
      if (now + PROBE_SECONDS < seconds) {
        now += PROBE_SECONDS;
        return { kind: 'failed', message: `nothing came within ${PROBE_SECONDS} s` };
      }
      now = Math.max(now, seconds);
      return { kind: 'answered', status, headers: {}, body: new Uint8Array(), wireBytes: 40 };
    },
  };
  const clock = {
    monotonicNs: () => now * 1e9,
    async sleep(each: number) {
      now += each;
    },
  };
  const adapters = { probe, clock, bodySearch: {} } as unknown as MeasuringAdapters;
  return { adapters, asked, seconds: () => Math.round(now) };
}

const testbed = { origins: { direct: ORIGIN }, service: testCase().service } as unknown as Testbed;
const plain = () => {
  const { endpoint, ...rest } = testCase();
  const expect = { status: 200, contentType: null, body: null, sizeBytes: null, matches: null };
  return { ...rest, endpoint: { ...endpoint, expect } };
};

describe('what a closed loop left over', () => {
  it('is not asked for where it is a moment’s work', async () => {
    const service = busyFor(100);
    await answeredLeftOver(ORIGIN, testCase({ connections: 100 }), 1000, service.adapters, signal);
    expect(service.asked).toEqual([]);
  });

  it('is waited for until a request is answered, or for a minute', async () => {
    const slow = busyFor(10);
    await answeredLeftOver(ORIGIN, testCase({ connections: 200 }), 20, slow.adapters, signal);
    expect(slow.seconds()).toBe(10);
    const stuck = busyFor(10_000);
    await answeredLeftOver(ORIGIN, testCase({ connections: 200 }), 0, stuck.adapters, signal);
    expect(stuck.seconds()).toBe(61);
  });
});

describe('the answer after a load', () => {
  it('is looked at once there is one', async () => {
    expect(await differencesAfterLoad(testbed, plain(), busyFor(12).adapters, signal)).toEqual([]);
    expect(await differencesAfterLoad(testbed, plain(), busyFor(12, 500).adapters, signal)).toEqual([
      'status: expected 200, got 500 (body: "")',
    ]);
  });

  it('is none where nothing comes for a minute', async () => {
    expect(await differencesAfterLoad(testbed, plain(), busyFor(10_000).adapters, signal)).toEqual([
      'no answer: nothing came within 5 s, and so for 60 s: it may still work on requests that the load left to it',
    ]);
  });

  it('is not waited for where that was in vain before', async () => {
    const stuck = busyFor(10_000);
    expect(await differencesAfterLoad(testbed, plain(), stuck.adapters, signal, true)).toEqual([
      'no answer: nothing came within 5 s',
    ]);
    expect(stuck.seconds()).toBe(10);
  });
});
