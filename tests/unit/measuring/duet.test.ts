import { describe, expect, it } from 'vitest';
import { measuredDuet } from '../../../src/app/measuring/side-by-side/duet.ts';
import type { TrialRequest } from '../../../src/app/measuring/trial.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { Variant } from '../../../src/core/measurement/names.ts';
import { caseOf, LOADS } from '../generators/cases.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';

const MS = 1e6;
const signal = new AbortController().signal;
type Pair = [GeneratorRunRequest, GeneratorRunRequest];

/**
 * A duet on a machine whose time and CPU time pass as `course` says: `pass` so many milliseconds, of which each side uses
 * so many. The course says when each load began, and calls what the requests ask for.
 */
async function measured(
  course: (
    pass: (ms: number, used: [number, number]) => void,
    pair: Pair,
    nowNs: () => number,
  ) => [number, number] | Promise<[number, number]>,
  /** CPU time of each side in a millisecond that is only waited for. */
  waiting: (waitedMs: number) => [number, number] = () => [0, 0],
) {
  const { adapters } = fakeMeasuring();
  const cpuNs = { baseline: 0, candidate: 0 };
  let passedNs = 0;
  let isWaiting = false;
  let waitedMs = 0;
  const clock = {
    ...adapters.clock,
    monotonicNs: () => adapters.clock.now().getTime() * MS + passedNs,
    async sleep(seconds: number) {
      for (let ms = 0; ms < seconds * 1000; ms += 1) {
        if (isWaiting) waitedMs += 1;
        pass(1, isWaiting ? waiting(waitedMs) : [0, 0]);
      }
    },
  };
  const pass = (ms: number, [first, second]: [number, number]) => {
    passedNs += ms * MS;
    cpuNs.baseline += first * MS;
    cpuNs.candidate += second * MS;
  };
  const testCase = caseOf(LOADS.wrk);
  const request = async (variant: Variant): Promise<TrialRequest> => {
    const start = { service: testCase.service, variant, round: 1 } as TestbedRequest;
    const testbed = await adapters.runtime.start(start, signal);
    const service = { cpuNs: () => cpuNs[variant], memoryBytes: () => 1 };
    Object.assign(testbed, { meters: { service, database: null, gateway: null, dependencies: {} } });
    return {
      ...{ case: testCase, testbed, other: null, placement: { service: '0', database: '0', generator: '1' } },
      ...{ trial: 1, pair: 1, rate: null, warmUp: { seconds: 0, steady: true }, notes: [] },
      ...{ idleBytes: 1, coolDownSeconds: 0, mostRestSeconds: 3 },
    };
  };
  const runTogether = async (pair: readonly [GeneratorRunRequest, GeneratorRunRequest]) => {
    isWaiting = true;
    const started = await course(pass, [...pair], clock.monotonicNs);
    isWaiting = false;
    return started.map((startedNs) => ({
      ...{ outcome: null, failure: 'none', startedNs, durationNs: 1e9, cpuNs: 7 * MS, exitCode: 0, signal: null },
      ...{ timedOut: false, raw: {} },
    })) as [GeneratorRun, GeneratorRun];
  };
  const generators = { ...adapters.generators, runTogether };
  const sides = [await request('baseline'), await request('candidate')] as const;
  return await measuredDuet(sides, 1, { ...adapters, clock, generators }, signal);
}

describe('what is sent in a duet', () => {
  it('begins at the same place of requests that differ on both sides', async () => {
    const turns: GeneratorRunRequest['turn'][] = [];
    await measured((_, pair) => {
      turns.push(...pair.map(({ turn }) => turn));
      return [0, 0];
    });
    expect(turns).toEqual([
      { round: 1, trial: 1 },
      { round: 1, trial: 1 },
    ]);
  });
});

describe('what is read of a duet', () => {
  it('begins with the load of both and not with the start of the generators', async () => {
    const [first, second] = await measured((pass, pair, nowNs) => {
      pass(50, [5, 3]);
      for (const { onStart } of pair) onStart?.();
      const startedNs = nowNs();
      pass(1000, [500, 400]);
      pair[0].onEnd?.();
      pass(100, [0, 90]);
      pair[1].onEnd?.();
      return [startedNs, startedNs];
    });
    expect(first!.cpu).toMatchObject({ windowNs: 1000 * MS, serviceNs: 500 * MS });
    expect(second!.cpu).toMatchObject({ windowNs: 1100 * MS, serviceNs: 490 * MS });
    const overlap = { overlapNs: 1000 * MS, partnerGeneratorNs: 7 * MS };
    expect(first!.duet).toMatchObject({ ...overlap, ownNs: 500 * MS, partnerNs: 400 * MS, partnerWindowNs: 400 * MS });
    expect(second!.duet).toMatchObject({ ...overlap, ownNs: 400 * MS, partnerNs: 500 * MS, partnerWindowNs: 500 * MS });
  });

  it('overlaps from where both sides have their connections open, 100 ms after the later start', async () => {
    const [first, second] = await measured((pass, pair, nowNs) => {
      for (const { onStart } of pair) onStart?.();
      const startedNs = nowNs();
      pass(100, [50, 10]);
      pair[0].onTick?.({ elapsedNs: 100 * MS });
      pass(5, [3, 2]);
      pair[1].onTick?.({ elapsedNs: 105 * MS });
      for (let tick = 2; tick <= 5; tick += 1) {
        pass(100, [48, 52]);
        for (const { onTick } of pair) onTick?.({ elapsedNs: tick * 100 * MS });
      }
      for (const { onEnd } of pair) onEnd?.();
      return [startedNs, startedNs];
    });
    expect(first!.cpu).toMatchObject({ windowNs: 505 * MS, serviceNs: (53 + 4 * 48) * MS });
    const overlap = { overlapNs: 400 * MS, idleNs: 0 };
    const [one, other] = [4 * 48 * MS, 4 * 52 * MS];
    expect(first!.duet).toMatchObject({ ...overlap, ownNs: one, partnerNs: other, partnerWindowNs: other + 12 * MS });
    expect(second!.duet).toMatchObject({ ...overlap, ownNs: other, partnerNs: one, partnerWindowNs: one + 53 * MS });
  });

  it('overlaps from the beginning where little would be left of a load', async () => {
    const [first] = await measured((pass, pair, nowNs) => {
      for (const { onStart } of pair) onStart?.();
      const startedNs = nowNs();
      pass(100, [50, 10]);
      for (const { onTick } of pair) onTick?.({ elapsedNs: 100 * MS });
      pass(90, [40, 50]);
      for (const { onEnd } of pair) onEnd?.();
      return [startedNs, startedNs];
    });
    expect(first!.duet).toMatchObject({ overlapNs: 190 * MS, ownNs: 90 * MS, partnerNs: 60 * MS });
  });

  it('has no overlap where one side failed before its load', async () => {
    const [failed, loaded] = await measured((pass, pair, nowNs) => {
      const spawnedNs = nowNs();
      pass(20, [1, 2]);
      pair[0].onEnd?.();
      pass(10, [0, 0]);
      for (const { onStart } of pair) onStart?.();
      const startedNs = nowNs();
      pass(1000, [0, 900]);
      pair[1].onEnd?.();
      return [spawnedNs, startedNs];
    });
    expect(failed!.cpu).toMatchObject({ windowNs: 20 * MS, serviceNs: 1 * MS });
    expect(loaded!.cpu).toMatchObject({ windowNs: 1000 * MS, serviceNs: 900 * MS });
    expect(failed!.duet).toMatchObject({ overlapNs: 0, ownNs: 1 * MS, partnerNs: 2 * MS, partnerWindowNs: 2 * MS });
    expect(loaded!.duet).toMatchObject({ overlapNs: 0, ownNs: 0, partnerNs: 0, partnerWindowNs: 0 });
  });

  const loadedThenOpen = async (
    pass: (ms: number, used: [number, number]) => void,
    pair: Pair,
    nowNs: () => number,
  ): Promise<[number, number]> => {
    for (const { onStart } of pair) onStart?.();
    const startedNs = nowNs();
    pass(1000, [500, 400]);
    for (const { onEnd } of pair) onEnd?.();
    await Promise.all(pair.map(({ whileOpen }) => whileOpen?.()));
    return [startedNs, startedNs];
  };

  it('goes on until both are at rest, once for both, with what that took apart', async () => {
    let rests = 0;
    const [first, second] = await measured(loadedThenOpen, (ms) => {
      rests = ms;
      return ms <= 100 ? [0.75, 0.25] : [0.01, 0];
    });
    // 100 ms of work and two windows of 20 ms without any.
    expect(rests).toBe(140);
    expect(first!.afterLoad!.serviceNs / MS).toBeCloseTo(75.4, 6);
    expect(second!.afterLoad!.serviceNs / MS).toBeCloseTo(25, 6);
    expect(first!.cpu).toMatchObject({ windowNs: 1000 * MS, serviceNs: 500 * MS });
    expect(second!.duet).toMatchObject({ overlapNs: 1000 * MS, ownNs: 400 * MS, partnerNs: 500 * MS });
  });

  it('does not say what it took where a side never rests', async () => {
    const [first, second] = await measured(loadedThenOpen, () => [0.9, 0]);
    for (const side of [first!, second!]) expect(side).not.toHaveProperty('afterLoad');
  });

  it('is of the whole time of the generators where neither was ever loaded', async () => {
    const [first, second] = await measured((pass, pair, nowNs) => {
      const spawnedNs = nowNs();
      pass(20, [1, 2]);
      for (const { onEnd } of pair) onEnd?.();
      return [spawnedNs, spawnedNs];
    });
    for (const side of [first!, second!]) {
      expect(side.cpu.windowNs).toBe(20 * MS);
      expect(side.duet!.overlapNs).toBe(20 * MS);
    }
  });
});
