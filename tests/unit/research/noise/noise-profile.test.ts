import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type NoiseHeader, type NoiseLine, recordingLine } from '../../../../research/noise/noise-line.ts';
import { rowsOf, tableText } from '../../../../research/noise/noise-profile.ts';
import { recordedSeriesOf } from '../../../../research/noise/recorded-series.ts';
import { type Random, seededRandom } from '../../../../src/core/statistics/random.ts';

const KEY = 'node/ping/direct/wrk/keep-alive/100';

interface Scatter {
  between: number;
  within: number;
  pairs: number;
}

/** 400 rounds of a case; only what is read of a line. */
function recorded(key: string, { between, within, pairs }: Scatter, changes: Partial<NoiseLine> = {}): NoiseLine[] {
  const random = seededRandom(20261120);
  return Array.from({ length: 400 }, (_, index) => index + 1).flatMap((round) => {
    const start = between * normal(random);
    return Array.from({ length: pairs }, (_, at) => at + 1).flatMap((pair) => {
      const change = Math.exp(start + within * normal(random));
      const of = (variant: 'baseline' | 'candidate', factor: number) =>
        ({
          round,
          case: key,
          pair,
          mode: 'duet',
          variant,
          requests: 20_000,
          cpuUs: 1e6 * factor,
          databaseUs: 0,
          cpuShare: 0.5,
          busyShare: 0.99,
          throughput: 10_000 / factor,
          p50: 0.4 * factor,
          p90: 0.9 * factor,
          p99: 2 * factor,
          peakBytes: 5e7 * factor,
          valid: true,
          ...changes,
        }) as NoiseLine;
      return [of('baseline', 1), of('candidate', change)];
    });
  });
}

describe('the scatter of a recording', () => {
  it('is told apart by several pairs in a round', () => {
    const scatter = { between: 0.01, within: 0.02, pairs: 4 };
    const columns = ['wrk', 'duet', 'no database', 'any', 'any', 0.012, 0.019];
    expect(rowsOf([recordedSeriesOf('duet', recorded(KEY, scatter))])).toEqual([
      ['throughput', ...columns],
      ['cpu-per-request', ...columns],
      ['memory-peak', ...columns],
    ]);
  });

  it('is divided by what is usual where each round has one pair', () => {
    const scatter = { between: 0, within: 0.02, pairs: 1 };
    const columns = ['k6', 'duet', 'database', 'any', 'any'];
    const key = KEY.replace('wrk', 'k6');
    expect(rowsOf([recordedSeriesOf('duet', recorded(`${key}@60%`, scatter, { databaseUs: 4e5 }))])).toEqual(
      ['latency-p50', 'latency-p90', 'latency-p99', 'cpu-per-request', 'memory-peak'].map((metric) => [
        metric,
        ...columns,
        0.0065,
        0.02,
      ]),
    );
  });

  it('has a row for each load where loads are unlike', () => {
    const quiet = recorded(KEY, { between: 0, within: 0.01, pairs: 1 });
    const wild = recorded('node/ping/direct/wrk/keep-alive-off/1000', { between: 0, within: 0.03, pairs: 1 });
    const rows = rowsOf([recordedSeriesOf('duet', [...quiet, ...wild])]).filter(([metric]) => metric === 'throughput');
    expect(rows).toEqual([
      ['throughput', 'wrk', 'duet', 'no database', 'keep-alive', 100, 0.0033, 0.0098],
      ['throughput', 'wrk', 'duet', 'no database', 'keep-alive-off', 1000, 0.0098, 0.029],
    ]);
  });

  it('is of what the product judges: throughput from trials in turn where a side waited, and valid pairs alone', () => {
    const duets = recorded(KEY, { between: 0, within: 0.01, pairs: 1 }, { busyShare: 0.8 });
    const alone = recorded(KEY, { between: 0, within: 0.05, pairs: 1 }, { mode: 'solo' });
    const invalid = recorded(KEY, { between: 0, within: 0.5, pairs: 3 }, { valid: false });
    const rows = rowsOf([recordedSeriesOf('duet', [...duets, ...alone, ...invalid])]);
    expect(rows.map(([metric, , , , , , between, within]) => [metric, between, within])).toEqual([
      ['throughput', 0.016, 0.049],
      ['cpu-per-request', 0.0033, 0.0098],
      ['memory-peak', 0.0033, 0.0098],
    ]);
  });

  it('of several recordings is the mean of their variances, each told from its own rounds', () => {
    const of = (within: number) => recordedSeriesOf('duet', recorded(KEY, { between: 0, within, pairs: 1 }));
    const memory = (recordings: ReturnType<typeof of>[]) =>
      rowsOf(recordings).flatMap(([metric, , , , , , , within]) => (metric === 'memory-peak' ? [within] : []));
    const [quiet, wild] = [memory([of(0.02)])[0]!, memory([of(0.028)])[0]!];
    expect(memory([of(0.02), of(0.028)])).toEqual([expect.closeTo(Math.sqrt((quiet ** 2 + wild ** 2) / 2), 3)]);
  });

  it('is not told from a few rounds', () => {
    const few = recorded(KEY, { between: 0, within: 0.01, pairs: 1 }).filter(({ round }) => round < 10);
    expect(rowsOf([recordedSeriesOf('duet', few)])).toEqual([]);
  });
});

describe('CPU per request and throughput of a recording', () => {
  const lines = recorded(KEY, { between: 0, within: 0.02, pairs: 1 });
  const ratios = (metric: string, trials: NoiseLine[]) =>
    recordedSeriesOf('duet', trials)
      .find((series) => series.metric === metric)!
      .rounds.flat()
      .map(({ baseline, candidate }) => Number((candidate / baseline).toFixed(9)));
  // A request takes 40 us of half a CPU, and background threads 20 more in every other trial.
  const lumps = lines.map((line, index) => {
    const cpuUs = index % 2 === 0 ? 8e5 : 12e5;
    return { ...line, cpuUs, withoutBackgroundUs: 8e5, throughput: (0.5e6 * 20_000) / cpuUs };
  });

  it('have the usual background threads in every trial where all of them tell it', () => {
    expect(new Set(ratios('cpu-per-request', lumps))).toEqual(new Set([1]));
    expect(new Set(ratios('throughput', lumps))).toEqual(new Set([1]));
  });

  it('are as they were measured where one does not', () => {
    const once = lumps.map(({ withoutBackgroundUs, ...line }, index) =>
      index === 7 ? line : { ...line, withoutBackgroundUs },
    );
    expect(new Set(ratios('cpu-per-request', once))).toEqual(new Set([1.5]));
    expect(new Set(ratios('throughput', once))).toEqual(new Set([Number((2 / 3).toFixed(9))]));
  });
});

describe('the table', () => {
  const before = readFileSync('src/core/plan/noise-profile.ts', 'utf8');
  const trials = recorded(KEY, { between: 0, within: 0.02, pairs: 1 });
  const file = (cpuModel: string) => {
    const machine = { cpuModel, cpuCount: 2 };
    const header = { format: 1, condition: 'quiet', pairing: 'duet', machine } as NoiseHeader;
    return { name: 'research/recordings/noise/quiet.jsonl', text: [{ header }, ...trials].map(recordingLine).join('') };
  };
  const linesOf = (text: string) => text.slice(text.indexOf('export const NOISE_PROFILE_SOURCE')).split('\n');

  it('is written in place of the one before, with where it is from; what none of the files holds stays', () => {
    const inTurn = "  ['throughput', 'wrk', 'interleaved', 'no database', 'any', 'any', 0.0171, 0.0512],";
    const some = before.replace(/^ {2}\[.*\],\n/gm, '').replace(/\n\];/, `\n${inTurn}\n];`);
    expect(linesOf(tableText(some, [file('EPYC 7763')]))).toEqual([
      'export const NOISE_PROFILE_SOURCE =',
      "  '400 rounds in research/recordings/noise/quiet.jsonl (EPYC 7763, 2 CPUs), trials in turn from fewer';",
      '',
      '/** `node research/noise/noise-profile.mjs` writes this file from recordings of null comparisons. */',
      'export const NOISE_PROFILE: readonly NoiseProfileRow[] = [',
      "  ['throughput', 'wrk', 'duet', 'no database', 'any', 'any', 0.0065, 0.02],",
      "  ['cpu-per-request', 'wrk', 'duet', 'no database', 'any', 'any', 0.0065, 0.02],",
      "  ['memory-peak', 'wrk', 'duet', 'no database', 'any', 'any', 0.0065, 0.02],",
      inTurn,
      '];',
      '',
    ]);
  });

  it('is the same when it is written again, however long or odd the name of a CPU', () => {
    const after = tableText(before, [file(`Maker's CPU; ${'very '.repeat(20)}fast`)]);
    expect(linesOf(after)[0]).toBe('export const NOISE_PROFILE_SOURCE =');
    expect(tableText(after, [file(`Maker's CPU; ${'very '.repeat(20)}fast`)])).toBe(after);
    expect(linesOf(tableText(after, [file('EPYC')]))).toEqual(linesOf(tableText(before, [file('EPYC')])));
  });
});

/** The sum of twelve uniform numbers is all but normal, with a variance of 1. */
function normal(random: Random): number {
  return Array.from({ length: 12 }, () => random.next() - 0.5).reduce((sum, each) => sum + each);
}
