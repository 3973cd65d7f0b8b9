import { describe, expect, it } from 'vitest';
import type { NoiseHeader, NoiseLine } from '../../../../research/noise/noise-line.ts';
import { recordedSource } from '../../../../research/verdict/recorded.ts';
import { sideBias } from '../../../../research/verdict/side-bias.ts';
import { seededRandom } from '../../../../src/core/statistics/random.ts';

const header: NoiseHeader = {
  format: 1,
  condition: 'quiet',
  pairing: 'duet',
  startedAt: '2026-11-20T09:00:00.000Z',
  machine: { cpuModel: 'AMD EPYC 7763', cpuCount: 4, memoryBytes: 2 ** 34, kernel: '6.8.0', os: 'Ubuntu 24.04' },
  placement: { service: '0', database: '0', generator: '1' },
  tool: { version: '0.1.0' },
  versions: {},
  disturbance: null,
  seed: 1,
  spec: '',
};

const KEY = 'node/ping/direct/wrk/keep-alive/100';

/** One duet of `KEY` in a round that begins `at` seconds after its run; the candidate costs `ratio` of the baseline. */
function duet(run: number, round: number, at: number, ratio: number, changes: Partial<NoiseLine> = {}): NoiseLine[] {
  return (['baseline', 'candidate'] as const).map((variant) => ({
    run,
    round,
    case: KEY,
    trial: 1,
    pair: 1,
    mode: 'duet',
    variant,
    startedNs: at * 1e9,
    durationNs: 2e9,
    rate: null,
    requests: 1000,
    outcomeSeconds: 2,
    cpuUs: variant === 'candidate' ? 50_000 * ratio : 50_000,
    databaseUs: 0,
    cpuShare: 0.5,
    busyShare: 0.99,
    throughput: variant === 'candidate' ? 500 / ratio : 500,
    p50: 1,
    p90: 2,
    p99: 3,
    peakBytes: 1e7,
    settledBytes: 1e7,
    valid: true,
    ...changes,
  }));
}

describe('a recording as a source of null comparisons', () => {
  const trials = [
    ...duet(1, 1, 100, 1.1),
    ...duet(1, 2, 160, 0.9),
    ...duet(1, 3, 240, 1.2, { valid: false }),
    ...duet(2, 4, 90, 1.05),
  ];
  const source = recordedSource('recorded: made up', header, trials);

  it('has the metrics that the gate judges, each turned so that up is worse', () => {
    expect(source.series.map(({ metric }) => metric)).toEqual([
      'throughput',
      'cpu-per-request',
      'memory-peak',
      'memory-peak',
    ]);
    const expected = [1.1, 0.9, Number.NaN, 1.05].map((ratio) => expect.closeTo(Math.log(ratio), 9));
    expect(source.logRatios[0]!.filter((_, index) => index !== 2)).toEqual(expected.filter((_, index) => index !== 2));
    expect(source.logRatios[1]![2]).toBeNaN();
    expect(source.leastValid).toBe(3);
  });

  it('knows the seconds from start to start within a run, and those of a duet', () => {
    expect(source.roundSeconds).toBe(70);
    expect(source.caseSeconds(KEY)).toBe(2);
  });

  it('does not count the solo trials beside its duets among the seconds of a round', () => {
    const solo = duet(1, 1, 110, 1, { mode: 'solo', trial: 2, pair: 2 });
    expect(recordedSource('made up', header, [...trials, ...solo]).roundSeconds).toBe((60 - 2 * 2 + 80) / 2);
    // In turn, they are all that there is.
    const inTurn = [...trials, ...solo].map((trial) => ({ ...trial, mode: 'solo' as const }));
    const interleaved = { ...header, pairing: 'interleaved' as const };
    expect(recordedSource('made up', interleaved, inTurn).roundSeconds).toBe(70);
  });

  it('draws no round twice, and exchanges both sides of a round in all series alike', () => {
    const [throughput, cpu] = source.draw(4, seededRandom(5));
    expect(throughput!.map((value) => Math.abs(value).toFixed(6)).sort()).toEqual(
      source.logRatios[0]!.map((value) => Math.abs(value).toFixed(6)).sort(),
    );
    for (const [index, value] of throughput!.entries()) {
      if (!Number.isNaN(value)) expect(cpu![index]).toBeCloseTo(value, 9);
    }
  });

  it('shows a side that looks worse throughout, which exchanging sides would hide', () => {
    const leaning = Array.from({ length: 20 }, (_, index) => duet(1, index + 1, 60 * index, 1.05 + (index % 3) / 1000));
    const { t, limit } = sideBias(recordedSource('recorded: made up', header, leaning.flat()));
    expect(t).toBeGreaterThan(limit);
  });
});
