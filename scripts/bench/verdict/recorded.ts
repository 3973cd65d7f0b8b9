import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { instanceLogRatio } from '../../../src/core/statistics/instance-log-ratio.ts';
import { mean } from '../../../src/core/statistics/moderated-variance.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { shuffled } from '../../../src/core/statistics/random.ts';
import { type NoiseHeader, type NoiseLine, type Recording, readRecording } from '../../noise/noise-line.ts';
import { pairsByCase, type RecordedSeries, recordedSeriesOf, type SlicePair } from '../../noise/recorded-series.ts';
import type { Sides } from './rivals/rival.ts';
import { type GatedMetric, gatedMetrics, METRICS, type Source, seriesOf } from './source.ts';

/** A recording, and the two sides of each series as they were measured, for the rules that look at sides. */
export interface RecordedSource extends Source {
  instanceSeconds: number;
  /** By series, in the order of measuring: means of an instance's slices; null where one was not valid. */
  sides: (Sides | null)[][];
  /** By series: ln(candidate/baseline) of each instance in the order of measuring, up is worse; NaN where not valid. */
  logRatios: number[][];
  /** Of the series that has fewest. */
  leastValid: number;
}

/** Each `*.jsonl` of a folder, duets first and what is quiet before what is disturbed; none where there is no such folder. */
export function recordingsIn(folder: string): (Recording & { name: string })[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const recordings = files.sort().map((name) => ({
    name: `recorded: ${path.basename(name, '.jsonl')}`,
    ...readRecording(readFileSync(path.join(folder, name), 'utf8'), name),
  }));
  const place = ({ header }: Recording) => `${header.pairing} ${header.condition === 'quiet' ? 0 : 1}`;
  return recordings.sort((one, other) => place(one).localeCompare(place(other)));
}

export function recordedSource(name: string, header: NoiseHeader, slices: readonly NoiseLine[]): RecordedSource {
  const instances = [...new Set(slices.map(({ instance }) => instance))].sort((a, b) => a - b);
  const pairs = pairsByCase(slices);
  const seconds = new Map([...pairs].map(([key, own]) => [key, median(own.map(secondsOf))]));
  const recorded = recordedSeriesOf(header.pairing, slices);
  const observed = [...pairs.keys()].flatMap((key) =>
    gatedIn(recorded.filter(({ caseKey }) => caseKey === key)).map((series) => observedOf(series, instances)),
  );
  const logRatios = observed.map((each) => each.logRatios);
  return {
    name,
    about: aboutOf(header, instances.length, pairs.size),
    pairing: header.pairing,
    series: observed.map(({ series }) => series),
    mostInstances: instances.length,
    instanceSeconds: instanceSecondsOf(slices),
    caseSeconds: (caseKey) => seconds.get(caseKey)!,
    sides: observed.map(({ sides }) => sides),
    logRatios,
    leastValid: Math.min(...logRatios.map((own) => own.filter((value) => !Number.isNaN(value)).length)),
    draw(count, random) {
      const chosen = shuffled(
        instances.map((_, index) => index),
        random,
      ).slice(0, count);
      const signs = chosen.map(() => (random.below(2) === 0 ? 1 : -1));
      return logRatios.map((own) => chosen.map((index, at) => signs[at]! * own[index]!));
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

/** What the default gate asks of a case, of all that was recorded of it. */
function gatedIn(own: readonly RecordedSeries[]): (RecordedSeries & { metric: GatedMetric })[] {
  const { generator, endpoint } = own[0]!;
  return gatedMetrics(generator, endpoint === 'database').flatMap((metric) =>
    own.filter((series) => series.metric === metric).map((series) => ({ ...series, metric })),
  );
}

function observedOf(recorded: RecordedSeries & { metric: GatedMetric }, instances: readonly number[]) {
  const { caseKey, metric, generator, numbers } = recorded;
  const byInstance = new Map(numbers.map((number, index) => [number, recorded.instances[index]!]));
  const pairs = instances.map((instance) => byInstance.get(instance) ?? []);
  return {
    series: seriesOf(caseKey, metric, generator),
    logRatios: pairs.map((own) => (METRICS[metric].better === 'lower' ? 1 : -1) * instanceLogRatio(own)),
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

/** Median of what lies between the first slices of two instances of a run, one after the other. */
function instanceSecondsOf(slices: readonly NoiseLine[]): number {
  const starts = new Map<string, number>();
  for (const { run, instance, startedNs } of slices) {
    const name = `${run} ${instance}`;
    starts.set(name, Math.min(startedNs, starts.get(name) ?? startedNs));
  }
  return median(
    [...starts].flatMap(([name, startedNs]) => {
      const [run, instance] = name.split(' ').map(Number) as [number, number];
      const next = starts.get(`${run} ${instance + 1}`);
      return next === undefined ? [] : [(next - startedNs) / 1e9];
    }),
  );
}

function secondsOf({ baseline, candidate }: SlicePair): number {
  const ends = [baseline, candidate].map(({ startedNs, durationNs }) => startedNs + durationNs);
  return (Math.max(...ends) - Math.min(baseline.startedNs, candidate.startedNs)) / 1e9;
}
