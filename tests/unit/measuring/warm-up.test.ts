import { describe, expect, it } from 'vitest';
import type { MeasuringAdapters } from '../../../src/app/measuring/adapters.ts';
import { warmUp, warmUpTogether } from '../../../src/app/measuring/warm-up.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import { AUTO_WARM_UP } from '../../../src/core/config/load.ts';
import { testCase } from '../support/trials.ts';

/** Both sides answer so much in each window, one after the other; the last goes on. */
async function warmedUp(windows: [number, number][], known: number | 'first' | 'again' = 'first', connections = 10) {
  let asked = 0;
  const seconds: number[] = [];
  const runTogether = (requests: readonly [GeneratorRunRequest, GeneratorRunRequest]) => {
    const window = windows[Math.min(asked, windows.length - 1)]!;
    asked += 1;
    seconds.push(requests[0].durationSeconds);
    const runs = requests.map((_, side) => ({ outcome: { throughput: window[side] } }) as GeneratorRun);
    return Promise.resolve(runs as [GeneratorRun, GeneratorRun]);
  };
  const rests: number[] = [];
  const clock = {
    monotonicNs: () => 1e9 * rests.reduce((sum, each) => sum + each, 0),
    sleep: async (rested: number) => void rests.push(rested),
  };
  const adapters = { clock, generators: { runTogether } } as unknown as MeasuringAdapters;
  const side = { case: testCase({ connections }), origin: 'http://10.0.0.2:8080', cpus: '1' };
  const load = { kind: 'auto' as const, ...AUTO_WARM_UP };
  const { signal } = new AbortController();
  const found = await warmUpTogether([side, side], load, known, adapters, signal);
  const { steady, neededSeconds, capacity, ofEach } = found;
  return { windows: asked, seconds, steady, neededSeconds, capacity, ofEach, rests };
}

describe('warming both sides up', () => {
  it('goes on in windows of half a second while they answer more and more, of both together', async () => {
    expect(
      await warmedUp([
        [100, 100],
        [150, 160],
        [180, 190],
        [200, 210],
        [200, 205],
      ]),
    ).toEqual({
      ...{ windows: 5, seconds: Array(5).fill(0.5), steady: true, neededSeconds: 2, capacity: 407.5 },
      ...{ ofEach: [200, 207.5], rests: [] },
    });
  });

  it('does not end before the fourth, nor wait for a machine to be quiet', async () => {
    expect(
      await warmedUp([
        [500, 500],
        [250, 260],
        [400, 410],
        [700, 100],
      ]),
    ).toMatchObject({ windows: 4, steady: true, neededSeconds: 0.5 });
  });

  it('ends with the second where the endpoint is warm already, and is asked again in another way', async () => {
    expect(
      await warmedUp(
        [
          [400, 400],
          [405, 405],
        ],
        'again',
      ),
    ).toMatchObject({ windows: 2, steady: true });
    expect(
      await warmedUp(
        [
          [300, 300],
          [400, 400],
          [400, 400],
        ],
        'again',
      ),
    ).toMatchObject({ windows: 3, steady: true });
  });

  it('ends after 30 windows that all answer more, and is then not steady', async () => {
    const rising = Array.from({ length: 40 }, (_, index): [number, number] => [
      1000 * 1.2 ** index,
      1000 * 1.2 ** index,
    ]);
    expect(await warmedUp(rising)).toMatchObject({ windows: 30, steady: false });
  });

  it('ends where a side answers nothing in a window of 4 s either: its trials will say why', async () => {
    expect(await warmedUp([[100, 0]])).toMatchObject({
      ...{ windows: 4, seconds: [0.5, 1, 2, 4], steady: false, capacity: null, ofEach: null },
    });
  });

  it('takes longer windows of a service that answers few requests, and none for steady that holds too few', async () => {
    // 8 requests/s of both sides: 4, 8 and 16 requests in the first three windows.
    const slow: [number, number][] = Array.from({ length: 9 }, () => [4, 4]);
    expect(await warmedUp(slow)).toMatchObject({
      ...{ seconds: [0.5, 1, 2, 4, 4], steady: true, neededSeconds: 7.5, capacity: 8, ofEach: [4, 4] },
    });
  });

  it('does not take for a rise what chance makes of few requests', async () => {
    const windows: [number, number][] = [
      [30, 30],
      [32, 33],
      [31, 31],
      [33, 34],
    ];
    expect(await warmedUp(windows)).toMatchObject({ windows: 4, steady: true });
  });

  it('rests after a window that leaves a service more to answer than half of the next', async () => {
    // 100 connections: 2 s of work for a side that answers 50/s, and 0.1 s for one that answers 1000/s.
    expect((await warmedUp([[50, 60]], 'again', 100)).rests).toEqual([2, 2]);
    expect((await warmedUp([[1000, 1000]], 'again', 100)).rests).toEqual([]);
    expect((await warmedUp([[0, 0]], 'first', 100)).rests).toEqual([0.5, 1, 2, 4]);
  });
});

describe('the seconds of warm-up that later rounds take', () => {
  it('are those until both answered 95 % of their best window', async () => {
    const until = async (windows: number[]) =>
      (await warmedUp(windows.map((each): [number, number] => [10 * each, 10 * each]))).neededSeconds;
    expect(await until([100, 100, 100, 100])).toBe(0.5);
    expect(await until([90, 96, 100, 100])).toBe(1);
    expect(await until([50, 60, 96, 100, 100])).toBe(1.5);
    expect(await until([50, 60, 70, 80, 90, 100, 100])).toBe(3);
  });

  it('are then one window, which is believed', async () => {
    expect(await warmedUp([[200, 800]], 1.5)).toEqual({
      ...{
        windows: 1,
        seconds: [1.5],
        steady: true,
        neededSeconds: 1.5,
        capacity: 1000,
        ofEach: [200, 800],
        rests: [],
      },
    });
  });
});

describe('the capacity that a warm-up finds', () => {
  it('is of its two best windows, whatever the machine takes from the others', async () => {
    const both = (windows: number[]) => windows.map((each): [number, number] => [each, each]);
    expect((await warmedUp(both([450, 500, 510, 120]))).capacity).toBe(1010);
    expect((await warmedUp(both([500, 120]), 'again')).capacity).toBe(620);
    expect((await warmedUp([[0, 0]])).capacity).toBeNull();
  });

  it('is so of a service that is warmed up by itself', async () => {
    const windows = [300, 500, 520, 90];
    const run = () => Promise.resolve({ outcome: { throughput: windows.shift() } } as GeneratorRun);
    const clock = { monotonicNs: () => 0 };
    const adapters = { clock, generators: { run } } as unknown as MeasuringAdapters;
    const load = { kind: 'auto' as const, ...AUTO_WARM_UP, tolerance: 0 };
    const target = { origin: 'http://10.0.0.2:8080', cpus: '1' };
    const { capacity } = await warmUp(
      testCase({ connections: 10 }),
      load,
      target,
      adapters,
      new AbortController().signal,
    );
    expect([capacity, windows]).toEqual([510, []]);
  });
});
