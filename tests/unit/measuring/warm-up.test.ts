import { describe, expect, it } from 'vitest';
import type { MeasuringAdapters } from '../../../src/app/measuring/adapters.ts';
import { warmUpTogether } from '../../../src/app/measuring/warm-up.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import { AUTO_WARM_UP } from '../../../src/core/spec/defaults.ts';
import { testCase } from '../support/slices.ts';

/** Both sides answer so much in each window, one after the other; the last goes on. */
async function warmedUp(windows: [number, number][]) {
  let asked = 0;
  const runTogether = (requests: readonly [GeneratorRunRequest, GeneratorRunRequest]) => {
    const window = windows[Math.min(asked, windows.length - 1)]!;
    asked += 1;
    const runs = requests.map((_, side) => ({ outcome: { throughput: window[side] } }) as GeneratorRun);
    return Promise.resolve(runs as [GeneratorRun, GeneratorRun]);
  };
  const adapters = { clock: { monotonicNs: () => 0 }, generators: { runTogether } } as unknown as MeasuringAdapters;
  const side = { case: testCase(), origin: 'http://10.0.0.2:8080', cpus: '1' };
  const load = { kind: 'auto' as const, ...AUTO_WARM_UP };
  const { steady } = await warmUpTogether([side, side], load, adapters, new AbortController().signal);
  return { windows: asked, steady };
}

describe('warming both sides up', () => {
  it('goes on while they answer more and more, of both together', async () => {
    expect(
      await warmedUp([
        [100, 100],
        [150, 160],
        [180, 190],
        [170, 205],
        [200, 210],
      ]),
    ).toEqual({ windows: 4, steady: true });
  });

  it('does not wait for a machine to be quiet', async () => {
    expect(
      await warmedUp([
        [500, 500],
        [250, 260],
        [400, 410],
        [700, 100],
      ]),
    ).toEqual({ windows: 3, steady: true });
  });

  it('ends after 15 windows that all answer more, and is then not steady', async () => {
    const rising = Array.from({ length: 20 }, (_, index): [number, number] => [10 * 1.2 ** index, 10 * 1.2 ** index]);
    expect(await warmedUp(rising)).toEqual({ windows: 15, steady: false });
  });

  it('ends where a side answers nothing: its slices will say why', async () => {
    expect(await warmedUp([[100, 0]])).toEqual({ windows: 1, steady: false });
  });
});
