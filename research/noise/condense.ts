import { casesOf } from '../../src/core/config/case.ts';
import type { TrialMeasurement, UnloadedPass } from '../../src/core/measurement/measurement.ts';
import { costOf } from '../../src/core/metrics/cpu.ts';
import { metricNamed } from '../../src/core/metrics/registry.ts';
import { duetLoad } from '../../src/core/record/duet-load.ts';
import type { JournalEntry, JournalHeader } from '../../src/core/record/journal.ts';
import { loadShares } from '../../src/core/validity/shares.ts';
import { invalidReasons } from '../../src/core/validity/verdict.ts';
import type { NoiseHeader, NoiseLine } from './noise-line.ts';

/** What a run adds to a recording: its number, and what its rounds are counted from. */
export interface Place {
  run: number;
  roundsBefore: number;
}

/**
 * The trials of a run, a line each, in order of time. Only of rounds that came to their end: one that was cut short
 * would tell of some cases only.
 */
export function condensed(entries: readonly JournalEntry[], place: Place): NoiseLine[] {
  const header = headerOf(entries);
  const cases = new Map(casesOf(header.spec).map((testCase) => [testCase.key, testCase]));
  const trials = entries.filter((entry) => entry.kind === 'trial');
  const passes = entries.filter((entry) => entry.kind === 'pass');
  const origin = Math.min(...trials.map(({ startedNs }) => startedNs));
  const ended = entries.filter((entry) => entry.kind === 'round').map(({ round }) => round);
  const numbers = new Map(ended.map((round, index) => [round, place.roundsBefore + index + 1]));
  return trials
    .filter(({ round }) => numbers.has(round))
    .sort((a, b) => a.startedNs - b.startedNs)
    .map((trial) => {
      const testCase = cases.get(trial.caseKey)!;
      const pass = passOf(trial, passes, testCase);
      return {
        run: place.run,
        round: numbers.get(trial.round)!,
        case: trial.caseKey,
        ...figuresOf(trial, origin),
        valid: invalidReasons({ trial, case: testCase, pass }).length === 0,
      };
    });
}

export function headerOf(entries: readonly JournalEntry[]): JournalHeader {
  const header = entries.find((entry) => entry.kind === 'header');
  if (header === undefined) throw new Error('The journal has no header.');
  return header;
}

/** All of a recording's header that a run's journal tells. */
export function machineOf({
  startedAt,
  environment,
  tool,
}: JournalHeader): Omit<NoiseHeader, 'format' | 'condition' | 'pairing' | 'disturbance' | 'seed' | 'spec'> {
  const { cpuModel, cpuCount, memoryBytes, kernel, os, placement, versions } = environment;
  const machine = { cpuModel, cpuCount, memoryBytes, kernel, os };
  return { startedAt, machine, placement, tool: { version: tool.version }, versions };
}

function passOf(
  { round, variant }: TrialMeasurement,
  passes: readonly UnloadedPass[],
  { endpoint, route, service }: { endpoint: { name: string }; route: string; service: { name: string } },
): UnloadedPass | null {
  const fits = (pass: UnloadedPass) =>
    pass.round === round &&
    pass.variant === variant &&
    pass.endpoint === endpoint.name &&
    pass.route === route &&
    pass.service === service.name;
  return passes.find(fits) ?? null;
}

function figuresOf(trial: TrialMeasurement, origin: number): Omit<NoiseLine, 'run' | 'round' | 'case' | 'valid'> {
  const { outcome, cpu, memory } = trial;
  const cost = costOf(trial, ['serviceNs', 'databaseNs']);
  const usedNs = cost?.ns ?? cpu.serviceNs + cpu.databaseNs;
  const shares = duetLoad([trial]).duet;
  return {
    trial: trial.trial,
    pair: trial.pair,
    mode: trial.mode,
    variant: trial.variant,
    startedNs: trial.startedNs - origin,
    durationNs: trial.durationNs,
    rate: trial.rate === null ? null : digits(trial.rate, 6),
    requests: cost?.requests ?? 0,
    outcomeSeconds: digits(outcome?.durationSeconds ?? trial.durationNs / 1e9, 6),
    cpuUs: Math.round(usedNs / 1000),
    ...withoutBackground(trial, cost?.requests ?? 0),
    databaseUs: Math.round((costOf(trial, ['databaseNs'])?.ns ?? cpu.databaseNs) / 1000),
    cpuShare: shares === undefined ? null : digits(shares.cpuShare, 5),
    busyShare: digits(shares?.busyShare ?? loadShares(trial).server, 5),
    throughput: figure(trial, 'throughput'),
    p50: figure(trial, 'latency-p50'),
    p90: figure(trial, 'latency-p90'),
    p99: figure(trial, 'latency-p99'),
    peakBytes: memory.peakBytes,
    settledBytes: memory.settledBytes,
  };
}

function withoutBackground(trial: TrialMeasurement, requests: number): Pick<NoiseLine, 'withoutBackgroundUs'> {
  const perRequestUs = metricNamed('cpu-per-request')?.withoutBackground?.(trial) ?? null;
  return perRequestUs === null ? {} : { withoutBackgroundUs: Math.round(perRequestUs * requests) };
}

/** As the product has it. Seven digits: a log ratio of two such figures is right to 1e-6. */
function figure(trial: TrialMeasurement, metric: string): number | null {
  const value = metricNamed(metric)?.ofTrial?.(trial) ?? null;
  return value === null ? null : digits(value, 7);
}

function digits(value: number, count: number): number {
  return Number(value.toPrecision(count));
}
