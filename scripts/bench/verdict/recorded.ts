import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DUET_LIMITS } from '../../../src/core/comparison/gating.ts';
import { instanceLogRatio } from '../../../src/core/statistics/instance-log-ratio.ts';
import { mean } from '../../../src/core/statistics/moderated-variance.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { shuffled } from '../../../src/core/statistics/random.ts';
import { type NoiseHeader, type NoiseLine, type Recording, readRecording } from '../../noise/noise-line.ts';
import { type GatedMetric, gatedMetrics, METRICS, type Source, seriesOf } from './source.ts';

/** A recording, and the two sides of each series as they were measured, for the rules that look at sides. */
export interface RecordedSource extends Source {
  /** By series, in the order of measuring: means of an instance's slices; null where one was not valid. */
  sides: ({ baseline: number; candidate: number } | null)[][];
}

interface SlicePair {
  baseline: NoiseLine;
  candidate: NoiseLine;
}

/** A Postgres that nobody asks does some work of its own. */
const DATABASE_SHARE = 0.05;

/** Each `*.jsonl` of a folder, by its name; none where there is no such folder. */
export function recordingsIn(folder: string): (Recording & { name: string })[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.sort().map((name) => ({
    name: `recorded: ${path.basename(name, '.jsonl')}`,
    ...readRecording(readFileSync(path.join(folder, name), 'utf8'), name),
  }));
}

export function recordedSource(name: string, header: NoiseHeader, slices: readonly NoiseLine[]): RecordedSource {
  const instances = [...new Set(slices.map(({ instance }) => instance))].sort((a, b) => a - b);
  const byCase = new Map([...new Set(slices.map((slice) => slice.case))].map((key) => [key, pairsOf(slices, key)]));
  const seconds = new Map([...byCase].map(([key, pairs]) => [key, median(pairs.map(secondsOf))]));
  const observed = [...byCase].flatMap(([key, pairs]) => observedSeries(key, pairs, instances));
  return {
    name,
    about: aboutOf(header, instances.length, byCase.size),
    series: observed.map(({ series }) => series),
    mostInstances: instances.length,
    caseSeconds: (caseKey) => seconds.get(caseKey)!,
    sides: observed.map(({ sides }) => sides),
    draw(count, random) {
      const chosen = shuffled(
        instances.map((_, index) => index),
        random,
      ).slice(0, count);
      const signs = chosen.map(() => (random.below(2) === 0 ? 1 : -1));
      return observed.map(({ logRatios }) => chosen.map((index, at) => signs[at]! * logRatios[index]!));
    },
  };
}

/** `60 instances of 16 cases, 2026-11-20: Intel(R) Xeon(R) Processor, 2 CPUs, 24 GiB, Debian 12, kernel 6.1`. */
function aboutOf({ startedAt, machine, disturbance }: NoiseHeader, instances: number, cases: number): string {
  const { cpuModel, cpuCount, memoryBytes, os, kernel } = machine;
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GiB`;
  const where = [cpuModel, `${cpuCount} CPUs`, memory, os, `kernel ${kernel}`].join(', ');
  const disturbed = disturbance === null ? '' : `; disturbed by ${disturbance.text}`;
  return `${instances} instances of ${cases} cases, ${startedAt.slice(0, 10)}: ${where}${disturbed}`;
}

/** Pairs of valid slices. */
function pairsOf(slices: readonly NoiseLine[], caseKey: string): SlicePair[] {
  const found = new Map<string, Partial<SlicePair>>();
  for (const slice of slices) {
    if (slice.case !== caseKey || slice.pair === null || !slice.valid) continue;
    const id = `${slice.instance} ${slice.mode} ${slice.pair}`;
    found.set(id, { ...found.get(id), [slice.variant]: slice });
  }
  return [...found.values()].filter((pair): pair is SlicePair => Boolean(pair.baseline && pair.candidate));
}

function observedSeries(caseKey: string, pairs: readonly SlicePair[], instances: readonly number[]) {
  const duets = pairs.filter(({ baseline }) => baseline.mode === 'duet');
  const inTurn = pairs.filter(({ baseline }) => baseline.mode === 'alone');
  if (pairs.length === 0) return [];
  const generator = pairs[0]!.baseline.rate === null ? 'wrk' : 'k6';
  const database = median(pairs.map(({ baseline }) => baseline.databaseUs / baseline.cpuUs)) > DATABASE_SHARE;
  return gatedMetrics(generator, database).map((metric) => {
    const used = duets.length === 0 || (metric === 'throughput' && !competing(duets)) ? inTurn : duets;
    const sides = instances.map((instance) => sidesIn(used, instance, metric));
    return {
      series: seriesOf(caseKey, metric, generator),
      logRatios: sides.map((pairs) =>
        METRICS[metric].better === 'lower' ? instanceLogRatio(pairs) : -instanceLogRatio(pairs),
      ),
      sides: sides.map((pairs) =>
        pairs.length === 0
          ? null
          : {
              baseline: mean(pairs.map(({ baseline }) => baseline)),
              candidate: mean(pairs.map(({ candidate }) => candidate)),
            },
      ),
    };
  });
}

/** Whether throughput of duets tells the sides apart; the product's own rule. */
function competing(duets: readonly SlicePair[]): boolean {
  const busy = median(duets.map(({ baseline }) => baseline.busyShare));
  const uneven = median(duets.map(({ baseline }) => baseline.cpuShare ?? 0.5)) - 0.5;
  return busy >= DUET_LIMITS.busyShare && Math.abs(uneven) <= DUET_LIMITS.cpuShareFrom;
}

function sidesIn(pairs: readonly SlicePair[], instance: number, metric: GatedMetric) {
  return pairs.flatMap(({ baseline, candidate }) => {
    if (baseline.instance !== instance) return [];
    const [was, is] = [baseline, candidate].map((slice) => figureOf(slice, metric));
    return was && is && was > 0 && is > 0 ? [{ baseline: was, candidate: is }] : [];
  });
}

function figureOf(slice: NoiseLine, metric: GatedMetric): number | null {
  if (metric === 'throughput') return slice.throughput;
  if (metric === 'latency-p50') return slice.p50;
  return metric === 'memory-peak' ? slice.peakBytes : slice.cpuUs / slice.requests;
}

function secondsOf({ baseline, candidate }: SlicePair): number {
  const ends = [baseline, candidate].map(({ startedNs, durationNs }) => startedNs + durationNs);
  return (Math.max(...ends) - Math.min(baseline.startedNs, candidate.startedNs)) / 1e9;
}
