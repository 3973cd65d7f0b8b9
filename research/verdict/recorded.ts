import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { caseWeight } from '../../src/core/comparison/case-weight.ts';
import { mean } from '../../src/core/statistics/moderated-variance.ts';
import { ascending, median } from '../../src/core/statistics/quantile.ts';
import { shuffled } from '../../src/core/statistics/random.ts';
import { roundLogRatio } from '../../src/core/statistics/round-log-ratio.ts';
import { type NoiseHeader, type NoiseLine, type Recording, readRecording } from '../noise/noise-line.ts';
import { pairsByCase, type RecordedSeries, recordedSeriesOf, type TrialPair } from '../noise/recorded-series.ts';
import { gatedMetrics, generatorOf, seriesOf, serviceMemory } from './matrix.ts';
import type { Sides } from './rivals/rival.ts';
import { type GatedMetric, METRICS, type Series, type Source } from './source.ts';

/** A recording, and the two sides of each series as they were measured, for the rules that look at sides. */
export interface RecordedSource extends Source {
  roundSeconds: number;
  /** By series, in the order of measuring: means of a round's trials; null where one was not valid. */
  sides: (Sides | null)[][];
  /** By series: ln(candidate/baseline) of each round in the order of measuring, up is worse; NaN where not valid. */
  logRatios: number[][];
  /** Of the series that has fewest. */
  leastValid: number;
}

export type NamedRecording = Recording & { name: string };

/** Each `*.jsonl` of a folder, duets first and what is quiet before what is disturbed; none where there is no such folder. */
export function recordingsIn(folder: string): NamedRecording[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const recordings = files.sort().map((name) => ({
    name: `recorded: ${path.basename(name, '.jsonl')}`,
    ...readRecording(readFileSync(path.join(folder, name), 'utf8'), name),
  }));
  const place = ({ header }: Recording) => `${header.pairing} ${header.condition === 'quiet' ? 0 : 1}`;
  return recordings.sort((one, other) => place(one).localeCompare(place(other)));
}

export function recordedSource(name: string, header: NoiseHeader, trials: readonly NoiseLine[]): RecordedSource {
  const rounds = [...new Set(trials.map(({ round }) => round))].sort((a, b) => a - b);
  const pairs = new Map([...pairsByCase(trials)].filter(([, own]) => isMeasured(own, rounds.length)));
  const seconds = new Map([...pairs].map(([key, own]) => [key, median(own.map(secondsOf))]));
  const recorded = recordedSeriesOf(header.pairing, trials);
  const ofCases = [...pairs.keys()].flatMap((key) => {
    const weight = caseWeight({ generator: generatorOf(key), key }, header.counted ?? 'answered');
    return gatedIn(recorded.filter(({ caseKey }) => caseKey === key)).map((one) => observedOf(one, weight, rounds));
  });
  const observed = [...ofCases, observedOfService(ofCases)];
  const logRatios = observed.map((each) => each.logRatios);
  return {
    name,
    about: aboutOf(header, rounds.length, pairs.size),
    pairing: header.pairing,
    series: observed.map(({ series }) => series),
    mostRounds: rounds.length,
    roundSeconds: roundSecondsOf(header.pairing, trials),
    caseSeconds: (caseKey) => seconds.get(caseKey)!,
    sides: observed.map(({ sides }) => sides),
    logRatios,
    leastValid: Math.min(...logRatios.map((own) => own.filter((value) => !Number.isNaN(value)).length)),
    draw(count, random) {
      const chosen = shuffled(
        rounds.map((_, index) => index),
        random,
      ).slice(0, count);
      const signs = chosen.map(() => (random.below(2) === 0 ? 1 : -1));
      return logRatios.map((own) => chosen.map((index, at) => signs[at]! * own[index]!));
    },
  };
}

/** `60 rounds of 16 cases, 2026-11-20: Intel(R) Xeon(R) Processor, 2 CPUs, 24 GiB, Debian 12, kernel 6.1`. */
function aboutOf({ startedAt, machine, disturbance }: NoiseHeader, rounds: number, cases: number): string {
  const { cpuModel, cpuCount, memoryBytes, os, kernel } = machine;
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
  const where = [cpuModel, `${cpuCount} CPUs`, memory, os, `kernel ${kernel}`].join(', ');
  const disturbed = disturbance === null ? '' : `; disturbed by ${disturbance.text}`;
  return `${rounds} rounds of ${cases} cases, ${startedAt.slice(0, 10)}: ${where}${disturbed}`;
}

/** What turns out invalid is left out of a run, and what there is of it says little. */
function isMeasured(own: readonly TrialPair[], rounds: number): boolean {
  return new Set(own.map(({ round }) => round)).size >= rounds / 2;
}

/** What the default gate asks of a case, of all that was recorded of it. */
function gatedIn(own: readonly RecordedSeries[]): (RecordedSeries & { metric: GatedMetric })[] {
  const { generator, endpoint } = own[0]!;
  return gatedMetrics(generator, endpoint === 'database').flatMap((metric) =>
    own.filter((series) => series.metric === metric).map((series) => ({ ...series, metric })),
  );
}

interface Observed {
  series: Series;
  logRatios: number[];
  sides: (Sides | null)[];
}

function observedOf(
  recorded: RecordedSeries & { metric: GatedMetric },
  weight: number,
  rounds: readonly number[],
): Observed {
  const { caseKey, metric, numbers } = recorded;
  const byRound = new Map(numbers.map((number, index) => [number, recorded.rounds[index]!]));
  const pairs = rounds.map((round) => byRound.get(round) ?? []);
  return {
    series: seriesOf(caseKey, metric, weight),
    logRatios: pairs.map((own) => (METRICS[metric].better === 'lower' ? 1 : -1) * roundLogRatio(own)),
    sides: pairs.map((own) =>
      own.length === 0
        ? null
        : {
            baseline: mean(own.map(({ baseline }) => baseline)),
            candidate: mean(own.map(({ candidate }) => candidate)),
          },
    ),
  };
}

/** What the process keeps: of each side the mean of the lowest quarter of a round's peaks, as the product has it. */
function observedOfService(ofCases: readonly Observed[]): Observed {
  const memory = ofCases.filter(({ series }) => series.metric === 'memory-peak');
  const sides = memory[0]!.sides.map((_, at): Sides | null => {
    const own = memory.flatMap((each) => each.sides[at] ?? []);
    if (own.length < memory.length / 2) return null;
    const count = Math.max(1, Math.round(own.length / 4));
    const lowest = (side: keyof Sides) => mean(ascending(own.map((each) => each[side])).slice(0, count));
    return { baseline: lowest('baseline'), candidate: lowest('candidate') };
  });
  return {
    series: serviceMemory(memory[0]!.series.caseKey.split('/')[0]!),
    logRatios: sides.map((own) => (own === null ? Number.NaN : Math.log(own.candidate / own.baseline))),
    sides,
  };
}

/** Median of what lies between the first trials of two rounds of a run, one after the other; of duets without the solo trials. */
function roundSecondsOf(pairing: NoiseHeader['pairing'], trials: readonly NoiseLine[]): number {
  const rounds = new Map<string, { startedNs: number; soloNs: number }>();
  for (const { run, round, startedNs, durationNs, mode } of trials) {
    const name = `${run} ${round}`;
    const known = rounds.get(name) ?? { startedNs, soloNs: 0 };
    rounds.set(name, {
      startedNs: Math.min(startedNs, known.startedNs),
      soloNs: known.soloNs + (mode === 'solo' ? durationNs : 0),
    });
  }
  return median(
    [...rounds].flatMap(([name, { startedNs, soloNs }]) => {
      const [run, round] = name.split(' ').map(Number) as [number, number];
      const next = rounds.get(`${run} ${round + 1}`);
      return next === undefined ? [] : [(next.startedNs - startedNs - (pairing === 'duet' ? soloNs : 0)) / 1e9];
    }),
  );
}

function secondsOf({ baseline, candidate }: TrialPair): number {
  const ends = [baseline, candidate].map(({ startedNs, durationNs }) => startedNs + durationNs);
  return (Math.max(...ends) - Math.min(baseline.startedNs, candidate.startedNs)) / 1e9;
}
